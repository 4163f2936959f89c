// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "http/body.h"
#include "http/reply.h"
#include "http/request.h"

namespace atrium::http {

/// What the head of a reply depends on beside the reply itself.
struct ReplyContext {
  const Request& request;
  /// Whole header line, with its line end.
  std::string_view date_line;
  /// Allowed origin to name, or empty.
  std::string_view cors_origin{};
  /// Other origins get another answer, which caches must know.
  bool vary_by_origin = false;
  bool http_1_1 = true;
  bool keep_alive = true;
  /// False when the request never became a valid one: conditions and ranges are not looked at.
  bool understood = true;
};

/// What follows the head: nothing, some pieces of known length, or a stream.
struct ReplyTail {
  using Piece = std::variant<std::string, StaticBytes, FileSlice>;

  std::vector<Piece> pieces{};
  std::unique_ptr<BodySource> source{};
  /// How many bytes the client was told that `source` gives.
  std::optional<std::uint64_t> source_bytes{};
  std::unique_ptr<EventSource> events{};
  /// Streams of unknown length are sent in chunks, or to HTTP/1.0 clients until the connection
  /// closes.
  bool chunked = false;
  bool keep_alive = true;
  /// As sent, after conditions and ranges were looked at.
  int status = 0;
};

/// Appends the head of the reply to `out`, and its body when that is short and at hand; answers
/// what is left to send. Here HEAD loses its body, conditional requests become 304 or 412, ranges
/// become 206 or 416.
ReplyTail AppendReply(std::string& out, Reply reply, const ReplyContext& context);

}  // namespace atrium::http
