// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace atrium::egress {

struct Header {
  std::string name;
  std::string value;
};

/// Whether a request whose fate is unknown may be sent again.
enum class Repeat : std::uint8_t {
  kIfIdempotent,  ///< By its method (RFC 9110 §9.2.2 and the reading methods of WebDAV).
  kAllowed,       ///< The receiver recognises repetitions: by an idempotency key, for example.
  kNever,
};

/// How failures that may pass are met: refused or broken connections and the statuses 429, 502, 503
/// and 504. Waits double from `first_wait` to `wait_max`, each scaled by a random fraction, and are
/// never shorter than the Retry-After of the response.
struct RetryPolicy {
  unsigned attempts_max = 3;
  std::chrono::milliseconds first_wait{200};
  std::chrono::milliseconds wait_max{10'000};
  Repeat repeat = Repeat::kIfIdempotent;
};

/// How slow a response may be: less than that on average over `patience` is given up, however much
/// of the time-out is left. No bytes: as slow as it likes.
struct SlowestPace {
  std::size_t bytes_per_second = 0;
  std::chrono::seconds patience{10};
};

/// One call to another server. The defaults suit a small API call.
struct OutgoingRequest {
  std::string method = "GET";
  /// Absolute, http or https, without credentials.
  std::string url{};
  /// Authorization, Proxy-Authorization and Cookie are treated as secret wherever they stand. What
  /// frames the message (Host, Content-Length, Connection, ...) is ours to write and is refused.
  std::vector<Header> headers{};
  /// Sent to the origin of `url` alone: dropped when a redirect leads to another one.
  std::vector<Header> secret_headers{};
  std::string body{};
  /// For everything together: name look-ups, redirects, retries and the waits between them.
  std::chrono::milliseconds timeout{30'000};
  /// For each connection, including its TLS handshake.
  std::chrono::milliseconds connect_timeout{5'000};
  SlowestPace slowest{};
  std::size_t response_bytes_max = std::size_t{1} << 20U;
  /// 0 answers a redirect as it came.
  unsigned redirects_max = 0;
  RetryPolicy retry{};
  /// Takes the body of a success piece by piece, as it comes, instead of OutgoingResponse::body;
  /// its length is not bounded then. For requests that are sent once: attempts_max is 1.
  std::function<void(std::string_view)> receive{};
  /// Ends the call with kUnavailable, within about a second of the stop request.
  std::stop_token stop{};
};

struct OutgoingResponse {
  int status = 0;
  std::vector<Header> headers{};
  std::string body{};
  /// The URL that answered, after redirects.
  std::string effective_url{};

  /// The first header of that name, in any case of letters.
  std::optional<std::string_view> FindHeader(std::string_view name) const;
};

/// Compares header names, which have no case.
bool SameHeaderName(std::string_view a, std::string_view b);

/// Refuses with kInvalidArgument what would not be sent as it stands: a method or a header name
/// that is no token, a value with control characters, a header that is ours to write, no time, no
/// attempts. The URL is judged by ParseUrl.
Result<void> Validate(const OutgoingRequest& request);

}  // namespace atrium::egress
