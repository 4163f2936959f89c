// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/result.h"
#include "http/request.h"

namespace atrium::http {

// Why a socket ends, RFC 6455 §7.4.1. Rooms may use numbers from 4000 to 4999 for reasons of their
// own.
inline constexpr std::uint16_t kCloseNormal = 1000;
inline constexpr std::uint16_t kCloseGoingAway = 1001;
inline constexpr std::uint16_t kCloseProtocolError = 1002;
/// The other side gave no reason; never sent.
inline constexpr std::uint16_t kCloseNoReason = 1005;
inline constexpr std::uint16_t kCloseNotText = 1007;
inline constexpr std::uint16_t kCloseRefused = 1008;
inline constexpr std::uint16_t kCloseTooLong = 1009;
inline constexpr std::uint16_t kCloseInternal = 1011;
inline constexpr std::uint16_t kCloseTryLater = 1013;

/// One whole message, in either direction. Text is well-formed UTF-8.
struct SocketMessage {
  enum class Kind : std::uint8_t { kText, kBytes };

  Kind kind = Kind::kText;
  std::string payload{};
};

/// How a socket ends. The reason is for people who look for faults; what is longer than 123 bytes
/// is cut off.
struct SocketEnd {
  std::uint16_t code = kCloseNormal;
  std::string reason{};
};

/// What a session has to say now: some messages, perhaps none, and behind them perhaps the end.
struct SocketTurn {
  std::vector<SocketMessage> messages{};
  std::optional<SocketEnd> end{};
};

/// The domain's side of one WebSocket (RFC 6455), from the handshake to the end.
///
/// Its calls never overlap: on the I/O thread for a route of Work::kQuick, on worker threads for a
/// blocking one. It is destroyed when the socket has ended, however that came about. An error ends
/// the socket with a code that fits (EndFor) and, for what is our own fault, a line in the log.
class SocketSession {
 public:
  /// Asks for another Next, from any thread, any number of times, also after the client has gone.
  using Wake = std::function<void()>;

  virtual ~SocketSession() = default;

  /// The sub-protocol it speaks; the client is told when it offered that one. Empty for none.
  virtual std::string_view Protocol() const { return {}; }

  /// A message has arrived: whole, in order, no longer than `body_bytes_max` of the route. Called
  /// only while Next has nothing more to say, so that a client that asks and does not read waits,
  /// and no answers pile up.
  virtual Result<void> Receive(SocketMessage message) = 0;

  /// What is to be sent. Called at the start, after each Receive, after `wake`, and again when what
  /// it gave is on the wire, until it gives nothing: a slow client makes it wait, not grow.
  virtual Result<SocketTurn> Next(const Wake& wake) = 0;
};

/// Whether the client offered this sub-protocol in its handshake.
bool OffersProtocol(const Request& request, std::string_view protocol);

/// The one table from what went wrong to how a socket ends.
SocketEnd EndFor(const Error& error);

}  // namespace atrium::http
