// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "base/ip_network.h"
#include "http/request.h"

namespace atrium::http {

/// What proxies say they were asked, each header as sent; empty where there was none. When a header
/// came on several lines, they are to be joined with commas in the order they came: some proxies
/// add a line of their own behind one that the client made up.
struct ForwardedHeaders {
  std::string_view forwarded_for = {};    ///< X-Forwarded-For
  std::string_view forwarded_proto = {};  ///< X-Forwarded-Proto
  std::string_view forwarded_host = {};   ///< X-Forwarded-Host
};

/// Where a request really came from.
struct ForwardedOrigin {
  /// Never an IPv4-mapped one.
  IpAddress client;
  /// nullopt where no trusted proxy said anything of use: what our own socket says then holds.
  std::optional<Scheme> scheme = {};
  /// Host, perhaps with a port, as IsHostAndPort() has it. A view into the header.
  std::optional<std::string_view> host = {};

  bool operator==(const ForwardedOrigin&) const = default;
};

/// Looks through the trusted proxies at the one who asked.
///
/// Each proxy appends to X-Forwarded-For the address it was called from. So the list is read from
/// its right end, as long as the address at hand is trusted; the first that is not is the client,
/// whatever stands left of it: that is what the client made up. What is not an address ends the
/// walk at the proxy that sent it. Scheme and host are taken from the proxy the walk ended at; of a
/// shorter list, from its leftmost.
///
/// From a peer that is not trusted, all three headers are ignored.
ForwardedOrigin ResolveForwarded(const IpAddress& peer, std::span<const Network> trusted,
                                 const ForwardedHeaders& headers);

}  // namespace atrium::http
