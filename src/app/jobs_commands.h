// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/catalog.h"
#include "app/command_line.h"
#include "app/config.h"
#include "app/store_commands.h"
#include "base/result.h"

namespace atrium::app {

/// Does what the command says: through the server that runs on the data folder, if one does, else
/// on the store itself, where a job is run by the command. A run that failed is not well.
Result<CommandOutput> PerformJobsCommand(const Config& config, const Catalog& catalog,
                                         const JobsCommand& command);

}  // namespace atrium::app
