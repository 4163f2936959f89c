// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "http/reply.h"
#include "http/request.h"

namespace atrium::http {

/// Why a request cannot become a WebSocket (RFC 6455 §4.2.1): 426 for one that does not ask for
/// that or asks for another version, 400 for a broken key. nullopt when it can.
std::optional<Reply> HandshakeFault(const Request& request, bool http_1_1);

/// What proves to a client that its handshake was understood.
std::string AcceptOf(std::string_view key);

/// Appends the reply after which the connection is a socket. `protocol` is named when the client
/// offered it. No extension is ever agreed on.
void AppendSwitch(std::string& out, const Request& request, std::string_view protocol);

}  // namespace atrium::http
