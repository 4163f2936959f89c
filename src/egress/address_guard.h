// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "base/ip_network.h"

namespace atrium::egress {

/// Decides which addresses an outgoing connection may go to. Pure and immutable: any thread.
///
/// URLs come from people, so a call must not reach what only this machine can reach: itself, its
/// private network, the metadata service of its cloud. Every address without a place in the public
/// Internet is refused unless the administrator allowed the network it lies in.
///
/// IPv6 is judged the other way round: only 2000::/3 and the well-known NAT64 prefix are public,
/// and of those the special blocks are refused. Forms that carry an IPv4 address (mapped, NAT64,
/// 6to4) are judged by the address they carry.
class AddressGuard {
 public:
  explicit AddressGuard(std::vector<Network> allowed);

  /// Why a connection to `address` is refused, as a noun phrase ("a loopback address"); nullopt
  /// when it may be made.
  std::optional<std::string_view> FindObjection(const IpAddress& address) const;

 private:
  std::vector<Network> allowed_;
};

}  // namespace atrium::egress
