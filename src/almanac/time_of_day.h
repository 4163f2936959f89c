// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace atrium::almanac {

/// What a clock on the wall shows, to the second: "09:30". From 00:00 to 23:59:59; there is neither
/// 24:00 nor a leap second. Starts as midnight.
class TimeOfDay {
 public:
  static constexpr std::int32_t kSecondsPerDay = 24 * 60 * 60;

  constexpr TimeOfDay() = default;

  /// So many seconds after midnight, or the nearer end of the day.
  static constexpr TimeOfDay FromSeconds(std::int32_t since_midnight) {
    return TimeOfDay(std::clamp(since_midnight, 0, kSecondsPerDay - 1));
  }

  /// Reads exactly "HH:MM" or "HH:MM:SS"; anything else is kInvalidArgument.
  static Result<TimeOfDay> Parse(std::string_view text);

  /// "HH:MM", and the seconds only when they are not zero.
  std::string Render() const;

  /// Since midnight.
  constexpr std::int32_t Seconds() const { return seconds_; }

  friend constexpr auto operator<=>(TimeOfDay, TimeOfDay) = default;

 private:
  explicit constexpr TimeOfDay(std::int32_t seconds) : seconds_(seconds) {}

  std::int32_t seconds_ = 0;
};

}  // namespace atrium::almanac
