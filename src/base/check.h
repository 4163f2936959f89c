// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <source_location>
#include <string_view>

namespace atrium {

/// Prints what was expected and where, then aborts.
[[noreturn]] void CheckFailed(std::string_view expectation,
                              std::source_location where = std::source_location::current());

/// Ends the process when one of our own invariants is broken. Stays on in release builds.
/// Never for input from outside: that is refused with an Error.
inline void Check(bool holds, std::string_view expectation,
                  std::source_location where = std::source_location::current()) {
  if (!holds) [[unlikely]] {
    CheckFailed(expectation, where);
  }
}

}  // namespace atrium
