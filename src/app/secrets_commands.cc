// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/secrets_commands.h"

#include <memory>

#include "app/api_answers.h"
#include "app/api_door.h"

namespace atrium::app {

Result<CommandOutput> PerformSecretsCommand(const Config& config, const Catalog& /*catalog*/,
                                            const SecretsCommand& command) {
  ASSIGN_OR_RETURN(const std::unique_ptr<ApiDoor> door,
                   OpenApiDoor(config, command.access, NoStore::kRefuse));
  ASSIGN_OR_RETURN(const ApiReply reply, door->Ask({.target = "/api/admin/secrets"}));
  return PrintDocument(reply, command.format);
}

}  // namespace atrium::app
