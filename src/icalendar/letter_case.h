// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace atrium::icalendar {

/// Names and keywords of iCalendar are ASCII and the same in either case (RFC 5545 §1.2); what the
/// locale thinks of letters does not matter.
constexpr char ToUpper(char letter) {
  return letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter;
}

inline std::string ToUpper(std::string_view text) {
  std::string upper(text);
  std::ranges::transform(upper, upper.begin(), [](char letter) { return ToUpper(letter); });
  return upper;
}

constexpr bool SameLetters(std::string_view one, std::string_view other) {
  return std::ranges::equal(one, other, [](char a, char b) { return ToUpper(a) == ToUpper(b); });
}

}  // namespace atrium::icalendar
