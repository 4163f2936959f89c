// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "almanac/time_of_day.h"

#include <cstddef>
#include <optional>

#include "almanac/digits.h"
#include "base/put_digits.h"

namespace atrium::almanac {
namespace {

constexpr std::size_t kShortSize = 5;
constexpr std::size_t kLongSize = 8;

std::unexpected<Error> NotATime() {
  return Fail(ErrorCode::kInvalidArgument, "expected a time from 00:00 to 23:59:59, like 09:30");
}

}  // namespace

Result<TimeOfDay> TimeOfDay::Parse(std::string_view text) {
  const bool with_seconds = text.size() == kLongSize;
  if ((text.size() != kShortSize && !with_seconds) || text[2] != ':' ||
      (with_seconds && text[5] != ':')) {
    return NotATime();
  }
  const std::optional<int> hour = DigitsAt(text, 0, 2);
  const std::optional<int> minute = DigitsAt(text, 3, 2);
  const std::optional<int> second = with_seconds ? DigitsAt(text, 6, 2) : 0;
  if (!hour || !minute || !second || *hour > 23 || *minute > 59 || *second > 59) {
    return NotATime();
  }
  return FromSeconds((*hour * 60 + *minute) * 60 + *second);
}

std::string TimeOfDay::Render() const {
  const auto seconds = static_cast<unsigned>(seconds_);
  std::string text = seconds % 60 == 0 ? "00:00" : "00:00:00";
  PutDigits(&text[0], 2, seconds / 3600);
  PutDigits(&text[3], 2, seconds / 60 % 60);
  if (text.size() == kLongSize) {
    PutDigits(&text[6], 2, seconds % 60);
  }
  return text;
}

}  // namespace atrium::almanac
