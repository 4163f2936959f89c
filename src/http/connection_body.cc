// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "http/body_pace.h"
#include "http/connection.h"
#include "http/guarded.h"
#include "http/problem.h"

namespace atrium::http {
namespace {

/// What a body in memory is read through, beyond the small buffer of the head.
constexpr std::size_t kReadBytes = std::size_t{64} << 10;
/// Two of these are in use for each upload: one fills while the other is written.
constexpr std::size_t kPieceBytes = std::size_t{256} << 10;
/// Streamed bodies up to this length are not streamed.
constexpr std::size_t kAtOnceBytes = std::size_t{64} << 10;
/// A body in memory gets this much room at first; more only as it really arrives.
constexpr std::size_t kFirstBytes = std::size_t{16} << 10;
constexpr std::chrono::seconds kRetryAfter{2};

/// A body kept whole. Room for it is made as it really arrives, and taken from the memory that the
/// server has for bodies.
class MemoryTaker final : public BodyTaker {
 public:
  MemoryTaker(Exchange& exchange, std::size_t bytes_max)
      : exchange_(exchange),
        bytes_max_(std::min<std::uint64_t>(exchange.parser->ContentLength().value_or(bytes_max),
                                           bytes_max)) {}

  bool Take(std::string_view piece) override {
    std::string& body = exchange_.body;
    if (piece.size() > bytes_max_ - body.size() || !MakeRoom(body.size() + piece.size())) {
      return false;
    }
    body.append(piece);
    return true;
  }

  /// It was not too long: there was no memory for it.
  bool IsStarved() const { return starved_; }

 private:
  /// Twice as much each time, so that few bytes are moved; at most what may come.
  bool MakeRoom(std::size_t bytes) {
    std::string& body = exchange_.body;
    const std::size_t held = exchange_.body_memory.size();
    if (bytes <= held) {
      return true;
    }
    const std::size_t wanted =
        std::max(bytes, std::min(bytes_max_, std::max(2 * held, kFirstBytes)));
    starved_ = !exchange_.request.memory->TryGrow(exchange_.body_memory, wanted - held);
    if (!starved_) {
      body.reserve(wanted);
    }
    return !starved_;
  }

  Exchange& exchange_;
  const std::size_t bytes_max_;
  bool starved_ = false;
};

}  // namespace

/// Hands a streamed body to its sink: notes where the pieces of the current buffer are, so that a
/// worker can write them while the next buffer fills.
class SinkFeeder final : public BodyTaker {
 public:
  SinkFeeder(std::unique_ptr<BodySink> sink, std::size_t bytes_max)
      : sink_(std::move(sink)), bytes_left_(bytes_max) {}

  bool Take(std::string_view piece) override {
    if (piece.size() > bytes_left_) {
      return false;
    }
    bytes_left_ -= piece.size();
    pieces_.push_back(piece);
    return true;
  }

  bool HasPieces() const { return !pieces_.empty(); }

  // On a worker thread, one call at a time; none while the I/O thread feeds the parser.

  void WritePieces() {
    for (const std::string_view piece : pieces_) {
      if (outcome_) {
        outcome_ = Guarded([&] { return sink_->Write(AsBytes(piece)); });
      }
    }
    pieces_.clear();
  }

  Result<Reply> Finish() {
    RETURN_IF_ERROR(outcome_);
    return Guarded([&] { return sink_->Finish(); });
  }

  void Abandon() { sink_.reset(); }

  bool Failed() const { return !outcome_; }
  const Error& FirstError() const { return outcome_.error(); }

