// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <compare>
#include <string>
#include <string_view>

#include "almanac/date.h"
#include "almanac/time_of_day.h"
#include "base/result.h"

namespace atrium::almanac {

/// A date and a time of day as people in some place write them, without the place: every local day
/// has 24 hours here. Only a Zone says which moment is meant, and whether there is one. Starts as
/// midnight of 1970-01-01.
struct LocalTime {
  Date date{};
  TimeOfDay time{};

  static constexpr LocalTime Min() { return {.date = Date::Min(), .time = {}}; }
  static constexpr LocalTime Max() {
    return {.date = Date::Max(), .time = TimeOfDay::FromSeconds(TimeOfDay::kSecondsPerDay - 1)};
  }

  /// Reads "2026-03-01T09:00", with or without seconds, and "2026-03-01", which is its midnight.
  /// Anything else is kInvalidArgument, an offset or a "Z" at the end included.
  static Result<LocalTime> Parse(std::string_view text);

  /// "2026-03-01T09:00": always with the time, which shows seconds only when they are not zero.
  std::string Render() const;

  friend constexpr auto operator<=>(const LocalTime&, const LocalTime&) = default;
};

/// Stops at the ends of the years 0001 to 9999.
LocalTime operator+(const LocalTime& time, std::chrono::seconds span);

/// How long it is from `earlier` to `later` where no clock is ever changed.
std::chrono::seconds operator-(const LocalTime& later, const LocalTime& earlier);

}  // namespace atrium::almanac
