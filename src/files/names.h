// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"

namespace atrium::files {

/// What file systems hold at most.
inline constexpr std::size_t kNameBytesMax = 255;

/// Whether a file or a folder can have this name on every machine that syncs it: 1 to
/// kNameBytesMax bytes of UTF-8 without '/' and NUL, neither "." nor "..". Otherwise
/// kInvalidArgument, "name: ...", which says what is wrong with it. Control characters are allowed:
/// file systems have such names, and a client that was refused one could sync nothing any more.
Result<void> CheckName(std::string_view name);

/// The same for a name that somebody gives here: it has no control characters either, line breaks
/// among them. They could pass for something else in lists, letters and headers.
Result<void> CheckNewName(std::string_view name);

/// Valid UTF-8 with `instead` in the place of each control character: what is shown, sent in
/// headers and put into archives.
std::string WithoutControls(std::string_view name, char instead);

}  // namespace atrium::files
