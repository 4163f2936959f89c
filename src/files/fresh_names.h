// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "almanac/zone.h"
#include "base/result.h"

namespace atrium::files {

using NameTaken = std::function<bool(std::string_view)>;

/// `wanted`, or the first of "name (1).ext", "name (2).ext" ... that is not taken. What is too long
/// with its number loses the end of what stands before it. kLimitExceeded after ten thousand.
Result<std::string> FreeName(std::string_view wanted, const NameTaken& taken);

/// Which version it is that must give up its name.
struct ConflictMark {
  /// The address of the person; may be empty.
  std::string_view modifier;
  /// When it was written, in seconds since 1970.
  std::int64_t mtime;
  /// Whose clocks tell the time.
  const almanac::Zone& zone;
};

/// "name (SFConflict alice@example.com 2026-11-16-08-30-00).ext", by which clients know it. Always
/// a valid name, whatever the modifier holds; parts that are too long lose their ends.
std::string ConflictName(std::string_view name, const ConflictMark& mark);

}  // namespace atrium::files
