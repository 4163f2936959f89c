// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace atrium::egress {

enum class Scheme : std::uint8_t { kHttp, kHttps };

/// An absolute http or https URL, read and normalised by the same parser that will connect to it,
/// so that what was judged and what is called cannot be two different hosts.
struct Url {
  /// The whole, normalised: no fragment, no credentials, host in lower case.
  std::string text;
  Scheme scheme;
  /// A name, or an address without brackets.
  std::string host;
  std::uint16_t port;
};

/// Refuses with kInvalidArgument what is not an absolute http or https URL, one that carries a user
/// or a password, and one whose host has an IPv6 zone.
Result<Url> ParseUrl(std::string_view text);

/// Reads a reference as it stands in a Location header, relative to `base` (RFC 3986 §5).
/// Refuses what ParseUrl refuses.
Result<Url> ResolveReference(const Url& base, std::string_view reference);

/// Scheme, host and port are equal.
bool SameOrigin(const Url& a, const Url& b);

/// "https://example.org:443". For messages: a path or query may hold secrets and never reaches a
/// log.
std::string RenderOrigin(const Url& url);

}  // namespace atrium::egress
