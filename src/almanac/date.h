// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <chrono>
#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace atrium::almanac {

/// A day of the Gregorian calendar, of no zone: "2026-02-28". It is a day that exists, of the years
/// 0001 to 9999, also after arithmetic, which stops at the ends of that range. Starts as
/// 1970-01-01.
class Date {
 public:
  constexpr Date() = default;

  /// The day so many days after 1970-01-01, or the nearer end of the range.
  static constexpr Date FromDays(std::int32_t since_1970) {
    return Date(std::clamp(since_1970, kFirstDays, kLastDays));
  }

  /// Refuses with kInvalidArgument a day that does not exist or is outside the range.
  static Result<Date> Of(int year, int month, int day);

  /// Reads exactly the form "2026-02-28"; anything else is kInvalidArgument.
  static Result<Date> Parse(std::string_view text);
  std::string Render() const;

  static constexpr Date Min() { return Date(kFirstDays); }
  static constexpr Date Max() { return Date(kLastDays); }

  /// Since 1970-01-01, negative before it.
  constexpr std::int32_t Days() const { return days_; }

  /// All of year, month and day, for the price of one of them.
  constexpr std::chrono::year_month_day Civil() const {
    return std::chrono::sys_days(std::chrono::days(days_));
  }

  constexpr int Year() const { return static_cast<int>(Civil().year()); }
  constexpr int Month() const { return static_cast<int>(static_cast<unsigned>(Civil().month())); }
  constexpr int Day() const { return static_cast<int>(static_cast<unsigned>(Civil().day())); }

  /// Monday is 0, Sunday is 6.
  constexpr int Weekday() const { return ((days_ + kWeekdayOfEpoch) % 7 + 7) % 7; }

  friend constexpr Date operator+(Date date, int days) {
    const std::int64_t sum = std::int64_t{date.days_} + days;
    return Date(static_cast<std::int32_t>(
        std::clamp(sum, std::int64_t{kFirstDays}, std::int64_t{kLastDays})));
  }

  /// How many days lie between.
  friend constexpr int operator-(Date later, Date earlier) { return later.days_ - earlier.days_; }

  friend constexpr auto operator<=>(Date, Date) = default;

 private:
  static constexpr std::int32_t kFirstDays = -719162;
  static constexpr std::int32_t kLastDays = 2932896;
  // A Thursday.
  static constexpr int kWeekdayOfEpoch = 3;

  explicit constexpr Date(std::int32_t days) : days_(days) {}

  std::int32_t days_ = 0;
};

}  // namespace atrium::almanac
