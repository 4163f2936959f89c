// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace atrium::icalendar {

/// Appends a content line with its end. It is folded where it has more than 75 bytes (RFC 5545
/// §3.1), never within a character.
void AppendLine(std::string& out, std::string_view line);

}  // namespace atrium::icalendar
