// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/ip_network.h"
#include "http/rate_limiter.h"
#include "http/request.h"

namespace atrium::http {

struct ListenAddress {
  std::string address;
  /// Zero: any free one; Server::Listening() says which it became.
  std::uint16_t port = 0;
  Scheme scheme = Scheme::kHttp;
};

/// PEM files; empty when there is no TLS.
struct TlsFiles {
  std::string certificate;
  std::string key;
};

/// Every bound of the edge. All of them are always on.
struct ServerOptions {
  std::vector<ListenAddress> listen;
  /// Path of the control socket (control_socket.h); empty for none. Neither rates nor the number of
  /// other connections bind what comes in there: the operator can reach a server that is full.
  std::string control_socket;
  TlsFiles tls;
  std::size_t threads = 1;
  std::size_t worker_threads = 64;
  std::size_t worker_queue = 1024;
  /// Bytes of bodies in memory and of what is decoded from them, of all clients.
  std::size_t body_memory = std::size_t{256} << 20;
  /// The same, shared with work that no request asks for; outlives the server. Null: the server has
  /// a budget of its own, of `body_memory`.
  MemoryBudget* shared_memory = nullptr;

  std::size_t connections_max = 20000;
  std::size_t connections_per_client_max = 10000;
  std::size_t header_bytes_max = std::size_t{32} << 10;
  std::size_t header_fields_max = 200;
  ClientBudget::Rates rates{};

  /// From the first byte of a request to the end of its head.
  std::chrono::milliseconds header_timeout{10'000};
  /// Between two requests.
  std::chrono::milliseconds idle_timeout{75'000};
  /// Without a byte of the body.
  std::chrono::milliseconds body_timeout{30'000};
  /// A body that brings less than this in any stretch of body_timeout is given up.
  std::size_t body_bytes_per_second_min = 1024;
  /// For all of a body that is kept in memory. The longest one has it at 75 KB per second.
  std::chrono::milliseconds body_in_memory_timeout{std::chrono::minutes(15)};
  /// Without the client taking a byte of the reply.
  std::chrono::milliseconds write_timeout{60'000};
  /// How long open requests may take once the server is told to stop.
  std::chrono::milliseconds drain_timeout{30'000};
  /// Silence in an event stream before a comment is sent to keep it open.
  std::chrono::milliseconds heartbeat{15'000};

  std::vector<Network> trusted_proxies;
  /// Origins (scheme://host:port) whose pages may call us with credentials.
  std::vector<std::string> cors_origins;
};

}  // namespace atrium::http
