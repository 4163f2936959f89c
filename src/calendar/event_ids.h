// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "calendar/records.h"
#include "store/epoch.h"

namespace atrium::calendar {

// The ids of events: what a listener has seen, as a text that it hands back to go on from there.
//
//   7k2mq0zd.1024                          one calendar, up to its change 1024
//   7k2mq0zd.m12.1f0c9a3e-s.77d20b41-9c    12 changes of a person's memberships, and for each
//                                          calendar the end of its id and a number in base 36
//
// The first part stands for the epoch of the store. After a restore numbers are given anew: an id
// of another epoch says nothing, and neither does a text that is none.

/// The first part of the ids of an epoch.
std::string EpochTag(const store::Epoch& epoch);

std::string RenderEventId(std::string_view epoch_tag, std::uint64_t number);
/// nullopt when it says nothing here.
std::optional<std::uint64_t> ParseEventId(std::string_view text, std::string_view epoch_tag);

/// By what an id knows a calendar: its last eight digits, which are random. One in four billion
/// pairs shares them; ParseManyEventId() then says that it does not know, and never a wrong number.
std::string CalendarTag(const CalendarId& calendar);

/// What a listener to all of somebody's calendars has seen.
struct ManyPositions {
  /// Of the changes of the person's memberships.
  std::uint64_t own = 0;
  /// Of each calendar, by CalendarTag().
  std::map<std::string, std::uint64_t, std::less<>> calendars{};

  friend bool operator==(const ManyPositions&, const ManyPositions&) = default;
};

/// Collects an id for many calendars, part by part.
class ManyEventId {
 public:
  ManyEventId(std::string_view epoch_tag, std::uint64_t own);
  void Add(std::string_view calendar_tag, std::uint64_t number);
  const std::string& Text() const { return text_; }

 private:
  std::string text_;
};

/// nullopt when it says nothing here.
std::optional<ManyPositions> ParseManyEventId(std::string_view text, std::string_view epoch_tag);

}  // namespace atrium::calendar
