// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "app/catalog.h"
#include "app/command_line.h"
#include "app/config.h"
#include "base/result.h"

namespace atrium::app {

/// What a command has to say, and whether all is well: a verification that found something is not
/// an error of the command.
struct CommandOutput {
  std::string text;
  bool well = true;
};

/// Does what the command says: through the server that runs on the data folder, if one does, else
/// on the store itself.
Result<CommandOutput> PerformStoreCommand(const Config& config, const Catalog& catalog,
                                          const StoreCommand& command);

}  // namespace atrium::app
