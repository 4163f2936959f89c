// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

namespace atrium {

/// The first character of a text, or the first thing that is none.
struct Utf8Step {
  std::size_t bytes;  ///< How far to go on; never zero.
  bool valid;
};

/// Looks at the front of `text`, which is not empty.
///
/// An ill-formed front counts as long as some well-formed character begins the same way ("maximal
/// subpart", Unicode §3.9), which is one replacement character in the usual practice.
Utf8Step NextUtf8(std::string_view text);

/// Well-formed UTF-8: no overlong forms, no surrogates, nothing above U+10FFFF. NUL is a character.
bool IsValidUtf8(std::string_view text);

/// The longest front of `text` that fits in `max_bytes` and does not cut a character in two. A view
/// into `text`. Invalid text is cut without care for it.
std::string_view TruncateUtf8(std::string_view text, std::size_t max_bytes);

}  // namespace atrium
