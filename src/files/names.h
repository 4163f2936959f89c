// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

#include "base/result.h"

namespace atrium::files {

/// What file systems hold at most.
inline constexpr std::size_t kNameBytesMax = 255;

/// Whether a file or a folder can have this name on every machine that syncs it: 1 to
/// kNameBytesMax bytes of UTF-8 without '/' and NUL, neither "." nor "..". Otherwise
/// kInvalidArgument, "name: ...", which says what is wrong with it. Control characters are allowed:
/// clients send them.
Result<void> CheckName(std::string_view name);

}  // namespace atrium::files