 private:
  std::unique_ptr<BodySink> sink_;
  std::size_t bytes_left_;
  std::vector<std::string_view> pieces_;
  Result<void> outcome_;
};

/// Counts from now on, and tells a client to go on that waits for it. False when it has gone.
Awaitable<bool> Connection::BeginBody(Keeping keeping) {
  Exchange& exchange = *exchange_;
  BodyPace::Limits pace{.stretch = Limits().body_timeout,
                        .bytes_per_second_min = Limits().body_bytes_per_second_min};
  if (keeping == Keeping::kInMemory) {
    pace.time_max = Limits().body_in_memory_timeout;
  }
  exchange.pace = BodyPace(pace);
  body_timed_out_ = false;
  if (!exchange.input.empty() || !exchange.parser->IsHttp11() ||
      !exchange.request.headers.Find("Expect")) {
    co_return true;
  }
  exchange.out.append("HTTP/1.1 100 Continue\r\n\r\n");
  co_return co_await Flush();
}

Awaitable<Moved> Connection::ReadBodyBytes(std::span<char> room) {
  Enter(Phase::kReading, Limits().body_timeout);
  Moved moved = co_await transport_->Read(room);
  body_timed_out_ = !moved.ok && interruption_ == Interruption::kTimeout;
  const auto waited = std::chrono::steady_clock::now() - phase_began_;
  if (!exchange_->pace.Keeps(moved.bytes, waited) && moved.ok) {
    io_.Metrics().timeouts.Add(1);
    body_timed_out_ = true;
    moved.ok = false;
  }
  co_return moved;
}

/// What to answer when the body did not come through: the right 4xx, or nothing when the client
/// has gone.
std::optional<Reply> Connection::BodyFault() {
  Exchange& exchange = *exchange_;
  exchange.keep_alive = false;
  unread_body_ = true;
  if (body_timed_out_) {
    return ProblemReply(408, "the body did not arrive in time", exchange.request_id);
  }
  switch (exchange.parser->FirstFault()) {
    case RequestParser::Fault::kNone:
      return std::nullopt;
    case RequestParser::Fault::kBodyTooLarge:
      return ProblemReply(413, "the body is longer than what is taken here", exchange.request_id);
    case RequestParser::Fault::kMalformed:
    case RequestParser::Fault::kHeadTooLarge:
    case RequestParser::Fault::kVersion:
      return ProblemReply(400, "the body is not well formed", exchange.request_id);
  }
  return std::nullopt;
}

Reply Connection::NoMemoryForBody() {
  Exchange& exchange = *exchange_;
  exchange.keep_alive = false;
  unread_body_ = true;
  exchange.DropBody();
  Reply reply = ProblemReply(503, "too many large requests are on their way", exchange.request_id);
  AddRetryAfter(reply, kRetryAfter);
  return reply;
}

/// nullopt with the parser done: the body is there. A reply: it was refused. nullopt with the
/// parser not done: the client has gone.
Awaitable<std::optional<Reply>> Connection::ReadBody(std::size_t bytes_max) {
  Exchange& exchange = *exchange_;
  MemoryTaker taker(exchange, bytes_max);
  exchange.parser->TakeBodyWith(taker);
  for (;;) {
    const std::size_t used = exchange.parser->Feed(exchange.input.Unread());
    exchange.input.Consume(used);
    exchange.bytes_in += used;
    if (exchange.parser->Done()) {
      co_return std::nullopt;
    }
    const std::span<char> room = exchange.input.Room(kReadBytes);
    if (room.empty()) {
      exchange.parser->GiveUp();
    }
    if (taker.IsStarved()) {
      co_return NoMemoryForBody();
    }
    if (exchange.parser->FirstFault() != RequestParser::Fault::kNone) {
      co_return BodyFault();
    }
    const Moved moved = co_await ReadBodyBytes(room);
    if (!moved.ok) {
      co_return BodyFault();
    }
    exchange.input.Commit(moved.bytes);
  }
}

/// What is short is read whole, so that it occupies a worker once and not for each of its steps. A
/// client that waits for a word before it sends anything is not asked to send in vain.
bool Connection::TakesAtOnce() const {
  const Exchange& exchange = *exchange_;
  const std::optional<std::uint64_t> length = exchange.parser->ContentLength();
  return length && *length <= kAtOnceBytes && !exchange.request.headers.Find("Expect");
}

Result<Reply> Connection::FillSink(const Endpoint& endpoint) {
  return Guarded([&]() -> Result<Reply> {
    ASSIGN_OR_RETURN(const std::unique_ptr<BodySink> sink,
                     endpoint.receive(endpoint, exchange_->request, exchange_->match.params));
    if (!exchange_->body.empty()) {
      RETURN_IF_ERROR(sink->Write(AsBytes(exchange_->body)));
    }
    return sink->Finish();
  });
}

Awaitable<std::optional<Reply>> Connection::ReceiveAtOnce(const Endpoint& endpoint) {
  Exchange& exchange = *exchange_;
  if (!exchange.parser->Done()) {
    if (!co_await BeginBody(Keeping::kInMemory)) {
      co_return std::nullopt;
    }
    std::optional<Reply> refusal = co_await ReadBody(kAtOnceBytes);
    if (refusal || !exchange.parser->Done()) {
      co_return refusal;
    }
  }
  std::optional<Reply> reply = co_await OnWorker([&] { return Settle(FillSink(endpoint)); });
  if (!reply) {
    reply = TooMuchToDo();
  }
  co_return reply;
}

Awaitable<std::optional<Reply>> Connection::Receive(const Endpoint& endpoint) {
  if (TakesAtOnce()) {
    co_return co_await ReceiveAtOnce(endpoint);
  }
  Exchange& exchange = *exchange_;
  std::optional<Result<std::unique_ptr<BodySink>>> sink = co_await OnWorker([&] {
    return Guarded(
        [&] { return endpoint.receive(endpoint, exchange.request, exchange.match.params); });
  });
  if (!sink || !*sink) {
    unread_body_ = !exchange.parser->Done();
    exchange.keep_alive = !unread_body_;
    if (sink) {
      co_return Settle(std::unexpected(sink->error()));
    }
    co_return TooMuchToDo();
  }
  if (!exchange.parser->Done() && !co_await BeginBody(Keeping::kInSink)) {
    co_return std::nullopt;
  }
  auto feeder = std::make_unique<SinkFeeder>(std::move(**sink), endpoint.route.body_bytes_max);
  std::optional<Reply> reply = co_await Pump(*feeder);
  // Taking down a sink may mean deleting a large file: work for a worker in any case.
  Shared().pool.Continue(OwnerOfWork(), [feeder = std::move(feeder)] { feeder->Abandon(); });
  co_return reply;
}

/// Moves the body from the socket to the sink through two buffers: while a worker writes what was
/// found in one, the other fills. Then asks the sink for the reply.
Awaitable<std::optional<Reply>> Connection::Pump(SinkFeeder& feeder) {
  Exchange& exchange = *exchange_;
  RequestParser& parser = *exchange.parser;
  if (!parser.Done()) {
    parser.TakeBodyWith(feeder);
  }
  std::array<InputBuffer, 2> buffers;
  std::size_t current = 0;
  buffers[current].Append(exchange.input.Unread());
  exchange.input.Consume(exchange.input.size());
  for (;;) {
    InputBuffer& full = buffers[current];
    if (!parser.Done()) {
      const std::size_t used = parser.Feed(full.Unread());
      full.Consume(used);
      exchange.bytes_in += used;
    }
    const bool more = !parser.Done() && parser.FirstFault() == RequestParser::Fault::kNone;
    const bool writing = feeder.HasPieces();
    if (writing) {
      StartWriting(feeder);
    }
    const bool arrived = more && co_await FillNext(full.Unread(), buffers[1 - current]);
    if (writing) {
      Enter(Phase::kWorking, std::chrono::milliseconds::max());
      co_await worker_done_.Wait();
    }
    if (!arrived || feeder.Failed()) {
      exchange.input.Append(full.Unread());
      break;
    }
    current = 1 - current;
  }
  co_return co_await Conclude(feeder);
}

void Connection::StartWriting(SinkFeeder& feeder) {
  Shared().pool.Continue(OwnerOfWork(), [this, &feeder] {
    feeder.WritePieces();
    boost::asio::post(io_.Context(), [this, refused = feeder.Failed()] {
      if (refused) {
        transport_->Cancel();
      }
      worker_done_.Set();
    });
  });
}

/// Reads the next part of the body behind what the parser left of the last, such as half a chunk
/// header. False when the client has gone or is too slow.
Awaitable<bool> Connection::FillNext(std::string_view left_over, InputBuffer& next) {
  next.Consume(next.size());
  next.Reserve(kPieceBytes);
  next.Append(left_over);
  std::span<char> room = next.Room(kPieceBytes);
  if (room.empty()) {
    exchange_->parser->GiveUp();
    co_return false;
  }
  Moved moved = co_await ReadBodyBytes(room);
  next.Commit(moved.bytes);
  // Whatever else has arrived comes along: fewer and larger pieces for the worker.
  room = next.Room(kPieceBytes);
  if (moved.ok && !room.empty()) {
    const Moved also = transport_->TryRead(room);
    next.Commit(also.bytes);
    (void)exchange_->pace.Keeps(also.bytes, {});
  }
  co_return moved.ok;
}

Awaitable<std::optional<Reply>> Connection::Conclude(SinkFeeder& feeder) {
  Exchange& exchange = *exchange_;
  if (feeder.Failed()) {
    unread_body_ = !exchange.parser->Done();
    exchange.keep_alive = exchange.keep_alive && !unread_body_;
    co_return Settle(std::unexpected(feeder.FirstError()));
  }
  if (!exchange.parser->Done()) {
    co_return BodyFault();
  }
  Result<Reply> finished = FailPrivately(ErrorCode::kInternal, "the sink did not finish");
  Shared().pool.Continue(OwnerOfWork(), [&] {
    finished = feeder.Finish();
    SayWorkerDone();
  });
  Enter(Phase::kWorking, std::chrono::milliseconds::max());
  co_await worker_done_.Wait();
  co_return Settle(std::move(finished));
}

}  // namespace atrium::http
