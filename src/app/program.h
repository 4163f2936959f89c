// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <string>

#include "http/router.h"

namespace atrium::app {

/// Adds routes of its own before the server's own ones.
using RouteAdder = std::function<void(http::Router&)>;

/// The whole program: reads the command line, does what it says, answers the exit status.
/// `add_routes` is empty for the product; the laboratory of the tests adds its routes there.
int RunProgram(std::span<const std::string> words, const RouteAdder& add_routes);

}  // namespace atrium::app
