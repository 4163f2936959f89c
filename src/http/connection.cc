// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/connection.h"

#include <functional>
#include <string>
#include <utility>
#include <variant>

#include "base/log.h"
#include "http/event_waker.h"
#include "http/guarded.h"
#include "http/live_socket.h"
#include "http/problem.h"
#include "http/status.h"

namespace atrium::http {
namespace {

/// How long a connection may idle before it gives its buffers back.
constexpr std::chrono::seconds kShrinkAfter{1};
/// A connection that was accepted but not heard of yet when the server stops.
constexpr std::chrono::seconds kFreshGrace{1};
constexpr std::chrono::seconds kLinger{2};
constexpr std::uint8_t kBlankLinesMax = 4;

bool HasBody(const RequestParser& parser) {
  return !parser.Done();
}

Reply HeadFaultReply(RequestParser::Fault fault, std::string_view request_id) {
  switch (fault) {
    case RequestParser::Fault::kHeadTooLarge:
      return ProblemReply(431, "the head of the request is too long", request_id);
    case RequestParser::Fault::kVersion:
      return ProblemReply(505, "only HTTP/1.1 and HTTP/1.0 are spoken here", request_id);
    case RequestParser::Fault::kNone:
    case RequestParser::Fault::kMalformed:
    case RequestParser::Fault::kBodyTooLarge:
      return ProblemReply(400, "this is not a well-formed HTTP request", request_id);
  }
  std::abort();  // Unreachable: -Wswitch keeps the list above complete.
}

}  // namespace

Connection::Connection(IoThread& io, std::unique_ptr<Transport> transport, Peer peer)
    : io_(io),
      transport_(std::move(transport)),
      peer_(std::move(peer)),
      opened_(std::chrono::steady_clock::now()) {
  io_.Register(*this);
  io_.Metrics().connections_opened.Add(1);
  io_.Metrics().connections_open.Add(1);
}

Connection::~Connection() {
  if (waker_) {
    waker_->Detach();
  }
  if (exchange_) {
    io_.GiveBack(std::move(exchange_));
  }
  io_.Metrics().connections_open.Subtract(1);
  peer_.budget->connections.fetch_sub(1);
  Shared().CountClosed();
}

void Connection::Enter(Phase phase, std::chrono::milliseconds limit) {
  phase_ = phase;
  interruption_ = Interruption::kNone;
  phase_began_ = std::chrono::steady_clock::now();
  deadline =
      limit == std::chrono::milliseconds::max() ? SteadyInstant::max() : phase_began_ + limit;
}

void Connection::Interrupt(Interruption why) {
  if (why == Interruption::kDismiss) {
    Dismiss();
    return;
  }
  if (phase_ == Phase::kEvents) {
    deadline = SteadyInstant::max();
    waker_->Wake();
    return;
  }
  if (phase_ == Phase::kSocket) {
    socket_->conversation.Interrupt(why);
    return;
  }
  if (why == Interruption::kDrain && phase_ != Phase::kIdle) {
    return;  // The request that is open is answered first; then the flag is seen.
  }
  if (why == Interruption::kTimeout && phase_ != Phase::kIdle && phase_ != Phase::kClosing) {
    io_.Metrics().timeouts.Add(1);
  }
  interruption_ = why;
  if (why == Interruption::kTimeout) {
    deadline = SteadyInstant::max();  // Once is enough.
  }
  transport_->Cancel();
}

/// Ends the events or the socket that the connection carries.
void Connection::Dismiss() {
  if (phase_ == Phase::kSocket) {
    socket_->conversation.Interrupt(Interruption::kDismiss);
    return;
  }
  dismissed_ = true;
  if (phase_ == Phase::kEvents) {
    waker_->Wake();
  } else if (phase_ == Phase::kWriting) {
    transport_->Cancel();  // A client that does not read would keep it open.
  }
}

bool Connection::CanShrink(SteadyInstant now) const {
  return phase_ == Phase::kIdle && exchange_ != nullptr && peer_.scheme == Scheme::kHttp &&
         now - phase_began_ >= kShrinkAfter;
}

Awaitable<void> Connection::Run(std::shared_ptr<Connection> connection) {
  try {
    co_await connection->Serve();
  } catch (...) {
    log::Error("connection ended by an exception", {{"error", Describe(CaughtError())}});
  }
}

Awaitable<void> Connection::Serve() {
  Enter(Phase::kReading, Limits().header_timeout);
  if (co_await transport_->Handshake()) {
    while (co_await AwaitBytes()) {
      if (!SkipBlankLine() && !co_await ServeOne()) {
        break;
      }
    }
  }
  if (socket_) {
    co_await Converse();
  }
  co_await Close();
}

/// RFC 9112 §2.2: a blank line before a request is passed over; old clients send one behind a body.
/// Not endlessly, or a client could be busy without ever asking anything.
bool Connection::SkipBlankLine() {
  if (blank_lines_ >= kBlankLinesMax || !exchange_->input.Unread().starts_with("\r\n")) {
    blank_lines_ = 0;
    return false;
  }
  exchange_->input.Consume(2);
  ++blank_lines_;
  return true;
}

/// After an interruption: whether there is reason to go on waiting.
bool Connection::MayAwaitMore(SteadyInstant now) {
  switch (std::exchange(interruption_, Interruption::kNone)) {
    case Interruption::kShrink:
      io_.GiveBack(std::move(exchange_));
      return true;
    case Interruption::kDrain:
      // What has arrived is served. A new connection has a moment to say what it came for.
      deadline = now + kFreshGrace;
      return transport_->Available() > 0 || (served_ == 0 && now - opened_ < kFreshGrace);
    case Interruption::kTimeout:
    case Interruption::kDismiss:
    case Interruption::kNone:
      return false;
  }
  return false;
}

Awaitable<bool> Connection::AwaitBytes() {
  if (exchange_ && !exchange_->input.empty()) {
    co_return true;
  }
  // Held back for a next request that turned out to be a blank line.
  if (exchange_ && !exchange_->out.empty() && !co_await Flush()) {
    co_return false;
  }
  Enter(Phase::kIdle, served_ == 0 ? Limits().header_timeout : Limits().idle_timeout);
  if (Shared().draining.load(std::memory_order_relaxed)) {
    interruption_ = Interruption::kDrain;
    if (!MayAwaitMore(phase_began_)) {
      co_return false;
    }
  }
  while (!co_await ReadFirstBytes()) {
    if (!MayAwaitMore(std::chrono::steady_clock::now())) {
      co_return false;
    }
  }
  co_return true;
}

Awaitable<bool> Connection::ReadFirstBytes() {
  // Nothing is lent to a connection before it has something to say.
  if (!exchange_) {
    if (peer_.scheme == Scheme::kHttp && !co_await transport_->WaitReadable()) {
      co_return false;
    }
    exchange_ = io_.Borrow();
  }
  const Moved moved = co_await transport_->Read(exchange_->input.Room(Limits().header_bytes_max));
  exchange_->input.Commit(moved.bytes);
  co_return moved.ok;
}

/// Reads until the head is complete or cannot become one; false when the client left or took too
/// long.
Awaitable<bool> Connection::ReadHead() {
  Exchange& exchange = *exchange_;
  while (!FeedHead()) {
    if (phase_ != Phase::kReading) {
      Enter(Phase::kReading, Limits().header_timeout);
    }
    if (!exchange.out.empty() && !co_await Flush()) {
      co_return false;
    }
    const std::span<char> room = exchange.input.Room(Limits().header_bytes_max);
    const Moved moved = co_await transport_->Read(room);
    if (!moved.ok) {
      co_return false;
    }
    exchange.input.Commit(moved.bytes);
  }
  co_return true;
}

/// True when the head is complete, or cannot become one.
bool Connection::FeedHead() {
  Exchange& exchange = *exchange_;
  const std::size_t used = exchange.parser->Feed(exchange.input.Unread());
  exchange.input.Consume(used);
  exchange.bytes_in += used;
  return exchange.parser->HeadDone() ||
         exchange.parser->FirstFault() != RequestParser::Fault::kNone;
}

Awaitable<bool> Connection::ServeOne() {
  Exchange& exchange = *exchange_;
  exchange.Reset({.head_bytes = Limits().header_bytes_max, .fields = Limits().header_fields_max});
  exchange.started = std::chrono::steady_clock::now();
  phase_ = Phase::kWorking;
  unread_body_ = false;
  io_.NewRequestId(exchange.request_id);
  exchange.request.id = exchange.request_id;
  exchange.request.client = peer_.address;
  exchange.request.origin = peer_.origin;
  exchange.request.scheme = peer_.scheme;
  ++served_;
  if (!FeedHead() && !co_await ReadHead()) {
    if (interruption_ == Interruption::kTimeout) {
      exchange.keep_alive = false;
      co_await Send(ProblemReply(408, "the request did not arrive in time", exchange.request_id));
    }
    co_return false;
  }
  if (exchange.parser->FirstFault() != RequestParser::Fault::kNone) {
    exchange.keep_alive = false;
    unread_body_ = true;
    co_await Send(HeadFaultReply(exchange.parser->FirstFault(), exchange.request_id));
    co_return false;
  }

  exchange.understood = true;
  exchange.keep_alive = exchange.parser->KeepAlive();
  Admission admission = Shared().gate.Admit(exchange, peer_, exchange.started);
  if (admission.rate_limited) {
    io_.Metrics().rate_limited.Add(1);
  }
  if (admission.refusal) {
    unread_body_ = HasBody(*exchange.parser);
    co_return co_await Send(std::move(*admission.refusal));
  }
  const Endpoint& endpoint = *admission.endpoint;
  if (endpoint.open) {
    co_return co_await Upgrade(endpoint);
  }
  if (std::optional<Reply> ready = AnswerAtOnce(endpoint)) {
    ReplyTail tail = Render(*std::move(ready));
    if (SentAtOnce(tail)) {
      co_return exchange.keep_alive;
    }
    co_return co_await SendRest(std::move(tail));
  }
  std::optional<Reply> reply = co_await ServeSlowly(endpoint);
  exchange.DropBody();
  if (!reply) {
    co_return false;
  }
  co_return co_await Send(std::move(*reply));
}

/// Anything that has to wait: for the body, for a worker. nullopt when the client is gone.
Awaitable<std::optional<Reply>> Connection::ServeSlowly(const Endpoint& endpoint) {
  Exchange& exchange = *exchange_;
  if (!exchange.out.empty() && !co_await Flush()) {
    co_return std::nullopt;
  }
  TakeMemoryInName();
  if (endpoint.receive) {
    co_return co_await Receive(endpoint);
  }
  if (HasBody(*exchange.parser)) {
    if (!co_await BeginBody(Keeping::kInMemory)) {
      co_return std::nullopt;
    }
    std::optional<Reply> refusal = co_await ReadBody(endpoint.route.body_bytes_max);
    if (refusal || !exchange.parser->Done()) {
      co_return refusal;
    }
  }
  exchange.request.body = exchange.body;
  if (endpoint.route.work == Work::kQuick) {
    co_return Answer(endpoint);
  }
  std::optional<Reply> reply = co_await OnWorker([&] { return Answer(endpoint); });
  if (!reply) {
    reply = TooMuchToDo();
  }
  co_return reply;
}

/// Whoever is signed in is known by name wherever they are; others share their address.
WorkOwner Connection::OwnerOfWork() {
  Exchange& exchange = *exchange_;
  if (!exchange.owner) {
    const Request& request = exchange.request;
    const std::string person =
        request.principal ? request.principal->PersonName() : std::string(ClientText());
    exchange.owner = WorkOwner{.person = std::hash<std::string>{}(person),
                               .room = exchange.match.endpoint->room_index};
  }
  return *exchange.owner;
}

/// From here on, what arrives counts towards the share of whoever asks.
void Connection::TakeMemoryInName() {
  Exchange& exchange = *exchange_;
  exchange.memory.emplace(Shared().memory, OwnerOfWork().person);
  exchange.request.memory = &*exchange.memory;
}

namespace {

/// What an answer has that its route does not announce is a mistake of ours: a list that grows with
/// what people store, a stream that nobody looks after. Nothing else would tell of it.
Result<Reply> AsAnnounced(Result<Reply> result, const Route& route) {
  if (!result) {
    return result;
  }
  if (std::holds_alternative<std::unique_ptr<EventSource>>(result->body) &&
      route.gives != Gives::kStream) {
    return FailPrivately(ErrorCode::kInternal, "the route does not say that it streams");
  }
  const std::string* text = std::get_if<std::string>(&result->body);
  if (text == nullptr || text->size() <= route.answer_bytes_max) {
    return result;
  }
  return FailPrivately(ErrorCode::kInternal, "an answer of " + std::to_string(text->size()) +
                                                 " bytes in memory; the route has " +
                                                 std::to_string(route.answer_bytes_max));
}

}  // namespace

/// What a handler throws is a bug of ours, and costs its caller a 500.
Reply Connection::Answer(const Endpoint& endpoint) {
  return Settle(Guarded(
      [&] { return endpoint.answer(endpoint, exchange_->request, exchange_->match.params); }));
}

/// On the I/O thread: what is quick, or the first of two steps. nullopt when it is neither, or a
/// body is to come.
std::optional<Reply> Connection::AnswerAtOnce(const Endpoint& endpoint) {
  if (HasBody(*exchange_->parser)) {
    return std::nullopt;
  }
  if (endpoint.route.work == Work::kQuick) {
    return Answer(endpoint);
  }
  if (!endpoint.answer_at_once) {
    return std::nullopt;
  }
  Result<std::optional<Reply>> ready = Guarded([&] {
    return endpoint.answer_at_once(endpoint, exchange_->request, exchange_->match.params);
  });
  if (!ready) {
    return Settle(std::unexpected(std::move(ready).error()));
  }
  return *ready ? std::optional(Settle(**std::move(ready))) : std::nullopt;
}

Reply Connection::Settle(Result<Reply> result) {
  result = AsAnnounced(std::move(result), exchange_->match.endpoint->route);
  if (result) {
    return std::move(*result);
  }
  if (HttpStatus(result.error().code) >= 500) {
    log::Error("request failed",
               {{"request_id", exchange_->request_id}, {"error", Describe(result.error())}});
  }
  return exchange_->match.endpoint->route.failure(result.error(), exchange_->request_id);
}

Reply Connection::TooMuchToDo() {
  Reply reply = ProblemReply(503, "the server has too much to do", exchange_->request_id);
  AddRetryAfter(reply, std::chrono::seconds(1));
  return reply;
}

Awaitable<void> Connection::Close() {
  Enter(Phase::kClosing, kLinger);
  co_await transport_->ShutDown();
  if (unread_body_) {
    // Closing with unread bytes resets the connection, and the client would lose our reply.
    char sink[4096];
    while ((co_await transport_->Read(sink)).ok) {
    }
  }
  transport_->Close();
}

}  // namespace atrium::http
