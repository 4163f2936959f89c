// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "base/clock.h"
#include "base/memory_budget.h"
#include "http/body_pace.h"
#include "http/fair_queue.h"
#include "http/input_buffer.h"
#include "http/request.h"
#include "http/request_parser.h"
#include "http/router.h"

namespace atrium::http {

/// Everything one request needs while it is served. Lent to a connection when bytes arrive and
/// taken back when it falls idle, so that ten thousand waiting connections own none.
struct Exchange {
  static constexpr std::size_t kBufferBytes = std::size_t{16} << 10;

  InputBuffer input;
  RequestParser::Head head;
  std::optional<RequestParser> parser;
  Request request;
  std::string body;
  /// Where memory for the body is taken from, in the name of whoever asks; known when it is needed.
  std::optional<MemoryBudget> memory;
  /// What the body takes of memory.
  MemoryLease body_memory;
  BodyPace pace;
  Match match;
  /// Whose work this is; known when the first of it is given to a worker.
  std::optional<WorkOwner> owner;
  /// Rendered replies on their way out.
  std::string out;

  std::string request_id;
  std::string client_text;
  /// What proxies said of the client, the host and the scheme; the request has views of it.
  std::array<std::string, 3> forwarded;
  SteadyInstant started;
  std::uint64_t bytes_in = 0;
  std::uint64_t bytes_out = 0;
  bool keep_alive = true;
  /// The head was a well-formed one; until then there are no headers to look at.
  bool understood = false;
  bool chunked_reply = false;

  /// Makes it ready for the next request on the same connection; unread input stays.
  void Reset(RequestParser::Limits limits) {
    parser.emplace(head, limits);
    Headers headers = std::move(request.headers);
    headers.clear();
    request = Request{.headers = std::move(headers)};
    memory.reset();
    DropBody();
    match = {};
    owner.reset();
    bytes_in = 0;
    bytes_out = 0;
    keep_alive = true;
    understood = false;
  }

  /// Nobody looks at the body any more. A small buffer is kept for the next one.
  void DropBody() {
    request.body = {};
    if (body.capacity() > kBufferBytes) {
      body = {};
    }
    body.clear();
    body_memory.Release();
  }

  /// Drops everything that came from a client.
  void Forget() {
    input.Consume(input.size());
    out.clear();
    DropBody();
    head = {};
    request = {};
    memory.reset();
    match = {};
    owner.reset();
    parser.reset();
    forwarded = {};
    client_text.clear();
  }

  /// Worth keeping for the next connection that wakes up.
  bool IsSmall() const {
    return input.Capacity() <= kBufferBytes && out.capacity() <= 2 * kBufferBytes &&
           body.capacity() <= kBufferBytes;
  }
};

}  // namespace atrium::http
