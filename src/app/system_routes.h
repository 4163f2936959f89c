// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <string>
#include <utility>

#include "app/metrics_page.h"
#include "app/operators_rule.h"
#include "base/clock.h"
#include "http/router.h"
#include "store/engine.h"

namespace atrium::app {

/// The routes of the server itself: is it well, what does it measure, what can it do, and the pages
/// that are built in. Outlives the router it is added to.
class SystemRoutes {
 public:
  SystemRoutes(const Clock& clock, Operators operators)
      : clock_(clock), operators_(std::move(operators)) {}

  /// Last of all, because the API document lists what is there.
  void AddTo(http::Router& router);

  MetricsPage& Metrics() { return metrics_; }
  /// Whether a load balancer should send requests here.
  void SetReady(bool ready) { ready_.store(ready, std::memory_order_relaxed); }
  /// Whose obstacle is told to whoever asks whether the server is ready. Before AddTo(); outlives
  /// this.
  void Watch(store::Engine& store) { store_ = &store; }

 private:
  void AddHealth(http::Router& router);
  Result<http::Reply> Readiness(const http::Request& request) const;
  void AddDocuments(http::Router& router);

  const Clock& clock_;
  const OperatorsRule operators_;
  store::Engine* store_ = nullptr;
  MetricsPage metrics_;
  std::atomic<bool> ready_{false};
  std::string openapi_;
};

}  // namespace atrium::app
