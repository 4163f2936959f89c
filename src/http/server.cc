// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/server.h"

#include <sys/socket.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <chrono>
#include <utility>

#include "base/log.h"
#include "http/connection.h"
#include "http/edge.h"
#include "http/io_thread.h"
#include "http/listener.h"
#include "http/tls.h"

namespace atrium::http {
namespace {

namespace asio = boost::asio;

constexpr std::string_view kFull =
    "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nContent-Length: 0\r\n"
    "Connection: close\r\n\r\n";

constexpr std::size_t kControlConnectionsMax = 64;

class AsioServer final : public Server {
 public:
  AsioServer(ServerOptions options, const Router& router, const Clock& clock, int access_log)
      : edge_(std::move(options), router, clock, access_log) {
    for (std::size_t i = 0; i < edge_.options.threads; ++i) {
      threads_.push_back(std::make_unique<IoThread>(edge_, i));
    }
  }

  ~AsioServer() override {
    for (const auto& thread : threads_) {
      thread->Stop();
    }
    // Workers may still use exchanges that belong to the threads.
    edge_.pool.Stop();
  }

  Result<void> Bind() {
    for (const ListenAddress& address : edge_.options.listen) {
      ASSIGN_OR_RETURN(std::unique_ptr<Listener> listener,
                       Listener::Open(address, threads_[0]->Context()));
      listening_.push_back(listener->Address());
      listeners_.push_back(std::move(listener));
    }
    if (!edge_.options.control_socket.empty()) {
      ASSIGN_OR_RETURN(std::unique_ptr<Listener> listener,
                       Listener::OpenControl(edge_.options.control_socket, threads_[0]->Context()));
      listeners_.push_back(std::move(listener));
    }
    return {};
  }

  Result<void> ReloadTls() override {
    if (edge_.options.tls.certificate.empty()) {
      return {};
    }
    ASSIGN_OR_RETURN(auto context, MakeTlsContext(edge_.options.tls));
    tls_.store(std::move(context));
    return {};
  }

  void Start() override {
    for (const auto& listener : listeners_) {
      const Scheme scheme = listener->Address().scheme;
      listener->Start([this, scheme](Accepted accepted) { Take(std::move(accepted), scheme); });
    }
    for (const auto& thread : threads_) {
      thread->Start();
    }
  }

  bool Drain() override {
    edge_.draining.store(true);
    std::atomic<std::size_t> told{0};
    asio::post(threads_[0]->Context(), [&] {
      for (const auto& listener : listeners_) {
        listener->AcceptRestAndClose();
      }
      // Posted after the connections just accepted, so that they are told too.
      for (const auto& thread : threads_) {
        asio::post(thread->Context(), [&, io = thread.get()] {
          io->DrainConnections();
          told.fetch_add(1);
          told.notify_all();
        });
      }
    });
    for (std::size_t count = told.load(); count < threads_.size(); count = told.load()) {
      told.wait(count);
    }
    std::unique_lock lock(edge_.drained_mutex);
    return edge_.drained.wait_for(lock, edge_.options.drain_timeout,
                                  [&] { return edge_.open_connections.load() == 0; });
  }

  const std::vector<ListenAddress>& Listening() const override { return listening_; }
  const HttpMetrics& Metrics() const override { return edge_.metrics; }

 private:
  /// On the thread that accepts: gives the connection to the next thread in turn.
  void Take(Accepted accepted, Scheme scheme) {
    const bool control = accepted.origin == Origin::kControlSocket;
    std::shared_ptr<ClientBudget> budget =
        control ? control_budget_ : edge_.limiter.BudgetOf(accepted.peer);
    const std::size_t open = budget->connections.load();
    const bool full = control ? open >= kControlConnectionsMax
                              : edge_.open_connections.load() >= edge_.options.connections_max ||
                                    open >= edge_.options.connections_per_client_max;
    if (full) {
      [[maybe_unused]] const ssize_t ignored = ::send(accepted.descriptor.Get(), kFull.data(),
                                                      kFull.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
      return;
    }
    budget->connections.fetch_add(1);
    edge_.CountOpened();
    IoThread& io = *threads_[next_thread_++ % threads_.size()];
    asio::post(io.Context(), [this, &io, scheme, budget = std::move(budget),
                              accepted = std::move(accepted)]() mutable {
      Adopt(io, std::move(accepted),
            {.address = {}, .origin = {}, .scheme = scheme, .budget = std::move(budget)});
    });
  }

  void Adopt(IoThread& io, Accepted accepted, Peer peer) {
    peer.address = accepted.peer;
    peer.origin = accepted.origin;
    const bool tls = peer.scheme == Scheme::kHttps;
    Socket socket(io.Context().get_executor());
    boost::system::error_code error;
    socket.assign(asio::generic::stream_protocol(accepted.family, 0), accepted.descriptor.Get(),
                  error);
    if (error) {
      peer.budget->connections.fetch_sub(1);
      edge_.CountClosed();
      return;
    }
    accepted.descriptor.Release();
    std::unique_ptr<Transport> transport = tls ? MakeTlsTransport(std::move(socket), tls_.load())
                                               : MakePlainTransport(std::move(socket));
    auto connection = std::make_shared<Connection>(io, std::move(transport), std::move(peer));
    asio::co_spawn(io.Context().get_executor(), Connection::Run(std::move(connection)),
                   asio::detached);
  }

  Edge edge_;
  std::atomic<std::shared_ptr<asio::ssl::context>> tls_;
  std::vector<std::unique_ptr<IoThread>> threads_;
  std::vector<std::unique_ptr<Listener>> listeners_;
  std::vector<ListenAddress> listening_;
  std::size_t next_thread_ = 0;
  const std::shared_ptr<ClientBudget> control_budget_ = std::make_shared<ClientBudget>();
};

}  // namespace

Result<std::unique_ptr<Server>> Server::Open(ServerOptions options, const Router& router,
                                             const Clock& clock, int access_log) {
  auto server = std::make_unique<AsioServer>(std::move(options), router, clock, access_log);
  RETURN_IF_ERROR(server->ReloadTls());
  RETURN_IF_ERROR(server->Bind());
  return server;
}

}  // namespace atrium::http
