// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "app/config_builder.h"

namespace atrium::app {

/// Every key with its value, as YAML that ParseConfigText reads back to the same values, each line
/// with a comment that says where the value came from. Secrets are masked and commented out.
std::string RenderConfig(const EffectiveConfig& effective);

/// Every key with its meaning, for a terminal.
std::string RenderConfigKeys();

/// docs/configuration.md.
std::string RenderConfigReference();

}  // namespace atrium::app
