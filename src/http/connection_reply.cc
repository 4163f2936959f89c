// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <charconv>
#include <string>

#include "base/log.h"
#include "http/connection.h"
#include "http/event_waker.h"
#include "http/guarded.h"

namespace atrium::http {
namespace {

/// Replies to pipelined requests leave together until they are this long.
constexpr std::size_t kOutBytesMax = std::size_t{64} << 10;

bool IsComplete(const ReplyTail& tail) {
  return tail.pieces.empty() && !tail.source && !tail.events;
}

std::string_view Text(const ReplyTail::Piece& piece) {
  const auto* text = std::get_if<std::string>(&piece);
  return text != nullptr ? std::string_view(*text) : std::get<StaticBytes>(piece).bytes;
}

void AppendChunkHead(std::string& out, std::size_t bytes) {
  char digits[20];
  const auto [end, error] = std::to_chars(digits, digits + sizeof digits, bytes, 16);
  out.append(digits, end).append("\r\n");
}

}  // namespace

ReplyTail Connection::Render(Reply reply) {
  Exchange& exchange = *exchange_;
  // Requests that arrived before the server was told to stop are answered too.
  const bool last = Shared().draining.load(std::memory_order_relaxed) && exchange.input.empty();
  const bool keep_alive = exchange.keep_alive && !last;
  const std::size_t before = exchange.out.size();
  ReplyTail tail = AppendReply(exchange.out, std::move(reply),
                               {.request = exchange.request,
                                .date_line = io_.DateLine(),
                                .cors_origin = Shared().gate.CorsOrigin(exchange.request),
                                .vary_by_origin = !Limits().cors_origins.empty(),
                                .http_1_1 = exchange.parser->IsHttp11(),
                                .keep_alive = keep_alive,
                                .understood = exchange.understood});
  exchange.keep_alive = tail.keep_alive;
  exchange.chunked_reply = tail.chunked;
  exchange.bytes_out += exchange.out.size() - before;
  return tail;
}

/// Sends the reply to the current request. False when the connection is to be closed.
Awaitable<bool> Connection::Send(Reply reply) {
  ReplyTail tail = Render(std::move(reply));
  if (SentAtOnce(tail)) {
    co_return exchange_->keep_alive;
  }
  co_return co_await SendRest(std::move(tail));
}

/// True for a reply that is all rendered and that the socket takes without waiting, or that goes
/// out together with the next one. Such a reply is on record before its client can see it.
bool Connection::SentAtOnce(const ReplyTail& tail) {
  if (!IsComplete(tail)) {
    return false;
  }
  Record(tail.status);
  const Exchange& exchange = *exchange_;
  const bool more_to_come =
      exchange.keep_alive && !exchange.input.empty() && exchange.out.size() < kOutBytesMax;
  return more_to_come || FlushWithoutWaiting();
}

Awaitable<bool> Connection::SendRest(ReplyTail tail) {
  bool sent = co_await Flush();
  if (IsComplete(tail)) {
    co_return sent && exchange_->keep_alive;
  }
  for (std::size_t i = 0; sent && i < tail.pieces.size(); ++i) {
    sent = co_await SendPiece(tail.pieces[i]);
  }
  if (sent && tail.source) {
    sent = co_await SendSource(*tail.source, tail.source_bytes);
  }
  if (sent && tail.events) {
    sent = co_await SendEvents(*tail.events);
  }
  Record(tail.status);
  co_return sent && exchange_->keep_alive;
}

/// True when all of it went out, so that nobody has to wait.
bool Connection::FlushWithoutWaiting() {
  const Moved moved = transport_->TryWrite(exchange_->out);
  if (moved.bytes == exchange_->out.size()) {
    exchange_->out.clear();
    return true;
  }
  exchange_->out.erase(0, moved.bytes);
  return false;
}

Awaitable<bool> Connection::Flush() {
  const bool sent = co_await WriteAll(exchange_->out);
  exchange_->out.clear();
  co_return sent;
}

Awaitable<bool> Connection::WriteAll(std::string_view bytes) {
  while (!bytes.empty()) {
    Enter(Phase::kWriting, Limits().write_timeout);
    const Moved moved = co_await transport_->WriteSome(bytes);
    if (!moved.ok) {
      co_return false;
    }
    bytes.remove_prefix(moved.bytes);
  }
  co_return true;
}

Awaitable<bool> Connection::SendPiece(const ReplyTail::Piece& piece) {
  if (const auto* file = std::get_if<FileSlice>(&piece)) {
    co_return co_await SendFile(*file);
  }
  exchange_->bytes_out += Text(piece).size();
  co_return co_await WriteAll(Text(piece));
}

Awaitable<bool> Connection::SendFile(FileSlice slice) {
  while (slice.bytes > 0) {
    Enter(Phase::kWriting, Limits().write_timeout);
    const Moved moved = co_await transport_->SendFileSome(slice);
    if (!moved.ok) {
      co_return false;
    }
    slice.offset += moved.bytes;
    slice.bytes -= moved.bytes;
    exchange_->bytes_out += moved.bytes;
  }
  co_return true;
}

Awaitable<bool> Connection::SendStreamPiece(std::string_view piece) {
  std::string& out = exchange_->out;
  const std::size_t before = out.size();
  if (exchange_->chunked_reply) {
    AppendChunkHead(out, piece.size());
  }
  out.append(piece);
  if (exchange_->chunked_reply) {
    out.append("\r\n");
  }
  exchange_->bytes_out += out.size() - before;
  co_return co_await Flush();
}

/// An empty chunk says that this was all; without chunks, the end of the connection does.
Awaitable<bool> Connection::EndStream() {
  co_return !exchange_->chunked_reply || co_await SendStreamPiece({});
}

namespace {

/// Whether a source keeps to the length it announced; `left` is what is still to come of it.
bool KeepsTo(std::optional<std::uint64_t>& left, const std::optional<std::string>& piece) {
  if (!left) {
    return true;
  }
  if (!piece) {
    return *left == 0;
  }
  if (piece->size() > *left) {
    return false;
  }
  *left -= piece->size();
  return true;
}

}  // namespace

Awaitable<bool> Connection::SendSource(BodySource& source, std::optional<std::uint64_t> bytes) {
  for (;;) {
    Result<std::optional<std::string>> piece = std::nullopt;
    Enter(Phase::kWorking, std::chrono::milliseconds::max());
    Shared().pool.Continue(OwnerOfWork(), [&] {
      piece = Guarded([&] { return source.Next(); });
      SayWorkerDone();
    });
    co_await worker_done_.Wait();
    if (piece && !KeepsTo(bytes, *piece)) {
      piece = FailPrivately(ErrorCode::kInternal, "the source gave another length than it said");
    }
    if (!piece) {
      log::Error("reply broken off",
                 {{"request_id", exchange_->request_id}, {"error", Describe(piece.error())}});
      co_return false;
    }
    if (!*piece) {
      co_return co_await EndStream();
    }
    if (!(*piece)->empty() && !co_await SendStreamPiece(**piece)) {
      co_return false;
    }
  }
}

/// Notices a listener that leaves while nothing is said; without it, only the second heartbeat
/// would find out.
Awaitable<void> Connection::WatchForEnd(std::shared_ptr<Connection> connection) {
  if (co_await connection->transport_->WaitReadable() && connection->transport_->Available() == 0) {
    connection->listener_gone_ = true;
    connection->waker_->Wake();
  }
}

Awaitable<Result<std::optional<std::string>>> Connection::NextEvents(EventSource& source) {
  Result<std::optional<std::string>> events = std::nullopt;
  const auto ask = [&] {
    events = Guarded([&] { return source.Next([waker = waker_] { waker->Wake(); }); });
  };
  if (exchange_->match.endpoint->route.work == Work::kQuick) {
    ask();
    co_return events;
  }
  Enter(Phase::kWorking, std::chrono::milliseconds::max());
  Shared().pool.Continue(OwnerOfWork(), [&] {
    ask();
    SayWorkerDone();
  });
  co_await worker_done_.Wait();
  co_return events;
}

/// Until the source says there may be more, or it is time for a sign of life.
Awaitable<bool> Connection::AwaitEvents() {
  Enter(Phase::kEvents, Limits().heartbeat);
  co_await events_ready_.Wait();
  const bool silent = std::chrono::steady_clock::now() - phase_began_ >= Limits().heartbeat;
  co_return !silent || co_await SendStreamPiece(": still here\n\n");
}

Awaitable<bool> Connection::SendEvents(EventSource& source) {
  waker_ = std::make_shared<EventWaker>(io_.Context(), [this] { events_ready_.Set(); });
  exchange_->keep_alive = false;
  admittance = Admittance{.rule = &exchange_->match.endpoint->route.access,
                          .principal = exchange_->request.principal,
                          .request_id = exchange_->request_id};
  boost::asio::co_spawn(io_.Context().get_executor(), WatchForEnd(shared_from_this()),
                        boost::asio::detached);
  while (!Shared().draining.load(std::memory_order_relaxed) && !listener_gone_ && !dismissed_) {
    const Result<std::optional<std::string>> events = co_await NextEvents(source);
    if (!events) {
      log::Error("event stream broken off",
                 {{"request_id", exchange_->request_id}, {"error", Describe(events.error())}});
      co_return false;
    }
    if (!*events || dismissed_) {
      break;
    }
    const bool sent =
        (*events)->empty() ? co_await AwaitEvents() : co_await SendStreamPiece(**events);
    if (!sent) {
      co_return false;
    }
  }
  co_return co_await EndStream();
}

/// Who asks, as the log says it; good for this exchange.
std::string_view Connection::ClientText() {
  Exchange& exchange = *exchange_;
  if (exchange.request.client != peer_.address) {
    exchange.client_text = atrium::Render(exchange.request.client);
    return exchange.client_text;
  }
  if (peer_text_.empty()) {
    peer_text_ = peer_.origin == Origin::kControlSocket ? "control" : atrium::Render(peer_.address);
  }
  return peer_text_;
}

void Connection::Record(int status) {
  Exchange& exchange = *exchange_;
  const Endpoint* endpoint = exchange.match.endpoint;
  const auto duration = std::chrono::steady_clock::now() - exchange.started;
  io_.Metrics().Count({.row = endpoint != nullptr ? endpoint->index : io_.Metrics().Unmatched(),
                       .status = status,
                       .duration = duration,
                       .bytes_in = exchange.bytes_in,
                       .bytes_out = exchange.bytes_out});
  if (!Shared().access_log.Enabled()) {
    return;
  }
  io_.Log({.time = io_.TimeText(),
           .request_id = exchange.request_id,
           .client = ClientText(),
           .method = exchange.parser->HeadDone() ? exchange.parser->MethodText() : "",
           .path = Shared().router.Loggable(exchange.request.path, endpoint),
           .route = endpoint != nullptr ? std::string_view(endpoint->route.path) : "",
           .agent = exchange.request.headers.Get("User-Agent"),
           .status = status,
           .bytes_in = exchange.bytes_in,
           .bytes_out = exchange.bytes_out,
           .duration = std::chrono::duration_cast<std::chrono::microseconds>(duration)});
}

}  // namespace atrium::http
