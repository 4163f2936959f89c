// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/socket_conversation.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <chrono>
#include <utility>

#include "base/log.h"
#include "http/guarded.h"
#include "http/status.h"

namespace atrium::http {
namespace {

/// Messages up to here are copied behind their heads, so that several leave together.
constexpr std::size_t kCopyBytesMax = std::size_t{16} << 10;
/// How long the other side may take to answer that we close.
constexpr std::chrono::seconds kCloseWait{2};

SteadyInstant Now() {
  return std::chrono::steady_clock::now();
}

Opcode OpcodeOf(SocketMessage::Kind kind) {
  return kind == SocketMessage::Kind::kText ? Opcode::kText : Opcode::kBytes;
}

}  // namespace

SocketConversation::SocketConversation(Ground ground, std::unique_ptr<SocketSession> session)
    : ground_(std::move(ground)),
      session_(std::move(session)),
      waker_(std::make_shared<EventWaker>(ground_.io.Context(),
                                          [this] {
                                            ask_ = true;
                                            activity_.Set();
                                          })),
      wake_([waker = waker_] { waker->Wake(); }),
      frames_(ground_.route.body_bytes_max),
      heard_(Now()) {
  ground_.io.Metrics().sockets_open.Add(1);
}

SocketConversation::~SocketConversation() {
  waker_->Detach();
  ground_.io.Metrics().sockets_open.Subtract(1);
}

Awaitable<void> SocketConversation::Run(std::shared_ptr<const void> owner, Opening opening) {
  rest_.Append(opening.arrived);
  bytes_in_ += opening.arrived.size();
  if (ground_.io.Shared().draining.load(std::memory_order_relaxed)) {
    Leave({.code = kCloseGoingAway, .reason = "the server is stopping"});
  }
  Rearm();
  boost::asio::co_spawn(ground_.io.Context().get_executor(), Listen(std::move(owner)),
                        boost::asio::detached);
  bool going_on = co_await Write(opening.reply);
  opening = {};
  while (going_on) {
    going_on = co_await Step();
  }
  co_await Finish();
}

/// Says or asks one thing, or waits until there is one. False at the end.
Awaitable<bool> SocketConversation::Step() {
  if (listener_done_ && !end_) {
    co_return false;  // The client has gone without a word.
  }
  if (pong_ || ping_due_) {
    co_return co_await SendControl();
  }
  if (end_) {
    co_await SayGoodbye();
    co_return false;
  }
  if (turn_) {
    co_return co_await SendTurn();
  }
  if (!busy_ && (ask_ || message_ready_)) {
    Ask();
  } else {
    co_await activity_.Wait();
  }
  co_return true;
}

/// Waits for whoever still uses the conversation, so that it may go.
Awaitable<void> SocketConversation::Finish() {
  StopListening();
  while (!listener_done_ || busy_) {
    co_await activity_.Wait();
  }
  waker_->Detach();
  if (ground_.route.work == Work::kBlocking) {
    // What it cleans up may block, too.
    ground_.io.Shared().pool.Continue(
        ground_.owner, [session = std::move(session_)]() mutable { session.reset(); });
  }
  session_.reset();
}

// Speaking.

Awaitable<bool> SocketConversation::Write(std::string_view bytes) {
  bool sent = true;
  writing_ = true;
  while (sent && !bytes.empty()) {
    write_began_ = Now();
    Rearm();
    const Moved moved = co_await ground_.transport.WriteSome(bytes);
    sent = moved.ok;
    bytes_out_ += moved.bytes;
    bytes.remove_prefix(moved.bytes);
  }
  writing_ = false;
  co_return sent;
}

void SocketConversation::AppendControl(std::string& out) {
  if (const auto pong = std::exchange(pong_, std::nullopt)) {
    AppendFrame(out, Opcode::kPong, *pong);
  }
  if (std::exchange(ping_due_, false)) {
    AppendFrame(out, Opcode::kPing, {});
  }
}

Awaitable<bool> SocketConversation::SendControl() {
  std::string out;
  AppendControl(out);
  co_return co_await Write(out);
}

Awaitable<bool> SocketConversation::SendTurn() {
  SocketTurn turn = std::move(*turn_);
  turn_.reset();
  std::string out;
  for (const SocketMessage& message : turn.messages) {
    if (end_) {
      co_return true;
    }
    if (!co_await SendMessage(message, out)) {
      co_return false;
    }
  }
  if (!out.empty() && !co_await Write(out)) {
    co_return false;
  }
  // There may be more where these came from.
  ask_ = true;
  if (turn.end) {
    Leave(*std::move(turn.end));
  }
  co_return true;
}

/// Short messages gather in `out`; what waited there goes out with a long one.
Awaitable<bool> SocketConversation::SendMessage(const SocketMessage& message, std::string& out) {
  AppendControl(out);
  AppendFrameHead(out, OpcodeOf(message.kind), message.payload.size());
  ground_.io.Metrics().socket_messages_out.Add(1);
  const bool long_one = message.payload.size() > kCopyBytesMax;
  if (!long_one) {
    out.append(message.payload);
    if (out.size() < kCopyBytesMax) {
      co_return true;
    }
  }
  const bool sent = co_await Write(out);
  out.clear();
  co_return sent && (!long_one || co_await Write(message.payload));
}

/// Says that it is over and, when the client has not said so itself, waits for it to agree.
Awaitable<void> SocketConversation::SayGoodbye() {
  closing_ = true;
  if (std::exchange(message_ready_, false)) {
    frames_.TakeMessage();
    taken_.Set();
  }
  std::string out;
  AppendCloseFrame(out, *end_);
  if (!co_await Write(out) || listener_done_) {
    co_return;
  }
  closing_until_ = Now() + kCloseWait;
  Rearm();
  while (!listener_done_) {
    co_await activity_.Wait();
  }
}

void SocketConversation::Leave(SocketEnd end) {
  // The first reason is the one that counts.
  if (!end_) {
    end_ = std::move(end);
  }
}

// The session.

void SocketConversation::Ask() {
  busy_ = true;
  if (!std::exchange(ask_, false)) {
    at_work_ = frames_.TakeMessage();
    message_ready_ = false;
    ground_.io.Metrics().socket_messages_in.Add(1);
    taken_.Set();
  }
  if (ground_.route.work == Work::kQuick) {
    Settle(TakeTurn());
    return;
  }
  ground_.io.Shared().pool.Continue(ground_.owner, [this] {
    outcome_ = TakeTurn();
    boost::asio::post(ground_.io.Context(), [this] {
      Settle(*std::exchange(outcome_, std::nullopt));
      activity_.Set();
    });
  });
}

Result<SocketTurn> SocketConversation::TakeTurn() {
  // What a session throws ends one socket, not the server.
  return Guarded([&]() -> Result<SocketTurn> {
    if (at_work_) {
      SocketMessage message = std::move(*at_work_);
      at_work_.reset();
      RETURN_IF_ERROR(session_->Receive(std::move(message)));
    }
    return session_->Next(wake_);
  });
}

void SocketConversation::Settle(Result<SocketTurn> outcome) {
  busy_ = false;
  if (!outcome) {
    if (HttpStatus(outcome.error().code) >= 500) {
      log::Error("socket ended by an error",
                 {{"request_id", ground_.request_id}, {"error", Describe(outcome.error())}});
    }
    Leave(EndFor(outcome.error()));
  } else if (!outcome->messages.empty()) {
    turn_ = *std::move(outcome);
  } else if (outcome->end) {
    Leave(*std::move(outcome->end));
  }
}

}  // namespace atrium::http
