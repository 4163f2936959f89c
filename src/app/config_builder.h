// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/config.h"
#include "app/config_values.h"
#include "base/result.h"

namespace atrium::app {

/// A configuration and, for each key that was given, who set it: "atrium.yaml:12",
/// "ATRIUM_HTTP_PORT" or "--port".
struct EffectiveConfig {
  Config config;
  std::map<std::string, std::string, std::less<>> origins;
};

enum class ConfigSource : std::uint8_t { kFile, kEnvironment, kCommandLine };

/// Collects values from several sources, the last one winning, and every mistake in them.
class ConfigBuilder {
 public:
  /// Sets one key. An unknown key, a key given twice by one source, a secret where none belongs and
  /// a value that the key does not take become mistakes; `origin` tells the user where.
  void Assign(ConfigSource source, std::string_view origin, std::string_view name,
              const ConfigValue& value);

  /// Notes a mistake about one key.
  void RefuseKey(std::string_view origin, std::string_view name, std::string_view message);

  /// Notes any other mistake.
  void Refuse(std::string_view origin, std::string_view message);

  /// The checked whole, or kInvalidArgument with one line per mistake.
  Result<EffectiveConfig> Finish() &&;

 private:
  void RefuseUnknown(std::string_view origin, std::string_view name);
  /// Refuses a combination, at the place where `name` was set. Silent when it or `other` was
  /// already refused by itself: a second complaint would mislead.
  void RefuseTogether(std::string_view name, std::string_view other, std::string_view message);
  void CheckCombinations();
  void CheckMail();

  EffectiveConfig effective_;
  std::map<std::pair<ConfigSource, std::string>, std::string> given_;  // To origin.
  std::set<std::string, std::less<>> refused_;
  std::vector<std::string> mistakes_;
  std::size_t mistake_count_ = 0;  // More than are kept, when there are very many.
};

}  // namespace atrium::app
