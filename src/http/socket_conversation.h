// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "http/awaitable.h"
#include "http/event_waker.h"
#include "http/fair_queue.h"
#include "http/input_buffer.h"
#include "http/io_thread.h"
#include "http/route.h"
#include "http/socket.h"
#include "http/socket_frames.h"
#include "http/transport.h"

namespace atrium::http {

/// Leads one WebSocket from behind its handshake to its end. Belongs to the I/O thread.
///
/// Two coroutines share it. One listens: it understands frames as they arrive and stops at a
/// message the session has not taken yet. The other speaks: it alone writes, and it alone asks the
/// session. So a ping is answered while a worker thinks, a client that does not read is not served
/// further, and of what arrives there are at most two messages in memory.
class SocketConversation {
 public:
  /// Everything outlives the conversation.
  struct Ground {
    IoThread& io;
    Transport& transport;
    /// Of the connection: when to call Interrupt.
    SteadyInstant& deadline;
    const Route& route;
    WorkOwner owner{};
    /// Whether the transport can wait without a buffer.
    bool can_wait = false;
    std::string request_id{};
  };

  SocketConversation(Ground ground, std::unique_ptr<SocketSession> session);
  SocketConversation(const SocketConversation&) = delete;
  SocketConversation& operator=(const SocketConversation&) = delete;
  ~SocketConversation();

  struct Opening {
    /// Our part of the handshake, to be sent.
    std::string reply{};
    /// What the client sent right behind its own.
    std::string arrived{};
  };

  /// Until the end; `owner` owns the conversation. Nothing waits on the transport any more when it
  /// returns.
  Awaitable<void> Run(std::shared_ptr<const void> owner, Opening opening);

  /// The conversation, and its owner with it, may be gone when this returns.
  void Interrupt(LiveConnection::Interruption why);

  std::string_view RequestId() const { return ground_.request_id; }
  std::uint64_t BytesIn() const { return bytes_in_; }
  std::uint64_t BytesOut() const { return bytes_out_; }
  /// The client may still be sending, and must be listened to lest it lose our last words.
  bool LeftUnread() const { return left_unread_; }

 private:
  const ServerOptions& Limits() const { return ground_.io.Shared().options; }

  // socket_conversation_hear.cc: listening.
  Awaitable<void> Listen(std::shared_ptr<const void> owner);
  Awaitable<void> ListenToTheEnd();
  Awaitable<bool> ReadSome();
  bool TakeAvailable();
  void Hear(std::string_view bytes);
  std::size_t Understand(std::string_view bytes);
  void React(FrameReader::Event event);
  void StopListening();

  // socket_conversation.cc: speaking.
  Awaitable<bool> Step();
  Awaitable<bool> Write(std::string_view bytes);
  void AppendControl(std::string& out);
  Awaitable<bool> SendControl();
  Awaitable<bool> SendTurn();
  Awaitable<bool> SendMessage(const SocketMessage& message, std::string& out);
  Awaitable<void> SayGoodbye();
  Awaitable<void> Finish();

  // socket_conversation.cc: the session.
  void Ask();
  Result<SocketTurn> TakeTurn();
  void Settle(Result<SocketTurn> outcome);
  void Leave(SocketEnd end);

  // socket_conversation_hear.cc: time.
  void Rearm();
  bool MayGoOn(SteadyInstant now);
  bool TooSilent(SteadyInstant now);
  bool TakesBytes();
  bool TooSlow(SteadyInstant now) const;

  const Ground ground_;
  std::unique_ptr<SocketSession> session_;
  std::shared_ptr<EventWaker> waker_;
  const SocketSession::Wake wake_;
  FrameReader frames_;
  /// Something below has changed.
  Signal activity_;
  /// The session took the message that was ready.
  Signal taken_;

  // Listening.
  bool listening_ = true;
  bool listener_done_ = false;
  bool message_ready_ = false;
  bool left_unread_ = false;
  /// Behind a message that is ready; empty else.
  InputBuffer rest_;
  /// Where a transport reads that cannot wait without a buffer.
  std::vector<char> room_;

  // To be said, what matters most first.
  std::optional<std::string> pong_;
  bool ping_due_ = false;
  std::optional<SocketEnd> end_;
  std::optional<SocketTurn> turn_;
  bool ask_ = true;

  // The session at work: only its thread may touch these while busy_.
  bool busy_ = false;
  std::optional<SocketMessage> at_work_;
  std::optional<Result<SocketTurn>> outcome_;

  bool writing_ = false;
  bool closing_ = false;
  bool pinged_ = false;
  /// When it was last looked at.
  std::size_t untaken_bytes_ = 0;
  SteadyInstant heard_;
  SteadyInstant write_began_;
  SteadyInstant closing_until_ = SteadyInstant::max();
  SteadyInstant message_began_ = SteadyInstant::max();
  std::uint64_t message_began_at_ = 0;
  std::uint64_t bytes_in_ = 0;
  std::uint64_t bytes_out_ = 0;
};

}  // namespace atrium::http
