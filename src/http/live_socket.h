// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "base/clock.h"
#include "http/router.h"
#include "http/socket_conversation.h"

namespace atrium::http {

/// What a connection keeps while it is a socket, in place of an exchange.
struct LiveSocket {
  /// What the log wants to know of a request that is long forgotten when its socket ends.
  struct Origin {
    const Endpoint& endpoint;
    std::string client{};
    std::string path{};
    std::string agent{};
    SteadyInstant started{};
    std::uint64_t bytes_in = 0;
  };

  Origin origin;
  SocketConversation::Opening opening;
  SocketConversation conversation;
};

}  // namespace atrium::http
