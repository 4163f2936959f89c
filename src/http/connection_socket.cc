// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "http/connection.h"
#include "http/guarded.h"
#include "http/live_socket.h"
#include "http/socket_handshake.h"

namespace atrium::http {
namespace {

constexpr std::size_t kAgentBytesMax = 200;
constexpr int kSwitchingProtocols = 101;

}  // namespace

Connection::OpenedSocket Connection::OpenSocket(const Endpoint& endpoint) {
  return Guarded(
      [&] { return endpoint.open(endpoint, exchange_->request, exchange_->match.params); });
}

/// Opens the socket, or answers why not. False when no further request can follow, as always behind
/// a socket.
Awaitable<bool> Connection::Upgrade(const Endpoint& endpoint) {
  if (!exchange_->out.empty() && !co_await Flush()) {
    co_return false;
  }
  std::optional<OpenedSocket> opened;
  if (endpoint.route.work == Work::kQuick) {
    opened = OpenSocket(endpoint);
  } else {
    opened = co_await OnWorker([&] { return OpenSocket(endpoint); });
  }
  if (opened && *opened) {
    MakeSocket(endpoint, **std::move(opened));
    co_return false;
  }
  Reply refusal = opened ? Settle(std::unexpected(opened->error())) : TooMuchToDo();
  co_return co_await Send(std::move(refusal));
}

void Connection::MakeSocket(const Endpoint& endpoint, std::unique_ptr<SocketSession> session) {
  const Request& request = exchange_->request;
  LiveSocket::Origin origin{
      .endpoint = endpoint,
      .client = std::string(ClientText()),
      .path = std::string(Shared().router.Loggable(request.path, &endpoint)),
      .agent = std::string(request.headers.Get("User-Agent").substr(0, kAgentBytesMax)),
      .started = exchange_->started,
      .bytes_in = exchange_->bytes_in};
  SocketConversation::Opening opening{.arrived = std::string(exchange_->input.Unread())};
  AppendSwitch(opening.reply, request, session->Protocol());
  SocketConversation::Ground ground{.io = io_,
                                    .transport = *transport_,
                                    .deadline = deadline,
                                    .route = endpoint.route,
                                    .owner = OwnerOfWork(),
                                    .can_wait = peer_.scheme == Scheme::kHttp,
                                    .request_id = exchange_->request_id};
  admittance = Admittance{.rule = &endpoint.route.access,
                          .principal = request.principal,
                          .request_id = exchange_->request_id};
  socket_.reset(new LiveSocket{.origin = std::move(origin),
                               .opening = std::move(opening),
                               .conversation = {std::move(ground), std::move(session)}});
}

/// Leads the socket to its end. The exchange is given back before, since that may be hours away.
Awaitable<void> Connection::Converse() {
  io_.GiveBack(std::move(exchange_));
  phase_ = Phase::kSocket;
  co_await socket_->conversation.Run(shared_from_this(), std::move(socket_->opening));
  phase_ = Phase::kClosing;
  admittance.reset();
  RecordSocket();
  socket_.reset();
}

void Connection::RecordSocket() {
  const auto& [origin, opening, conversation] = *socket_;
  const Exchanged exchanged{.row = origin.endpoint.index,
                            .status = kSwitchingProtocols,
                            .duration = std::chrono::steady_clock::now() - origin.started,
                            .bytes_in = origin.bytes_in + conversation.BytesIn(),
                            .bytes_out = conversation.BytesOut()};
  unread_body_ = conversation.LeftUnread();
  io_.Metrics().Count(exchanged);
  io_.Log({.time = io_.TimeText(),
           .request_id = conversation.RequestId(),
           .client = origin.client,
           .method = Name(Method::kGet),
           .path = origin.path,
           .route = origin.endpoint.route.path,
           .agent = origin.agent,
           .status = exchanged.status,
           .bytes_in = exchanged.bytes_in,
           .bytes_out = exchanged.bytes_out,
           .duration = std::chrono::duration_cast<std::chrono::microseconds>(exchanged.duration)});
}

}  // namespace atrium::http
