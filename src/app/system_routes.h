// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "app/metrics_page.h"
#include "base/clock.h"
#include "base/ip_network.h"
#include "http/route.h"
#include "http/router.h"

namespace atrium::app {

/// Lets in whoever sits in one of the given networks, or comes by the control socket: the people
/// who run the server.
///
/// A proxy on this machine that nobody declared as trusted would make all the world look local, so
/// a request from here that says it was forwarded is refused.
class OperatorsRule final : public http::AccessRule {
 public:
  explicit OperatorsRule(std::vector<Network> networks) : networks_(std::move(networks)) {}

  std::string_view Name() const override { return "operators"; }
  Result<std::shared_ptr<const http::Principal>> Admit(const http::Request& request) const override;

 private:
  std::vector<Network> networks_;
};

/// The routes of the server itself: is it well, what does it measure, what can it do, and the pages
/// that are built in. Outlives the router it is added to.
class SystemRoutes {
 public:
  SystemRoutes(const Clock& clock, std::vector<Network> operators)
      : clock_(clock), operators_(std::move(operators)) {}

  /// Last of all, because the API document lists what is there.
  void AddTo(http::Router& router);

  MetricsPage& Metrics() { return metrics_; }
  /// Whether a load balancer should send requests here.
  void SetReady(bool ready) { ready_.store(ready, std::memory_order_relaxed); }

 private:
  void AddHealth(http::Router& router);
  void AddDocuments(http::Router& router);

  const Clock& clock_;
  const OperatorsRule operators_;
  MetricsPage metrics_;
  std::atomic<bool> ready_{false};
  std::string openapi_;
};

}  // namespace atrium::app
