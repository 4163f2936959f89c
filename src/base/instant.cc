// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "base/instant.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <optional>

#include "base/put_digits.h"

namespace atrium {
namespace {

using std::chrono::day;
using std::chrono::days;
using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::month;
using std::chrono::seconds;
using std::chrono::sys_days;
using std::chrono::year;
using std::chrono::year_month_day;

constexpr Instant kFirst = sys_days(year(1) / 1 / 1);
constexpr Instant kLast = Instant(sys_days(year(10000) / 1 / 1)) - milliseconds(1);

constexpr bool IsDigit(char c) {
  return c >= '0' && c <= '9';
}

/// Takes the text apart from the left; after the first mismatch nothing matches any more.
class Scanner {
 public:
  explicit Scanner(std::string_view rest) : rest_(rest) {}

  /// Exactly `count` digits, not above `highest`.
  int Number(std::size_t count, int highest) {
    if (rest_.size() < count || !std::ranges::all_of(rest_.substr(0, count), IsDigit)) {
      return Mismatch();
    }
    int number = 0;
    for (const char c : rest_.substr(0, count)) {
      number = number * 10 + (c - '0');
    }
    rest_.remove_prefix(count);
    return number <= highest ? number : Mismatch();
  }

  /// One of the characters of `choices`; answers which, or NUL.
  char One(std::string_view choices) {
    if (!holds_ || rest_.empty() || !choices.contains(rest_.front())) {
      Mismatch();
      return '\0';
    }
    const char found = rest_.front();
    rest_.remove_prefix(1);
    return found;
  }

  milliseconds Fraction() {
    if (!rest_.starts_with('.')) {
      return milliseconds(0);
    }
    rest_.remove_prefix(1);
    const std::size_t digits = std::min(rest_.find_first_not_of("0123456789"), rest_.size());
    if (digits == 0) {
      Mismatch();
    }
    int thousandths = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      thousandths = thousandths * 10 + (i < digits ? rest_[i] - '0' : 0);
    }
    rest_.remove_prefix(digits);
    return milliseconds(thousandths);
  }

  minutes Offset() {
    const char sign = One("Zz+-");
    if (sign != '+' && sign != '-') {
      return minutes(0);
    }
    const hours whole(Number(2, 23));
    One(":");
    const minutes offset = whole + minutes(Number(2, 59));
    return sign == '-' ? -offset : offset;
  }

  bool AtEnd() const { return holds_ && rest_.empty(); }

 private:
  int Mismatch() {
    holds_ = false;
    rest_ = {};
    return 0;
  }

  std::string_view rest_;
  bool holds_ = true;
};

std::optional<Instant> Scan(std::string_view text) {
  Scanner scanner(text);
  const int y = scanner.Number(4, 9999);
  scanner.One("-");
  const int m = scanner.Number(2, 12);
  scanner.One("-");
  const int d = scanner.Number(2, 31);
  scanner.One("Tt");
  const hours hour(scanner.Number(2, 23));
  scanner.One(":");
  const minutes minute(scanner.Number(2, 59));
  scanner.One(":");
  const seconds second(scanner.Number(2, 59));
  const milliseconds fraction = scanner.Fraction();
  const minutes offset = scanner.Offset();
  const year_month_day date(year(y), month(static_cast<unsigned>(m)),
                            day(static_cast<unsigned>(d)));
  if (!scanner.AtEnd() || y == 0 || !date.ok()) {
    return std::nullopt;
  }
  const Instant instant = sys_days(date) + hour + minute + second + fraction - offset;
  return instant >= kFirst && instant <= kLast ? std::optional(instant) : std::nullopt;
}

}  // namespace

std::string RenderInstant(Instant instant) {
  const Instant shown = std::clamp(instant, kFirst, kLast);
  const auto midnight = std::chrono::floor<days>(shown);
  const year_month_day date(midnight);
  const auto clock = static_cast<unsigned>((shown - midnight).count());
  std::string text = "0000-00-00T00:00:00.000Z";
  PutDigits(&text[0], 4, static_cast<unsigned>(static_cast<int>(date.year())));
  PutDigits(&text[5], 2, static_cast<unsigned>(date.month()));
  PutDigits(&text[8], 2, static_cast<unsigned>(date.day()));
  PutDigits(&text[11], 2, clock / 3'600'000);
  PutDigits(&text[14], 2, clock / 60'000 % 60);
  PutDigits(&text[17], 2, clock / 1000 % 60);
  PutDigits(&text[20], 3, clock % 1000);
  return text;
}

Result<Instant> ParseInstant(std::string_view text) {
  const std::optional<Instant> instant = Scan(text);
  if (!instant) {
    return Fail(ErrorCode::kInvalidArgument,
                "expected a date and time like 2026-11-15T22:34:00Z (RFC 3339)");
  }
  return *instant;
}

}  // namespace atrium
