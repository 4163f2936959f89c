// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "app/config.h"
#include "base/result.h"

namespace atrium::app {

class ConfigBuilder;

/// The configuration that this text alone makes: defaults where it says nothing.
///
/// Refuses with kInvalidArgument and one line per mistake, all of them at once:
/// `atrium.yaml:12: http.port: expected a whole number from 1 to 65535, got "eighty"`.
/// Safe on hostile text: its size and depth are bounded, and aliases are refused unexpanded.
Result<Config> ParseConfigText(std::string_view yaml, std::string_view file_name);

/// Hands every value of the text to `builder`, and every mistake too. For LoadConfig, which has
/// more sources to read before the whole can be judged.
void ReadConfigText(std::string_view yaml, std::string_view file_name, ConfigBuilder& builder);

}  // namespace atrium::app
