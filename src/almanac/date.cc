// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "almanac/date.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "almanac/digits.h"
#include "base/put_digits.h"

namespace atrium::almanac {
namespace {

constexpr std::size_t kTextSize = 10;
constexpr int kFirstYear = 1;
constexpr int kLastYear = 9999;

}  // namespace

Result<Date> Date::Of(int year, int month, int day) {
  // Before the parts become the narrower ones of the library.
  const bool in_range =
      year >= kFirstYear && year <= kLastYear && month >= 1 && month <= 12 && day >= 1 && day <= 31;
  const std::chrono::year_month_day civil = std::chrono::year(year) / month / day;
  if (!in_range || !civil.ok()) {
    return Fail(ErrorCode::kInvalidArgument, "expected a date that exists, like 2026-02-28");
  }
  return FromDays(
      static_cast<std::int32_t>(std::chrono::sys_days(civil).time_since_epoch().count()));
}

Result<Date> Date::Parse(std::string_view text) {
  const std::optional<int> year = DigitsAt(text, 0, 4);
  const std::optional<int> month = DigitsAt(text, 5, 2);
  const std::optional<int> day = DigitsAt(text, 8, 2);
  if (text.size() != kTextSize || text[4] != '-' || text[7] != '-' || !year || !month || !day) {
    return Fail(ErrorCode::kInvalidArgument, "expected a date like 2026-02-28");
  }
  return Of(*year, *month, *day);
}

std::string Date::Render() const {
  const std::chrono::year_month_day civil = Civil();
  std::string text = "0000-00-00";
  PutDigits(&text[0], 4, static_cast<unsigned>(static_cast<int>(civil.year())));
  PutDigits(&text[5], 2, static_cast<unsigned>(civil.month()));
  PutDigits(&text[8], 2, static_cast<unsigned>(civil.day()));
  return text;
}

}  // namespace atrium::almanac
