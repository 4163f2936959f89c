// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/forwarded.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "base/check.h"
#include "base/ip_network.h"
#include "fuzz/fuzzing.h"
#include "http/grammar.h"

namespace atrium::fuzz {
namespace {

using http::ForwardedHeaders;
using http::ForwardedOrigin;

const std::array<Network, 2>& Trusted() {
  static const std::array<Network, 2> networks = {ParseNetwork("10.0.0.0/8").value(),
                                                  ParseNetwork("fd00::/8").value()};
  return networks;
}

bool IsTrusted(const IpAddress& address) {
  return std::ranges::any_of(Trusted(),
                             [&](const Network& network) { return network.Contains(address); });
}

ForwardedOrigin From(std::string_view peer, const ForwardedHeaders& headers) {
  return http::ResolveForwarded(ParseIpAddress(peer).value(), Trusted(), headers);
}

}  // namespace

/// One line each: X-Forwarded-For, X-Forwarded-Proto, X-Forwarded-Host.
void TryInput(std::string_view input) {
  std::string_view rest = input;
  ForwardedHeaders headers;
  headers.forwarded_for = TakeLine(rest);
  headers.forwarded_proto = TakeLine(rest);
  headers.forwarded_host = rest;

  const ForwardedOrigin untrusted = From("192.0.2.1", headers);
  Check(untrusted == From("192.0.2.1", {}), "an untrusted peer is taken at its address");

  const ForwardedOrigin origin = From("10.0.0.1", headers);
  Check(origin.client == origin.client.Unmapped(), "clients are unmapped");
  Check(!origin.host ||
            (!origin.host->empty() && !std::ranges::any_of(*origin.host, http::IsControl)),
        "hosts hold no control characters");

  const std::string appended = std::string(headers.forwarded_for) + ", 192.0.2.1";
  Check(Render(From("10.0.0.1", {.forwarded_for = appended}).client) == "192.0.2.1",
        "what the nearest proxy saw wins over whatever came before");
  if (!IsTrusted(origin.client)) {
    const std::string prepended = "192.0.2.9, " + std::string(headers.forwarded_for);
    Check(From("10.0.0.1", {.forwarded_for = prepended}).client == origin.client,
          "what a client makes up changes nothing");
  }
}

}  // namespace atrium::fuzz
