// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/catalog.h"
#include "app/command_line.h"
#include "app/config.h"
#include "app/store_commands.h"
#include "base/result.h"

namespace atrium::app {

/// Does what the command says by asking the API, as PerformIdentityCommand() does.
Result<CommandOutput> PerformLettersCommand(const Config& config, const Catalog& catalog,
                                            const LettersCommand& command);

}  // namespace atrium::app
