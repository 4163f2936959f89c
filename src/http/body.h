// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "base/result.h"
#include "http/range.h"

namespace atrium::http {

struct Reply;

/// Takes a request body too large for memory, piece by piece.
///
/// The server calls Write in order and never twice at once, on a worker thread, while the next
/// piece is still on its way; then Finish once. When the client breaks off, or Write fails, the
/// sink is destroyed without Finish and must leave nothing behind.
class BodySink {
 public:
  virtual ~BodySink() = default;
  virtual Result<void> Write(std::span<const std::byte> piece) = 0;
  virtual Result<Reply> Finish() = 0;
};

/// A reply body made while it is sent. Next answers the next piece, nullopt at the end. An error
/// breaks the connection off, so that the client can tell it from a complete body.
class BodySource {
 public:
  virtual ~BodySource() = default;
  virtual Result<std::optional<std::string>> Next() = 0;

  /// How many bytes there will be in all, when that is known before the first: the client is told,
  /// and a source that gives more or fewer breaks the connection off.
  virtual std::optional<std::uint64_t> Length() const { return std::nullopt; }
  /// Asks a source of known length for this part of it and nothing else, before the first Next and
  /// on an I/O thread: to be noted, not done. False when it can only give the whole, which is then
  /// sent.
  virtual bool Narrow(const ByteRange& /*part*/) { return false; }
};

/// What a reply of server-sent events reads from.
class EventSource {
 public:
  /// Asks for another Next, from any thread, any number of times, also after the client has gone.
  using Wake = std::function<void()>;

  virtual ~EventSource() = default;
  /// The events that are ready, as text/event-stream lines (RenderEvent); empty when there are
  /// none. Called once at the start and again after `wake` was called, never twice at once, and
  /// only when what it gave before is on the wire: a slow client makes the source wait, not grow.
  /// nullopt ends the stream.
  virtual Result<std::optional<std::string>> Next(const Wake& wake) = 0;
};

/// Part of an open file. The descriptor is shared, so that a cache may keep it open.
struct FileSlice {
  std::shared_ptr<const int> descriptor{};
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
};

/// Opens for reading; closed with the last user. kNotFound when there is none.
Result<FileSlice> OpenFile(const std::string& path);

/// Bytes that outlive the server, such as files built into the binary.
struct StaticBytes {
  std::string_view bytes;
};

using Body = std::variant<std::string, StaticBytes, FileSlice, std::unique_ptr<BodySource>,
                          std::unique_ptr<EventSource>>;

/// One server-sent event: `id` and `name` may be empty, `text` may have several lines.
std::string RenderEvent(std::string_view id, std::string_view name, std::string_view text);

}  // namespace atrium::http
