// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/forwarded.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "base/ip_network.h"
#include "base/result.h"
#include "http/grammar.h"
#include "http/headers.h"
#include "http/host.h"
#include "http/request.h"

namespace atrium::http {
namespace {

/// Longer than any chain of proxies, and than any name a host can have (RFC 1035 §2.3.4).
constexpr std::size_t kHopsMax = 64;

bool IsTrusted(const IpAddress& address, std::span<const Network> trusted) {
  return std::ranges::any_of(
      trusted, [&address](const Network& network) { return network.Contains(address); });
}

/// Takes what stands behind the last comma off the back of `rest`, trimmed.
std::string_view TakeLast(std::string_view& rest) {
  const std::size_t comma = rest.rfind(',');
  const std::string_view last = comma == std::string_view::npos ? rest : rest.substr(comma + 1);
  rest = comma == std::string_view::npos ? std::string_view() : rest.substr(0, comma);
  return TrimSpace(last);
}

/// The element `hops` places from the right, counting from one; the leftmost of a shorter list.
std::string_view FromRight(std::string_view list, std::size_t hops) {
  std::string_view element = TakeLast(list);
  for (std::size_t hop = 1; hop < hops && !list.empty(); ++hop) {
    element = TakeLast(list);
  }
  return element;
}

/// Without the port some proxies add: "192.0.2.1:5555", "[2001:db8::1]:5555".
std::string_view WithoutPort(std::string_view element) {
  if (element.starts_with('[')) {
    const std::size_t close = element.find(']');
    if (close == std::string_view::npos) {
      return element;
    }
    const std::string_view behind = element.substr(close + 1);
    const bool proper =
        behind.empty() || (behind.starts_with(':') && ParseDigits(behind.substr(1)));
    return proper ? element.substr(1, close - 1) : element;
  }
  const std::size_t colon = element.find(':');
  const bool has_port = colon != std::string_view::npos && colon == element.rfind(':') &&
                        ParseDigits(element.substr(colon + 1));
  return has_port ? element.substr(0, colon) : element;
}

std::optional<Scheme> ParseScheme(std::string_view text) {
  if (EqualsIgnoringCase(text, "https")) {
    return Scheme::kHttps;
  }
  if (EqualsIgnoringCase(text, "http")) {
    return Scheme::kHttp;
  }
  return std::nullopt;
}

std::optional<std::string_view> ParseHost(std::string_view text) {
  return IsHostAndPort(text) ? std::optional(text) : std::nullopt;
}

}  // namespace

ForwardedOrigin ResolveForwarded(const IpAddress& peer, std::span<const Network> trusted,
                                 const ForwardedHeaders& headers) {
  IpAddress client = peer.Unmapped();
  std::string_view rest = headers.forwarded_for;
  std::size_t hops = 0;
  while (hops < kHopsMax && IsTrusted(client, trusted)) {
    ++hops;
    const Result<IpAddress> next = ParseIpAddress(WithoutPort(TakeLast(rest)));
    if (!next) {
      break;
    }
    client = next->Unmapped();
  }
  if (hops == 0) {
    return {.client = client};
  }
  return {.client = client,
          .scheme = ParseScheme(FromRight(headers.forwarded_proto, hops)),
          .host = ParseHost(FromRight(headers.forwarded_host, hops))};
}

}  // namespace atrium::http
