// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <charconv>
#include <concepts>
#include <string>
#include <string_view>

namespace atrium {

/// Appends `text` as a JSON string with its quotes. Valid UTF-8 passes through; each ill-formed
/// piece becomes U+FFFD, so that the outcome is valid JSON whatever comes in.
void AppendJsonString(std::string& out, std::string_view text);

/// Appends the shortest text that reads back as the same number; JSON has no word for what is not
/// finite, which becomes "null".
void AppendJsonNumber(std::string& out, double number);

template <std::integral Integer>
  requires(!std::same_as<Integer, bool> && !std::same_as<Integer, char>)
void AppendJsonNumber(std::string& out, Integer number) {
  std::array<char, 24> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  out.append(digits.data(), end);
}

}  // namespace atrium
