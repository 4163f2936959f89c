// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace atrium::files {

/// Appends `text`, which is valid UTF-8, as the JSON string that clients write: everything as it is
/// but quotes, backslashes and control characters, with upper-case digits where those have no
/// letter. Ids depend on these bytes, so this is not base's AppendJsonString, whose digits are
/// lower case.
void AppendCanonicalString(std::string& out, std::string_view text);

}  // namespace atrium::files
