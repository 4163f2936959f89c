// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

#include "base/log.h"
#include "http/guarded.h"
#include "http/socket_conversation.h"

namespace atrium::http {
namespace {

/// What is taken from the socket in one go before other connections have their turn.
constexpr std::size_t kReadBytes = std::size_t{16} << 10;
/// What a transport that cannot wait without a buffer is given: that is what it costs idle.
constexpr std::size_t kSmallReadBytes = 4096;
/// Between two looks at a message that has been arriving for long.
constexpr std::chrono::seconds kSlowCheckEvery{1};

SteadyInstant Now() {
  return std::chrono::steady_clock::now();
}

}  // namespace

// Listening.

Awaitable<void> SocketConversation::Listen([[maybe_unused]] std::shared_ptr<const void> owner) {
  try {
    co_await ListenToTheEnd();
  } catch (...) {
    log::Error("socket ended by an exception",
               {{"request_id", ground_.request_id}, {"error", Describe(CaughtError())}});
  }
  listener_done_ = true;
  activity_.Set();
}

Awaitable<void> SocketConversation::ListenToTheEnd() {
  for (;;) {
    while (message_ready_ && listening_) {
      co_await taken_.Wait();
    }
    if (!listening_) {
      break;
    }
    if (!rest_.empty()) {
      rest_.Consume(Understand(rest_.Unread()));
      if (rest_.empty()) {
        rest_ = {};
      }
      activity_.Set();
    } else if (!co_await ReadSome()) {
      break;
    }
  }
}

Awaitable<bool> SocketConversation::ReadSome() {
  if (ground_.can_wait) {
    co_return co_await ground_.transport.WaitReadable() && TakeAvailable();
  }
  room_.resize(kSmallReadBytes);
  const Moved moved = co_await ground_.transport.Read(room_);
  if (moved.ok) {
    Hear({room_.data(), moved.bytes});
  }
  co_return moved.ok;
}

bool SocketConversation::TakeAvailable() {
  std::array<char, kReadBytes> room;
  const Moved moved = ground_.transport.TryRead(room);
  if (moved.bytes > 0) {
    Hear({room.data(), moved.bytes});
  }
  return moved.ok;
}

void SocketConversation::Hear(std::string_view bytes) {
  heard_ = Now();
  pinged_ = false;
  bytes_in_ += bytes.size();
  rest_.Append(bytes.substr(Understand(bytes)));
  activity_.Set();
}

/// Answers how many of the bytes were used: all of them, unless a message must be taken first.
std::size_t SocketConversation::Understand(std::string_view bytes) {
  const std::size_t size = bytes.size();
  while (!bytes.empty() && listening_ && !message_ready_) {
    React(frames_.Read(bytes));
  }
  if (!frames_.Unfinished()) {
    message_began_ = SteadyInstant::max();
  } else if (message_began_ == SteadyInstant::max()) {
    message_began_ = heard_;
    message_began_at_ = bytes_in_;
    Rearm();
  }
  return size - bytes.size();
}

void SocketConversation::React(FrameReader::Event event) {
  switch (event) {
    case FrameReader::Event::kNeedMore:
    case FrameReader::Event::kPong:
      return;
    case FrameReader::Event::kMessage:
      message_began_ = SteadyInstant::max();
      if (closing_) {
        frames_.TakeMessage();
      } else {
        message_ready_ = true;
      }
      return;
    case FrameReader::Event::kPing:
      // Only the last of several needs an answer, RFC 6455 §5.5.3.
      pong_ = frames_.ControlPayload();
      return;
    case FrameReader::Event::kFault:
      left_unread_ = true;
      [[fallthrough]];
    case FrameReader::Event::kClose:
      listening_ = false;
      Leave(frames_.End());
      return;
  }
}

/// Last in its caller: what it wakes may be the end of the conversation.
void SocketConversation::StopListening() {
  listening_ = false;
  ground_.deadline = SteadyInstant::max();
  ground_.transport.Cancel();
  taken_.Set();
}

// Time.

void SocketConversation::Interrupt(LiveConnection::Interruption why) {
  if (why == LiveConnection::Interruption::kDrain) {
    Leave({.code = kCloseGoingAway, .reason = "the server is stopping"});
  } else if (why == LiveConnection::Interruption::kDismiss) {
    Leave({.code = kCloseRefused, .reason = "sign in again: the credential is not valid"});
  } else if (!MayGoOn(Now())) {
    StopListening();
    return;
  }
  activity_.Set();
}

void SocketConversation::Rearm() {
  SteadyInstant next = closing_until_;
  if (!closing_) {
    next = heard_ + (pinged_ ? 2 : 1) * Limits().heartbeat;
  }
  if (writing_) {
    next = std::min(next, write_began_ + Limits().write_timeout);
  }
  if (!closing_ && message_began_ != SteadyInstant::max()) {
    next = std::min(next, std::max(message_began_ + Limits().body_timeout,
                                   SteadyInstant(Now() + kSlowCheckEvery)));
  }
  ground_.deadline = next;
}

/// At the deadline: false when the client has used up its time.
bool SocketConversation::MayGoOn(SteadyInstant now) {
  if (now >= closing_until_) {
    return false;
  }
  const bool stuck = writing_ && now - write_began_ >= Limits().write_timeout;
  if (stuck || (!closing_ && TooSilent(now))) {
    ground_.io.Metrics().timeouts.Add(1);
    return false;
  }
  if (!closing_ && TooSlow(now)) {
    ground_.io.Metrics().timeouts.Add(1);
    Leave({.code = kCloseRefused, .reason = "the message did not arrive in time"});
  }
  Rearm();
  return true;
}

/// After a heartbeat of silence the client is asked for a sign of life; after two it is gone.
bool SocketConversation::TooSilent(SteadyInstant now) {
  const auto silence = now - heard_;
  if (silence < Limits().heartbeat) {
    return false;
  }
  if (message_ready_ || writing_) {
    // It is we who do not listen, or the client who does not read: that has a limit of its own.
    heard_ = now;
    return false;
  }
  if (!pinged_) {
    pinged_ = true;
    ping_due_ = true;
    untaken_bytes_ = ground_.transport.Untaken();
    return false;
  }
  if (silence < 2 * Limits().heartbeat) {
    return false;
  }
  if (!TakesBytes()) {
    return true;
  }
  heard_ = now - Limits().heartbeat;
  return false;
}

/// Behind a slow link the ping may stand in a long queue; while that grows shorter, somebody is
/// there.
bool SocketConversation::TakesBytes() {
  const std::size_t untaken = ground_.transport.Untaken();
  return untaken < std::exchange(untaken_bytes_, untaken);
}

bool SocketConversation::TooSlow(SteadyInstant now) const {
  if (message_began_ == SteadyInstant::max()) {
    return false;
  }
  const std::chrono::duration<double> passed = now - message_began_;
  return passed >= Limits().body_timeout &&
         static_cast<double>(bytes_in_ - message_began_at_) <
             passed.count() * static_cast<double>(Limits().body_bytes_per_second_min);
}

}  // namespace atrium::http
