// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/asio/post.hpp>
#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "http/awaitable.h"
#include "http/body.h"
#include "http/gate.h"
#include "http/io_thread.h"
#include "http/reply_head.h"
#include "http/socket.h"
#include "http/transport.h"

namespace atrium::http {

class EventWaker;
class SinkFeeder;
struct LiveSocket;

/// One client's connection: requests in, replies out, in order, until one side has had enough.
class Connection final : public LiveConnection, public std::enable_shared_from_this<Connection> {
 public:
  Connection(IoThread& io, std::unique_ptr<Transport> transport, Peer peer);
  ~Connection() override;

  /// Serves until the end and then lets go of the connection.
  static Awaitable<void> Run(std::shared_ptr<Connection> connection);

  void Interrupt(Interruption why) override;
  bool CanShrink(SteadyInstant now) const override;

 private:
  /// Which wait the deadline belongs to.
  enum class Phase : std::uint8_t {
    kIdle,
    kReading,
    kWorking,
    kWriting,
    kEvents,
    kSocket,
    kClosing
  };

  Edge& Shared() { return io_.Shared(); }
  const ServerOptions& Limits() { return io_.Shared().options; }
  void Enter(Phase phase, std::chrono::milliseconds limit);

  // connection.cc: from the first byte to the reply.
  Awaitable<void> Serve();
  Awaitable<bool> AwaitBytes();
  Awaitable<bool> ReadFirstBytes();
  bool SkipBlankLine();
  bool MayAwaitMore(SteadyInstant now);
  Awaitable<bool> ServeOne();
  Awaitable<bool> ReadHead();
  bool FeedHead();
  Awaitable<std::optional<Reply>> ServeSlowly(const Endpoint& endpoint);
  Reply Answer(const Endpoint& endpoint);
  std::optional<Reply> AnswerAtOnce(const Endpoint& endpoint);
  Reply Settle(Result<Reply> result);
  WorkOwner OwnerOfWork();
  void TakeMemoryInName();
  Reply TooMuchToDo();
  void Dismiss();
  Awaitable<void> Close();

  // connection_body.cc: request bodies.
  enum class Keeping : std::uint8_t { kInMemory, kInSink };
  Awaitable<bool> BeginBody(Keeping keeping);
  Awaitable<std::optional<Reply>> ReadBody(std::size_t bytes_max);
  Awaitable<std::optional<Reply>> Receive(const Endpoint& endpoint);
  bool TakesAtOnce() const;
  Awaitable<std::optional<Reply>> ReceiveAtOnce(const Endpoint& endpoint);
  /// On a worker thread.
  Result<Reply> FillSink(const Endpoint& endpoint);
  Awaitable<std::optional<Reply>> Pump(SinkFeeder& feeder);
  Awaitable<bool> FillNext(std::string_view left_over, InputBuffer& next);
  Awaitable<std::optional<Reply>> Conclude(SinkFeeder& feeder);
  Awaitable<Moved> ReadBodyBytes(std::span<char> room);
  std::optional<Reply> BodyFault();
  Reply NoMemoryForBody();

  // connection_reply.cc: replies.
  ReplyTail Render(Reply reply);
  Awaitable<bool> Send(Reply reply);
  bool SentAtOnce(const ReplyTail& tail);
  Awaitable<bool> SendRest(ReplyTail tail);
  Awaitable<bool> Flush();
  bool FlushWithoutWaiting();
  Awaitable<bool> WriteAll(std::string_view bytes);
  Awaitable<bool> SendPiece(const ReplyTail::Piece& piece);
  Awaitable<bool> SendFile(FileSlice slice);
  Awaitable<bool> SendSource(BodySource& source, std::optional<std::uint64_t> bytes);
  Awaitable<bool> SendEvents(EventSource& source);
  Awaitable<Result<std::optional<std::string>>> NextEvents(EventSource& source);
  Awaitable<bool> AwaitEvents();
  static Awaitable<void> WatchForEnd(std::shared_ptr<Connection> connection);
  Awaitable<bool> SendStreamPiece(std::string_view piece);
  Awaitable<bool> EndStream();
  void Record(int status);
  std::string_view ClientText();

  // connection_socket.cc: requests that turn the connection into a WebSocket.
  using OpenedSocket = Result<std::unique_ptr<SocketSession>>;
  OpenedSocket OpenSocket(const Endpoint& endpoint);
  Awaitable<bool> Upgrade(const Endpoint& endpoint);
  void MakeSocket(const Endpoint& endpoint, std::unique_ptr<SocketSession> session);
  Awaitable<void> Converse();
  void RecordSocket();

  /// Runs `function` on the worker pool and waits for what it answers; nullopt when the queue is
  /// full. `function` may use everything of the exchange: nothing else runs meanwhile. It guards
  /// itself where it calls code of rooms; what it throws all the same ends the connection.
  template <typename Function>
  Awaitable<std::optional<std::invoke_result_t<Function&>>> OnWorker(Function function) {
    std::optional<std::invoke_result_t<Function&>> result;
    std::exception_ptr thrown;
    Enter(Phase::kWorking, std::chrono::milliseconds::max());
    const bool accepted = Shared().pool.Submit(OwnerOfWork(), [this, &result, &thrown, &function] {
      try {
        result.emplace(function());
      } catch (...) {
        thrown = std::current_exception();
      }
      SayWorkerDone();
    });
    if (accepted) {
      co_await worker_done_.Wait();
    } else {
      io_.Metrics().queue_full.Add(1);
    }
    if (thrown) {
      std::rethrow_exception(thrown);
    }
    co_return std::move(result);
  }

  /// Starts writing what the feeder found; worker_done_ is set when that is done. A sink that
  /// refuses ends the reading at once: its answer must not wait for a slow client.
  void StartWriting(SinkFeeder& feeder);

  void SayWorkerDone() {
    boost::asio::post(io_.Context(), [this] { worker_done_.Set(); });
  }

  IoThread& io_;
  std::unique_ptr<Transport> transport_;
  Peer peer_;
  std::string peer_text_;
  std::unique_ptr<Exchange> exchange_;
  std::shared_ptr<EventWaker> waker_;
  std::unique_ptr<LiveSocket> socket_;
  Signal worker_done_;
  Signal events_ready_;

  Phase phase_ = Phase::kIdle;
  Interruption interruption_ = Interruption::kNone;
  bool unread_body_ = false;
  bool body_timed_out_ = false;
  std::uint8_t blank_lines_ = 0;
  bool listener_gone_ = false;
  /// The listener may not listen any more.
  bool dismissed_ = false;
  std::uint64_t served_ = 0;
  SteadyInstant opened_;
  SteadyInstant phase_began_;
};

}  // namespace atrium::http
