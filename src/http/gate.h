// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "base/clock.h"
#include "base/memory_budget.h"
#include "http/exchange.h"
#include "http/rate_limiter.h"
#include "http/router.h"
#include "http/server_options.h"

namespace atrium::http {

/// The other end of a connection.
struct Peer {
  IpAddress address{};
  Origin origin = Origin::kNetwork;
  Scheme scheme = Scheme::kHttp;
  std::shared_ptr<ClientBudget> budget{};
};

/// What becomes of a request whose head has been read: it goes to `endpoint`, or is answered with
/// `refusal` at once.
struct Admission {
  const Endpoint* endpoint = nullptr;
  std::optional<Reply> refusal{};
  bool rate_limited = false;
};

/// Decides about requests by their head alone, before a byte of the body is read: is it well
/// formed, is there such a route, does the client ask too often, may it ask at all, is the body too
/// long, can it become the socket it asks for. Immutable, shared by all threads.
class Gate {
 public:
  Gate(const ServerOptions& options, const Router& router, RateLimiter& limiter,
       MemoryBudget& memory)
      : options_(options), router_(router), limiter_(limiter), memory_(memory) {}

  /// Fills in the request of `exchange` from its parser.
  Admission Admit(Exchange& exchange, const Peer& peer, SteadyInstant now) const;

  /// The configured origin that the request comes from; empty when it is none of them.
  std::string_view CorsOrigin(const Request& request) const;

 private:
  /// Why the head is not one we can work with; nullopt when it is.
  std::optional<Reply> Understand(Exchange& exchange, const Peer& peer) const;
  void LookThroughProxies(Exchange& exchange, const Peer& peer) const;
  std::optional<Reply> FindRoute(Exchange& exchange) const;
  std::optional<Reply> Preflight(const Request& request) const;
  std::optional<Reply> SocketFault(const Exchange& exchange) const;
  std::optional<std::chrono::seconds> TakeBudget(const Exchange& exchange, const Peer& peer,
                                                 SteadyInstant now) const;

  const ServerOptions& options_;
  const Router& router_;
  RateLimiter& limiter_;
  MemoryBudget& memory_;
};

}  // namespace atrium::http
