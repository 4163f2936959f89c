// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "almanac/local_time.h"
#include "base/result.h"

namespace atrium::almanac {

/// Of what others write; what is stored may have got an UNTIL in addition.
inline constexpr std::size_t kRuleBytesMax = 512;
inline constexpr std::size_t kStoredRuleBytesMax = 1024;
inline constexpr std::size_t kRuleListMax = 100;
inline constexpr int kCountMax = 10'000;
inline constexpr int kIntervalMax = 10'000;
/// By which BYHOUR, BYMINUTE and BYSECOND together stay what people put into calendars.
inline constexpr std::size_t kTimesOfDayMax = 100;

enum class Frequency : std::uint8_t { kDaily, kWeekly, kMonthly, kYearly };

/// One value of BYDAY: "MO", "2TU", "-1FR".
struct RuleDay {
  /// Monday is 0.
  int weekday = 0;
  /// The how-manieth of the month or year, from its end when negative; zero: all of them.
  int ordinal = 0;

  friend auto operator<=>(const RuleDay&, const RuleDay&) = default;
};

/// UNTIL, which is the last moment that may be an occurrence.
struct RuleEnd {
  enum class Form : std::uint8_t { kDate, kLocal, kUtc };

  /// With kDate, the last second of the day.
  LocalTime time{};
  Form form = Form::kLocal;
};

/// A recurrence rule taken apart (RFC 5545 §3.3.10). Lists are sorted, without repetitions.
struct Rule {
  Frequency frequency = Frequency::kDaily;
  int interval = 1;
  std::optional<int> count{};
  std::optional<RuleEnd> until{};
  std::vector<int> by_second{};
  std::vector<int> by_minute{};
  std::vector<int> by_hour{};
  std::vector<RuleDay> by_day{};
  std::vector<int> by_month_day{};
  std::vector<int> by_year_day{};
  std::vector<int> by_week_no{};
  std::vector<int> by_month{};
  std::vector<int> by_set_pos{};
  /// On which weekday weeks begin; Monday is 0.
  int week_start = 0;
};

/// Reads a rule in any case, with or without "RRULE:" before it and a semicolon behind it.
/// kInvalidArgument, naming the part, for what is no rule, for values and combinations that the
/// standard does not have, for more than the limits above, and for what comes more often than
/// daily. RSCALE and SKIP are accepted where they say what is understood anyway.
Result<Rule> ParseRule(std::string_view text);

/// Parts in a fixed order, without those that say what is understood anyway.
std::string RenderRule(const Rule& rule);

/// The refusal of a rule, in words for whoever wrote it.
std::unexpected<Error> RefuseRule(std::string_view why);

}  // namespace atrium::almanac
