// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <curl/curl.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/ip_network.h"
#include "egress/address_guard.h"
#include "egress/message.h"
#include "egress/url.h"

namespace atrium::egress {

/// The header lines of one response, all together, may not be longer.
inline constexpr std::size_t kHeaderBytesMax = std::size_t{64} << 10U;

/// What all calls of a client have in common.
struct TransferSettings {
  AddressGuard guard;
  std::string user_agent;
  std::string ca_bundle;
  std::string proxy;
};

/// One request to one URL: no redirects, no retries.
struct Hop {
  const OutgoingRequest& request;
  Url url;
  /// The only addresses to connect to. Without meaning when a proxy is set.
  std::vector<IpAddress> addresses;
  std::chrono::milliseconds timeout;
};

enum class Hope : std::uint8_t {
  kTransient,  ///< The same attempt may succeed later.
  kFinal,
};

struct TransferFailure {
  Error error;
  Hope hope;
};

using TransferOutcome = std::expected<OutgoingResponse, TransferFailure>;

/// Sends one request on `handle`, which is used by nobody else meanwhile, and reads the response.
///
/// Whatever a name resolves to, a socket is opened only to an address that is in `addresses` and
/// that the guard permits at that moment. A kept connection may be used again: it was opened under
/// the same guard.
TransferOutcome Transfer(CURL* handle, const TransferSettings& settings, const Hop& hop);

/// The failure of a call to `url` whose host has an address of a refused kind.
Error RefusedAddress(const Url& url, const IpAddress& address, std::string_view kind);

}  // namespace atrium::egress
