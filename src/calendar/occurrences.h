// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>

#include "almanac/recurrence.h"
#include "base/result.h"
#include "calendar/records.h"

namespace atrium::calendar {

/// One time that an entry takes place.
struct Occurrence {
  /// When the series has it; nullopt: the entry comes once.
  std::optional<LocalTime> of_series{};
  /// As it takes place then, without recurrence.
  Entry entry{};
};

/// The days a question is about, in the entry's own zone, both included.
struct DayRange {
  Date from{};
  Date to{};
};

/// One time that an entry takes place, without the texts of the entry, which may be long and are
/// the same each time.
struct BareOccurrence {
  std::optional<LocalTime> of_series{};
  /// What it has instead of what the series says: a part of the entry that was asked about.
  const Override* override = nullptr;
  /// What kind it is of and when it takes place then.
  Entry entry{};
};
using BareOccurrenceSink = std::function<Result<void>(const BareOccurrence&)>;

/// Calls `sink` for each occurrence that touches these days, those with an override last. Ends with
/// the first error of it. In memory there is one of them at a time, however many there are.
Result<void> EachOccurrence(const Entry& entry, const DayRange& days,
                            almanac::ExpansionBudget& budget, const BareOccurrenceSink& sink);

/// The whole entry as it takes place then. `without` is the one that was asked about, without its
/// recurrence.
Entry WholeOf(const Entry& without, const std::optional<LocalTime>& of_series,
              const Override* override);

/// The one that the series has at that time. kNotFound when there is none.
Result<Occurrence> OccurrenceAt(const Entry& series, const LocalTime& at);

/// What an occurrence has instead of what the series says: `usual` is how it would be without an
/// override. Colours in another case are the same.
Override DifferenceOf(const LocalTime& at, const Entry& now, const Entry& usual);

}  // namespace atrium::calendar
