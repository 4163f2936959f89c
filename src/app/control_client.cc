// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/control_client.h"

#include <optional>
#include <string>
#include <utility>

#include "app/api_exchange.h"
#include "app/open_store.h"
#include "base/descriptor.h"
#include "base/result.h"
#include "http/control_socket.h"

namespace atrium::app {

Result<std::optional<ControlClient>> ControlClient::Find(const Config& config) {
  std::string path = ControlSocketPath(config);
  ASSIGN_OR_RETURN(const std::optional<Descriptor> socket, http::ConnectToControlSocket(path));
  return socket ? std::optional(ControlClient(std::move(path))) : std::nullopt;
}

}  // namespace atrium::app
