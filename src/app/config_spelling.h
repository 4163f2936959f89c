// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace atrium::app {

/// `; did you mean "http.port"?` for a near miss of one of the known names, else nothing. The right
/// name in the wrong section counts as near.
std::string DidYouMean(std::string_view name, std::span<const std::string_view> known);

}  // namespace atrium::app
