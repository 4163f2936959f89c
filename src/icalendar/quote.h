// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace atrium::icalendar {

/// Text of a file as a message to people may repeat it: one short line of valid UTF-8, in which an
/// ellipsis says that there was more. What cannot be shown becomes a question mark.
std::string Shown(std::string_view text);

}  // namespace atrium::icalendar
