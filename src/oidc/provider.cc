// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "oidc/provider.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/ip_network.h"
#include "base/result.h"
#include "egress/url.h"

namespace atrium::oidc {
namespace {

constexpr std::size_t kUrlBytesMax = 2048;

bool IsLoopback(std::string_view host) {
  const Result<IpAddress> address = ParseIpAddress(host);
  if (!address) {
    return false;
  }
  constexpr std::uint8_t kLoopbackNetwork = 127;
  const IpAddress plain = address->Unmapped();
  return plain.IsV4() ? plain.Bytes()[0] == kLoopbackNetwork : Render(plain) == "::1";
}

bool IsScope(std::string_view scope) {
  // RFC 6749 §3.3: printable ASCII without space, quote and backslash.
  return !scope.empty() && std::ranges::all_of(scope, [](char c) {
    return c > ' ' && c < 0x7F && c != '"' && c != '\\';
  });
}

}  // namespace

Result<void> Validate(const Provider& provider) {
  RETURN_IF_ERROR(ValidateIssuer(provider.issuer));
  if (provider.client_id.empty()) {
    return Fail(ErrorCode::kInvalidArgument, "the provider needs a client id");
  }
  if (!std::ranges::all_of(provider.scopes, IsScope)) {
    return Fail(ErrorCode::kInvalidArgument, "a scope is empty or has characters it may not have");
  }
  if (std::ranges::find(provider.scopes, "openid") == provider.scopes.end()) {
    return Fail(ErrorCode::kInvalidArgument, "the scopes lack \"openid\"");
  }
  return {};
}

Result<void> ValidateIssuer(std::string_view issuer) {
  if (issuer.find('?') != std::string_view::npos) {
    return Fail(ErrorCode::kInvalidArgument, "issuer: the URL has a query");
  }
  return ValidateEndpoint("issuer", issuer);
}

Result<void> ValidateEndpoint(std::string_view what, std::string_view url) {
  if (url.size() > kUrlBytesMax) {
    return Fail(ErrorCode::kInvalidArgument, fmt::format("{}: the URL is too long", what));
  }
  if (url.find('#') != std::string_view::npos) {
    return Fail(ErrorCode::kInvalidArgument, fmt::format("{}: the URL has a fragment", what));
  }
  const Result<egress::Url> parsed = egress::ParseUrl(url);
  if (!parsed) {
    return While(what, parsed.error());
  }
  if (parsed->scheme != egress::Scheme::kHttps && !IsLoopback(parsed->host)) {
    return Fail(ErrorCode::kInvalidArgument, fmt::format("{}: the URL must be https", what));
  }
  return {};
}

}  // namespace atrium::oidc
