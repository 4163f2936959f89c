// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "base/result.h"

namespace atrium::http {

/// "Sun, 06 Nov 1994 08:49:37 GMT", the one form we send (RFC 9110 §5.6.7). Times outside the years
/// 0 to 9999 become the nearest that can be written.
std::string RenderHttpDate(std::chrono::sys_seconds time);

/// Reads the form above and the two obsolete ones, "Sunday, 06-Nov-94 08:49:37 GMT" and
/// "Sun Nov  6 08:49:37 1994".
///
/// kInvalidArgument for anything else, also for a day that does not exist or that was another day
/// of the week. Two-digit years from 70 are of the 1900s: a fixed border instead of the RFC's fifty
/// years from today, so that the answer does not depend on when it is asked.
Result<std::chrono::sys_seconds> ParseHttpDate(std::string_view text);

}  // namespace atrium::http
