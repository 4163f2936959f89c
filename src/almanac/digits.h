// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace atrium::almanac {

/// The number that `count` decimal digits at `position` of `text` are; nullopt when there are fewer
/// or other characters. `count` is at most nine.
constexpr std::optional<int> DigitsAt(std::string_view text, std::size_t position,
                                      std::size_t count) {
  if (position > text.size() || text.size() - position < count) {
    return std::nullopt;
  }
  int value = 0;
  for (const char c : text.substr(position, count)) {
    if (c < '0' || c > '9') {
      return std::nullopt;
    }
    value = value * 10 + (c - '0');
  }
  return value;
}

}  // namespace atrium::almanac
