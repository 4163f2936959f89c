// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "http/body.h"
#include "http/conditional.h"

namespace atrium::http {

/// What a route answers. The server adds length, date, request id, security and CORS headers,
/// answers conditional requests from `etag` and `last_modified`, and cuts out ranges.
struct Reply {
  int status = 200;
  /// Outlives the server: a literal.
  std::string_view content_type = "application/json";
  Body body{};
  std::optional<ETag> etag{};
  std::optional<Instant> last_modified{};
  /// Anything else. Names and values must be valid header text; the server drops those that are
  /// not.
  std::vector<std::pair<std::string, std::string>> headers{};
  /// Outlives the server. Nothing but the caller may keep a reply unless its route says so.
  std::string_view cache_control = "no-store";
  /// Outlives the server. A reply that is a page names what it may load. One that our own pages may
  /// show in a frame ends with frame-ancestors 'self'.
  std::string_view content_security_policy = "default-src 'none'; frame-ancestors 'none'";
};

inline Reply JsonReply(std::string json, int status = 200) {
  return {.status = status, .body = std::move(json)};
}

inline Reply TextReply(std::string text, int status = 200) {
  return {.status = status, .content_type = "text/plain; charset=utf-8", .body = std::move(text)};
}

/// 204 No Content.
inline Reply EmptyReply() {
  return {.status = 204, .content_type = {}};
}

}  // namespace atrium::http
