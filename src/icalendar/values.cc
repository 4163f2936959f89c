// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "icalendar/values.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "almanac/date.h"
#include "almanac/digits.h"
#include "almanac/local_time.h"
#include "almanac/time_of_day.h"
#include "almanac/zone.h"
#include "base/error.h"
#include "base/instant.h"
#include "base/result.h"
#include "icalendar/quote.h"

namespace atrium::icalendar {
namespace {

using almanac::DigitsAt;

constexpr std::size_t kDateSize = 8;

std::unexpected<Error> NotATime(std::string_view text) {
  return Fail(ErrorCode::kInvalidArgument,
              fmt::format("\"{}\" is neither a date nor a time", Shown(text)));
}

std::unexpected<Error> NotADuration(std::string_view text) {
  return Fail(ErrorCode::kInvalidArgument,
              fmt::format("\"{}\" is not a length of time", Shown(text)));
}

/// Reads "T090000".
std::optional<almanac::TimeOfDay> ParseClock(std::string_view text) {
  constexpr std::size_t kClockSize = 7;
  const std::optional<int> hour = DigitsAt(text, 1, 2);
  const std::optional<int> minute = DigitsAt(text, 3, 2);
  const std::optional<int> second = DigitsAt(text, 5, 2);
  if (text.size() != kClockSize || text.front() != 'T' || !hour || !minute || !second ||
      *hour > 23 || *minute > 59 || *second > 60) {
    return std::nullopt;
  }
  return almanac::TimeOfDay::FromSeconds((*hour * 60 + *minute) * 60 + std::min(*second, 59));
}

/// Reads the part of a DURATION after its sign: "P1DT2H".
class DurationParser {
 public:
  explicit DurationParser(std::string_view text) : rest_(text) {}

  std::optional<Duration> Parse() {
    if (!Take('P') || rest_.empty()) {
      return std::nullopt;
    }
    while (!rest_.empty()) {
      if (Take('T') ? std::exchange(in_time_, true) || rest_.empty() : !TakePart()) {
        return std::nullopt;
      }
    }
    return duration_;
  }

 private:
  static constexpr std::int64_t kDaysMax = 100'000;

  bool Take(char letter) {
    if (!rest_.starts_with(letter)) {
      return false;
    }
    rest_.remove_prefix(1);
    return true;
  }

  /// Weeks beside days, and parts in any order, are not of the RFC but of no doubt.
  bool TakePart() {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), number);
    const auto size = static_cast<std::size_t>(end - rest_.data());
    if (error != std::errc() || number < 0 || size == rest_.size()) {
      return false;
    }
    const char unit = rest_[size];
    rest_.remove_prefix(size + 1);
    return in_time_ ? AddTime(number, unit) : AddDays(number, unit);
  }

  bool AddDays(std::int64_t number, char unit) {
    if ((unit != 'D' && unit != 'W') || number > kDaysMax) {
      return false;
    }
    const std::int64_t sum = duration_.days + number * (unit == 'W' ? 7 : 1);
    duration_.days = static_cast<int>(std::min(sum, kDaysMax + 1));
    return sum <= kDaysMax;
  }

  bool AddTime(std::int64_t number, char unit) {
    constexpr std::int64_t kSecondsMax = kDaysMax * almanac::TimeOfDay::kSecondsPerDay;
    const std::int64_t factor = unit == 'H' ? 3600 : unit == 'M' ? 60 : unit == 'S' ? 1 : 0;
    if (factor == 0 || number > kSecondsMax) {
      return false;
    }
    duration_.time += std::chrono::seconds(number * factor);
    return duration_.time.count() <= kSecondsMax;
  }

  std::string_view rest_;
  bool in_time_ = false;
  Duration duration_;
};

bool IsControl(char letter) {
  return (static_cast<unsigned char>(letter) < 0x20 && letter != '\t') || letter == 0x7F;
}

/// What a backslash and this letter stand for.
std::optional<char> Unescaped(char letter) {
  if (letter == 'n' || letter == 'N') {
    return '\n';
  }
  // Neither colons nor quotes need a backslash, but some writers give them one.
  if (std::string_view("\\;,:\"").contains(letter)) {
    return letter;
  }
  return std::nullopt;
}

}  // namespace

