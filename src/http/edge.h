// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <mutex>

#include "base/clock.h"
#include "base/memory_budget.h"
#include "http/access_log.h"
#include "http/gate.h"
#include "http/metrics.h"
#include "http/rate_limiter.h"
#include "http/router.h"
#include "http/server_options.h"
#include "http/worker_pool.h"

namespace atrium::http {

/// What all threads of a server share. Everything in it may be used from any of them.
struct Edge {
  Edge(ServerOptions server_options, const Router& all_routes, const Clock& server_clock,
       int access_log_descriptor)
      : options(std::move(server_options)),
        router(all_routes),
        clock(server_clock),
        limiter(options.rates),
        own_memory(options.body_memory),
        memory(options.shared_memory != nullptr ? *options.shared_memory : own_memory),
        gate(options, router, limiter, memory),
        pool({.threads = options.worker_threads, .queue_max = options.worker_queue}),
        access_log(access_log_descriptor),
        metrics(router, pool, access_log, memory, options.threads) {}

  void CountOpened() { open_connections.fetch_add(1); }

  void CountClosed() {
    if (open_connections.fetch_sub(1) == 1 && draining.load()) {
      const std::lock_guard lock(drained_mutex);
      drained.notify_all();
    }
  }

  const ServerOptions options;
  const Router& router;
  const Clock& clock;
  RateLimiter limiter;
  MemoryBudget own_memory;
  /// Of all bodies that are kept in memory, and of what rooms make of them.
  MemoryBudget& memory;
  const Gate gate;
  WorkerPool pool;
  AccessLog access_log;
  HttpMetrics metrics;

  std::atomic<bool> draining{false};
  std::atomic<std::size_t> open_connections{0};
  std::mutex drained_mutex;
  std::condition_variable drained;
};

}  // namespace atrium::http
