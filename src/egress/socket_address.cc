// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "egress/socket_address.h"

#include <netinet/in.h>
#include <sys/socket.h>

#include <cstring>
#include <optional>

#include "base/ip_network.h"

namespace atrium::egress {

std::optional<IpAddress> AddressOf(const sockaddr& address) {
  if (address.sa_family == AF_INET) {
    sockaddr_in v4{};
    std::memcpy(&v4, &address, sizeof v4);
    IpAddress::V4Bytes bytes{};
    std::memcpy(bytes.data(), &v4.sin_addr, bytes.size());
    return IpAddress(bytes);
  }
  if (address.sa_family == AF_INET6) {
    sockaddr_in6 v6{};
    std::memcpy(&v6, &address, sizeof v6);
    IpAddress::V6Bytes bytes{};
    std::memcpy(bytes.data(), &v6.sin6_addr, bytes.size());
    return IpAddress(bytes);
  }
  return std::nullopt;
}

}  // namespace atrium::egress
