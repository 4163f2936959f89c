// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "http/connection.h"
#include "http/socket_conversation.h"
#include "http/socket_handshake.h"

namespace atrium::http {
namespace {

/// What the log wants to know of a request that is long forgotten when its socket ends.
struct Remembered {
  std::string request_id;
  std::string client;
  std::string path;
  std::string agent;
  SteadyInstant started;
  std::uint64_t bytes_in = 0;
};

constexpr std::size_t kAgentBytesMax = 200;
constexpr int kSwitchingProtocols = 101;

}  // namespace

Connection::OpenedSocket Connection::OpenSocket(const Endpoint& endpoint) {
  try {
    return endpoint.open(endpoint, exchange_->request, exchange_->match.params);
  } catch (const std::exception& error) {
    return FailPrivately(ErrorCode::kInternal, std::string("exception: ") + error.what());
  }
}

/// False when the connection is to be closed, which it always is behind a socket.
Awaitable<bool> Connection::ServeSocket(const Endpoint& endpoint) {
  Exchange& exchange = *exchange_;
  if (!exchange.out.empty() && !co_await Flush()) {
    co_return false;
  }
  std::optional<OpenedSocket> opened;
  if (endpoint.route.work == Work::kQuick) {
    opened = OpenSocket(endpoint);
  } else {
    opened = co_await OnWorker([&] { return OpenSocket(endpoint); });
  }
  if (!opened || !*opened) {
    Reply refusal = opened ? Settle(std::unexpected(opened->error())) : TooMuchToDo();
    co_return co_await Send(std::move(refusal));
  }
  co_await Converse(**std::move(opened));
  co_return false;
}

/// Gives the exchange back, since a socket may be silent for hours, and leads the socket to its
/// end.
Awaitable<void> Connection::Converse(std::unique_ptr<SocketSession> session) {
  const Exchange& exchange = *exchange_;
  const Endpoint& endpoint = *exchange.match.endpoint;
  const Remembered remembered{
      .request_id = exchange.request_id,
      .client = std::string(ClientText()),
      .path = std::string(Shared().router.Loggable(exchange.request.path, &endpoint)),
      .agent = std::string(exchange.request.headers.Get("User-Agent").substr(0, kAgentBytesMax)),
      .started = exchange.started,
      .bytes_in = exchange.bytes_in};
  SocketConversation::Opening opening{.arrived = std::string(exchange.input.Unread())};
  AppendSwitch(opening.reply, exchange.request, session->Protocol());
  socket_ = std::make_unique<SocketConversation>(
      SocketConversation::Ground{.io = io_,
                                 .transport = *transport_,
                                 .deadline = deadline,
                                 .route = endpoint.route,
                                 .can_wait = peer_.scheme == Scheme::kHttp,
                                 .request_id = remembered.request_id},
      std::move(session));
  io_.GiveBack(std::move(exchange_));
  phase_ = Phase::kSocket;
  co_await socket_->Run(shared_from_this(), std::move(opening));
  phase_ = Phase::kClosing;
  unread_body_ = socket_->LeftUnread();
  const Exchanged exchanged{.row = endpoint.index,
                            .status = kSwitchingProtocols,
                            .duration = std::chrono::steady_clock::now() - remembered.started,
                            .bytes_in = remembered.bytes_in + socket_->BytesIn(),
                            .bytes_out = socket_->BytesOut()};
  socket_.reset();
  io_.Metrics().Count(exchanged);
  io_.Log({.time = io_.TimeText(),
           .request_id = remembered.request_id,
           .client = remembered.client,
           .method = Name(Method::kGet),
           .path = remembered.path,
           .route = endpoint.route.path,
           .agent = remembered.agent,
           .status = exchanged.status,
           .bytes_in = exchanged.bytes_in,
           .bytes_out = exchanged.bytes_out,
           .duration = std::chrono::duration_cast<std::chrono::microseconds>(exchanged.duration)});
}

}  // namespace atrium::http
