// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "calendar/records.h"
#include "icalendar/item.h"

namespace atrium::calendar {

/// Puts what a file says of single occurrences (RECURRENCE-ID) into their series. Of two items
/// about one occurrence the later one counts. No store, no clock.
class SeriesBuilder {
 public:
  /// `series` is settled. What it has of single occurrences stays unless an item says otherwise.
  explicit SeriesBuilder(Entry series);

  enum class Outcome : std::uint8_t {
    kTaken,
    /// It cannot be one of this series, which leaves its place free where it has one: an entry of
    /// its own.
    kApart,
  };
  Result<Outcome> Take(const icalendar::Item& item, std::vector<std::string>& notes);

  /// The series, settled, as SettleWithPeople() does it.
  Result<Entry> Finish(std::vector<std::string>& notes) &&;

 private:
  Outcome LeaveOut(const LocalTime& at);

  Entry series_;
  /// The series without anything told of single occurrences here.
  Entry plain_;
  icalendar::Item frame_;
  std::map<LocalTime, Override> overrides_;
  std::set<LocalTime> exceptions_;
};

}  // namespace atrium::calendar
