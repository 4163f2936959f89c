// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace atrium::fuzz {

/// What each target defines: hands one input to its parser and holds what comes out to the parser's
/// promises with Check(). Must behave the same for the same input.
void TryInput(std::string_view input);

/// Takes a line off the front of `rest`, for targets whose parser takes several texts. Header
/// values hold no newline, so nothing is lost by cutting there.
inline std::string_view TakeLine(std::string_view& rest) {
  const std::size_t end = std::min(rest.find('\n'), rest.size());
  const std::string_view line = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return line;
}

}  // namespace atrium::fuzz
