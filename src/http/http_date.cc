// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/http_date.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/result.h"

namespace atrium::http {
namespace {

namespace chrono = std::chrono;

constexpr std::array<std::string_view, 7> kDays = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                                   "Thursday", "Friday", "Saturday"};
constexpr std::array<std::string_view, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                      "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

constexpr chrono::sys_seconds kEarliest = chrono::sys_days{chrono::year{0} / 1 / 1};
constexpr chrono::sys_seconds kLatest =
    chrono::sys_days{chrono::year{10000} / 1 / 1} - chrono::seconds{1};

/// The pieces of a date still to be checked against the calendar.
struct DateFields {
  std::size_t weekday = 0;
  unsigned day = 0;
  unsigned month = 0;
  int year = 0;
  unsigned hour = 0;
  unsigned minute = 0;
  unsigned second = 0;
};

/// Eats a date from the left. After the first thing that is not as expected it eats nothing more,
/// and Done() is false; so a form is read as a plain sequence without a test after every step.
class DateReader {
 public:
  explicit DateReader(std::string_view text) : rest_(text) {}

  void Literal(std::string_view expected) {
    if (!rest_.starts_with(expected)) {
      failed_ = true;
      return;
    }
    rest_.remove_prefix(expected.size());
  }

  unsigned Digits(std::size_t count) {
    unsigned number = 0;
    if (failed_ || rest_.size() < count) {
      failed_ = true;
      return 0;
    }
    for (const char c : rest_.substr(0, count)) {
      failed_ = failed_ || c < '0' || c > '9';
      number = number * 10 + static_cast<unsigned>(c - '0');
    }
    rest_.remove_prefix(count);
    return failed_ ? 0 : number;
  }

  /// Of two columns, filled with a space in front.
  unsigned PaddedDay() {
    if (rest_.starts_with(' ')) {
      rest_.remove_prefix(1);
      return Digits(1);
    }
    return Digits(2);
  }

  std::size_t Weekday(std::size_t letters) {
    for (std::size_t i = 0; i < kDays.size(); ++i) {
      const std::string_view name = kDays.at(i).substr(0, letters);
      if (rest_.starts_with(name)) {
        rest_.remove_prefix(name.size());
        return i;
      }
    }
    failed_ = true;
    return 0;
  }

  unsigned Month() {
    const auto* const month = std::ranges::find(kMonths, rest_.substr(0, 3));
    if (month == kMonths.end()) {
      failed_ = true;
      return 0;
    }
    rest_.remove_prefix(3);
    return static_cast<unsigned>(month - kMonths.begin()) + 1;
  }

  void TimeOfDay(DateFields& fields) {
    fields.hour = Digits(2);
    Literal(":");
    fields.minute = Digits(2);
    Literal(":");
    fields.second = Digits(2);
  }

  bool Done() const { return !failed_ && rest_.empty(); }

 private:
  std::string_view rest_;
  bool failed_ = false;
};

constexpr std::size_t kShortName = 3;
constexpr std::size_t kWholeName = std::string_view::npos;

/// Sun, 06 Nov 1994 08:49:37 GMT
std::optional<DateFields> ReadImfFixdate(std::string_view text) {
  DateReader reader(text);
  DateFields fields;
  fields.weekday = reader.Weekday(kShortName);
  reader.Literal(", ");
  fields.day = reader.Digits(2);
  reader.Literal(" ");
  fields.month = reader.Month();
  reader.Literal(" ");
  fields.year = static_cast<int>(reader.Digits(4));
  reader.Literal(" ");
  reader.TimeOfDay(fields);
  reader.Literal(" GMT");
  return reader.Done() ? std::optional(fields) : std::nullopt;
}

/// Sunday, 06-Nov-94 08:49:37 GMT
std::optional<DateFields> ReadRfc850(std::string_view text) {
  DateReader reader(text);
  DateFields fields;
  fields.weekday = reader.Weekday(kWholeName);
  reader.Literal(", ");
  fields.day = reader.Digits(2);
  reader.Literal("-");
  fields.month = reader.Month();
  reader.Literal("-");
  const int short_year = static_cast<int>(reader.Digits(2));
  fields.year = short_year + (short_year >= 70 ? 1900 : 2000);
  reader.Literal(" ");
  reader.TimeOfDay(fields);
  reader.Literal(" GMT");
  return reader.Done() ? std::optional(fields) : std::nullopt;
}

/// Sun Nov  6 08:49:37 1994
std::optional<DateFields> ReadAsctime(std::string_view text) {
  DateReader reader(text);
  DateFields fields;
  fields.weekday = reader.Weekday(kShortName);
  reader.Literal(" ");
  fields.month = reader.Month();
  reader.Literal(" ");
  fields.day = reader.PaddedDay();
  reader.Literal(" ");
  reader.TimeOfDay(fields);
  reader.Literal(" ");
  fields.year = static_cast<int>(reader.Digits(4));
  return reader.Done() ? std::optional(fields) : std::nullopt;
}

std::optional<DateFields> ReadAnyForm(std::string_view text) {
  if (const auto fields = ReadImfFixdate(text)) {
    return fields;
  }
  if (const auto fields = ReadRfc850(text)) {
    return fields;
  }
  return ReadAsctime(text);
}

void AppendPadded(std::string& text, long number, std::size_t width) {
  const std::string digits = std::to_string(number);
  text.append(width - std::min(width, digits.size()), '0');
  text += digits;
}

}  // namespace

std::string RenderHttpDate(chrono::sys_seconds time) {
  time = std::clamp(time, kEarliest, kLatest);
  const auto day = chrono::floor<chrono::days>(time);
  const chrono::year_month_day date{day};
  const chrono::hh_mm_ss clock{time - day};
  std::string text(kDays.at(chrono::weekday{day}.c_encoding()).substr(0, kShortName));
  text += ", ";
  AppendPadded(text, static_cast<unsigned>(date.day()), 2);
  text += " ";
  text += kMonths.at(static_cast<unsigned>(date.month()) - 1);
  text += " ";
  AppendPadded(text, static_cast<int>(date.year()), 4);
  text += " ";
  AppendPadded(text, clock.hours().count(), 2);
  text += ":";
  AppendPadded(text, clock.minutes().count(), 2);
  text += ":";
  AppendPadded(text, clock.seconds().count(), 2);
  return text + " GMT";
}

Result<chrono::sys_seconds> ParseHttpDate(std::string_view text) {
  const std::optional<DateFields> fields = ReadAnyForm(text);
  if (!fields) {
    return Fail(ErrorCode::kInvalidArgument, "date in none of the three forms of HTTP");
  }
  const chrono::year_month_day date{chrono::year{fields->year}, chrono::month{fields->month},
                                    chrono::day{fields->day}};
  // A second of 60 is a leap second; it counts as the first one after it.
  if (!date.ok() || fields->hour > 23 || fields->minute > 59 || fields->second > 60) {
    return Fail(ErrorCode::kInvalidArgument, "date or time of day that does not exist");
  }
  const chrono::sys_days day{date};
  if (chrono::weekday{day}.c_encoding() != fields->weekday) {
    return Fail(ErrorCode::kInvalidArgument, "date that was another day of the week");
  }
  return day + chrono::hours{fields->hour} + chrono::minutes{fields->minute} +
         chrono::seconds{fields->second};
}

}  // namespace atrium::http
