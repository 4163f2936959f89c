// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "almanac/time_of_day.h"

#include <fmt/format.h>

#include <cstddef>
#include <optional>

#include "almanac/digits.h"

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
  const int hour = seconds_ / 3600;
  const int minute = seconds_ / 60 % 60;
  const int second = seconds_ % 60;
  return second == 0 ? fmt::format("{:02}:{:02}", hour, minute)
                     : fmt::format("{:02}:{:02}:{:02}", hour, minute, second);
}

}  // namespace atrium::almanac
