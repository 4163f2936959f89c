// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "app/config.h"
#include "app/config_builder.h"
#include "base/result.h"

namespace atrium::app {

/// One value from the command line, such as `--set http.port=8080`.
struct ConfigOverride {
  std::string key;
  std::string value;
  /// How the user gave it ("--port"), for messages.
  std::string flag = "--set";
};

/// Where values come from, in rising order: file, environment, overrides.
struct ConfigSources {
  /// Must exist. Empty: the file that ATRIUM_CONFIG names, else `optional_file`.
  std::string file{};
  /// Read when it exists. Empty: none.
  std::string optional_file{};
  /// "NAME=value" as in environ. Names that do not begin with ATRIUM_ are passed over.
  std::vector<std::string> environment{};
  std::vector<ConfigOverride> overrides{};
};

/// The effective configuration. Refuses with kInvalidArgument, naming every mistake of every
/// source on a line of its own; kNotFound when a file that must exist does not.
Result<Config> LoadConfig(const ConfigSources& sources);

/// The same, with where each value came from.
Result<EffectiveConfig> LoadEffectiveConfig(const ConfigSources& sources);

}  // namespace atrium::app