Result<TimeValue> ParseTime(std::string_view text) {
  const std::optional<int> year = DigitsAt(text, 0, 4);
  const std::optional<int> month = DigitsAt(text, 4, 2);
  const std::optional<int> day = DigitsAt(text, 6, 2);
  if (!year || !month || !day) {
    return NotATime(text);
  }
  const Result<almanac::Date> date = almanac::Date::Of(*year, *month, *day);
  if (!date) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("\"{}\" names a day that does not exist", Shown(text)));
  }
  std::string_view rest = text.substr(kDateSize);
  if (rest.empty()) {
    return TimeValue{.form = TimeForm::kDate, .at = {.date = *date, .time = {}}};
  }
  const bool utc = rest.ends_with('Z');
  rest.remove_suffix(utc ? 1 : 0);
  const std::optional<almanac::TimeOfDay> time = ParseClock(rest);
  if (!time) {
    return NotATime(text);
  }
  return TimeValue{.form = utc ? TimeForm::kUtc : TimeForm::kLocal,
                   .at = {.date = *date, .time = *time}};
}

Instant UtcInstant(const almanac::LocalTime& time) {
  return Instant(std::chrono::days(time.date.Days()) + std::chrono::seconds(time.time.Seconds()));
}

Result<Duration> ParseDuration(std::string_view text) {
  const bool negative = text.starts_with('-');
  const std::size_t sign = negative || text.starts_with('+') ? 1 : 0;
  const std::optional<Duration> duration = DurationParser(text.substr(sign)).Parse();
  if (!duration) {
    return NotADuration(text);
  }
  return negative ? Duration{.days = -duration->days, .time = -duration->time} : *duration;
}

std::string UnescapeText(std::string_view value) {
  std::string text;
  text.reserve(value.size());
  for (std::size_t i = 0; i < value.size(); ++i) {
    const std::optional<char> escaped =
        value[i] == '\\' && i + 1 < value.size() ? Unescaped(value[i + 1]) : std::nullopt;
    if (escaped) {
      text += *escaped;
      ++i;
    } else if (!IsControl(value[i])) {
      text += value[i];
    }
  }
  return text;
}

std::vector<std::string_view> SplitList(std::string_view value) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t comma = value.find(',');
    parts.push_back(value.substr(0, comma));
    if (comma == std::string_view::npos) {
      return parts;
    }
    value.remove_prefix(comma + 1);
  }
}

std::string RenderDate(almanac::Date date) {
  return fmt::format("{:04}{:02}{:02}", date.Year(), date.Month(), date.Day());
}

std::string RenderLocal(const almanac::LocalTime& time) {
  const std::int32_t seconds = time.time.Seconds();
  return fmt::format("{}T{:02}{:02}{:02}", RenderDate(time.date), seconds / 3600, seconds / 60 % 60,
                     seconds % 60);
}

std::string RenderUtc(Instant instant) {
  return RenderLocal(almanac::Zone::Utc().In(instant)) + 'Z';
}

std::string RenderMinutes(std::chrono::minutes span) {
  constexpr std::int64_t kMinutesPerDay = std::int64_t{24} * 60;
  const std::string_view sign = span.count() < 0 ? "-" : "";
  const std::int64_t minutes = std::abs(span.count());
  if (minutes != 0 && minutes % kMinutesPerDay == 0) {
    return fmt::format("{}P{}D", sign, minutes / kMinutesPerDay);
  }
  return fmt::format("{}PT{}M", sign, minutes);
}

std::string EscapeText(std::string_view text) {
  std::string escaped;
  escaped.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char letter = text[i];
    if (letter == '\\' || letter == ';' || letter == ',') {
      escaped += '\\';
      escaped += letter;
    } else if (letter == '\n' || (letter == '\r' && !text.substr(i + 1).starts_with('\n'))) {
      escaped += "\\n";
    } else if (!IsControl(letter)) {
      escaped += letter;
    }
  }
  return escaped;
}

}  // namespace atrium::icalendar
