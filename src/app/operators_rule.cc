// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/operators_rule.h"

#include <algorithm>

#include "http/host.h"

namespace atrium::app {
namespace {

bool IsLoopback(const IpAddress& address) {
  static const Network v4 = *ParseNetwork("127.0.0.0/8");
  static const Network v6 = *ParseNetwork("::1");
  return v4.Contains(address) || v6.Contains(address);
}

bool WasForwarded(const http::Request& request) {
  return request.headers.Find("X-Forwarded-For") || request.headers.Find("Forwarded");
}

/// No name leads elsewhere where none is looked up.
bool IsAddress(std::string_view bare_host) {
  return bare_host.starts_with('[') || ParseIpAddress(bare_host).has_value();
}

}  // namespace

bool OperatorsRule::KnowsHost(const http::Request& request) const {
  const std::string host = http::BareHost(request.host);
  return IsAddress(host) || host == "localhost" ||
         std::ranges::find(operators_.hosts, host) != operators_.hosts.end() ||
         (operators_.is_ours && operators_.is_ours(request));
}

Result<std::shared_ptr<const http::Principal>> OperatorsRule::Admit(
    const http::Request& request) const {
  if (request.origin == http::Origin::kControlSocket) {
    return {};
  }
  const bool inside = std::ranges::any_of(operators_.networks, [&](const Network& network) {
    return network.Contains(request.client);
  });
  if (!inside || (IsLoopback(request.client) && WasForwarded(request))) {
    return Fail(ErrorCode::kPermissionDenied, "only for those who run this server");
  }
  if (!KnowsHost(request)) {
    return Fail(ErrorCode::kPermissionDenied,
                "only for those who run this server, by a host name that it knows as its own");
  }
  return {};
}

}  // namespace atrium::app
