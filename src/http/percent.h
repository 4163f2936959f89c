// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace atrium::http {

/// What a path segment or a query piece means once its %XX escapes are read (RFC 3986 §2.1); a plus
/// stands for itself.
///
/// kInvalidArgument for an escape that is cut short or not hexadecimal, and when the meaning is not
/// UTF-8 or holds a NUL. A decoded segment may contain a slash or be "..": split first, decode
/// then, and never paste the result into a file path.
Result<std::string> PercentDecode(std::string_view text);

/// The same with a plus for each space, as forms and queries are written
/// (application/x-www-form-urlencoded).
Result<std::string> FormDecode(std::string_view text);

/// The text with everything but letters, digits and -._~ escaped, so that it can stand as one path
/// segment, as the name or the value of a query, or in a form. PercentDecode and FormDecode
/// both read it back.
std::string PercentEncode(std::string_view text);

}  // namespace atrium::http
