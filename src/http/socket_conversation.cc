// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/socket_conversation.h"

#include <algorithm>
#include <array>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <chrono>
#include <exception>
#include <utility>

#include "base/log.h"
#include "http/status.h"

namespace atrium::http {
namespace {

/// What is taken from the socket in one go before other connections have their turn.
constexpr std::size_t kReadBytes = std::size_t{16} << 10;
/// What a transport that cannot wait without a buffer is given: that is what it costs idle.
constexpr std::size_t kSmallReadBytes = 4096;
/// Messages up to here are copied behind their heads, so that several leave together.
constexpr std::size_t kCopyBytesMax = std::size_t{16} << 10;
/// How long the other side may take to answer that we close.
constexpr std::chrono::seconds kCloseWait{2};
/// Between two looks at a message that has been arriving for long.
constexpr std::chrono::seconds kSlowCheckEvery{1};

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
        [session = std::move(session_)]() mutable { session.reset(); });
  }
  session_.reset();
}

// Listening.

Awaitable<void> SocketConversation::Listen([[maybe_unused]] std::shared_ptr<const void> owner) {
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
  listener_done_ = true;
  activity_.Set();
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
  ground_.io.Shared().pool.Continue([this] {
    outcome_ = TakeTurn();
    boost::asio::post(ground_.io.Context(), [this] {
      Settle(*std::exchange(outcome_, std::nullopt));
      activity_.Set();
    });
  });
}

Result<SocketTurn> SocketConversation::TakeTurn() {
  // Sessions are the rooms' code; what they throw ends one socket, not the server.
  try {
    if (at_work_) {
      SocketMessage message = std::move(*at_work_);
      at_work_.reset();
      RETURN_IF_ERROR(session_->Receive(std::move(message)));
    }
    return session_->Next(wake_);
  } catch (const std::exception& error) {
    return FailPrivately(ErrorCode::kInternal, std::string("exception: ") + error.what());
  }
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

// Time.

void SocketConversation::Interrupt(LiveConnection::Interruption why) {
  if (why == LiveConnection::Interruption::kDrain) {
    Leave({.code = kCloseGoingAway, .reason = "the server is stopping"});
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
