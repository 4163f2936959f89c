// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace atrium::icalendar {

/// "#1e90ff", always in this form, from a name of CSS ("DodgerBlue") or from "#19f", "#1E90FF" or
/// "#1E90FFCC", whose opacity is dropped. nullopt for anything else.
std::optional<std::string> ParseColor(std::string_view text);

/// The name of CSS that looks most like a colour in the form "#1e90ff": COLOR takes only names.
std::string_view NearestColorName(std::string_view color);

}  // namespace atrium::icalendar
