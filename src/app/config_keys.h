// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "app/config.h"
#include "app/config_values.h"

namespace atrium::app {

/// Who may see a value, and where it may be written.
enum class Sensitivity : std::uint8_t {
  kOpen,
  /// Never printed, not even in the message that refuses it, and taken from the environment alone:
  /// files are copied and command lines are seen by every user of the machine.
  kSecret,
};

/// One thing that can be set. Loading, the names of variables, `atrium config print` and
/// docs/configuration.md all come from this.
struct ConfigKey {
  /// "http.port": section and name; "data" has no section.
  std::string_view name;
  /// One sentence, or a few, for the reference.
  std::string_view description;
  ConfigValue::Shape shape;
  Sensitivity sensitivity = Sensitivity::kOpen;
  /// What a value, or each item of a list, must be; follows the word "expected".
  std::string expectation;
  /// Stores a value of the right shape. Answers the text that is not what is expected, if there is
  /// one, and then leaves `config` as it was.
  std::function<std::optional<std::string>(Config& config, const ConfigValue& value)> assign;
  std::function<ConfigValue(const Config& config)> render;
};

/// Every key, grouped by section, in the order of the reference.
std::span<const ConfigKey> ConfigKeys();

/// nullptr when there is no such key.
const ConfigKey* FindConfigKey(std::string_view name);

/// "http.request_rate" is ATRIUM_HTTP_REQUEST_RATE.
std::string VariableName(const ConfigKey& key);

/// "http" of "http.port"; empty for a key without section.
std::string_view SectionOf(std::string_view key);

/// "port" of "http.port".
std::string_view LeafOf(std::string_view key);

}  // namespace atrium::app
