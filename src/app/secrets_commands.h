// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/catalog.h"
#include "app/command_line.h"
#include "app/config.h"
#include "app/store_commands.h"
#include "base/result.h"

namespace atrium::app {

/// Tells what the secrets of the server have sealed by asking the API, as PerformIdentityCommand()
/// does.
Result<CommandOutput> PerformSecretsCommand(const Config& config, const Catalog& catalog,
                                            const SecretsCommand& command);

}  // namespace atrium::app
