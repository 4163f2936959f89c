// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/socket.h>

#include <optional>

#include "base/ip_network.h"

namespace atrium::egress {

/// The address inside a socket address of the system; nullopt when it is not one of IP.
std::optional<IpAddress> AddressOf(const sockaddr& address);

}  // namespace atrium::egress
