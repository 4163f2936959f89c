// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <prometheus/collectable.h>
#include <prometheus/metric_family.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/memory_budget.h"
#include "http/access_log.h"
#include "http/router.h"
#include "http/worker_pool.h"

namespace atrium::http {

/// A number that one thread changes and any thread reads: no locked instruction on the hot path.
class OwnedCounter {
 public:
  void Add(std::uint64_t amount) {
    value_.store(value_.load(std::memory_order_relaxed) + amount, std::memory_order_relaxed);
  }
  void Subtract(std::uint64_t amount) { Add(~amount + 1); }
  std::uint64_t value() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> value_{0};
};

/// One finished exchange.
struct Exchanged {
  /// Row of its endpoint, or MetricsShard::Unmatched().
  std::size_t row = 0;
  int status = 0;
  std::chrono::nanoseconds duration{0};
  std::uint64_t bytes_in = 0;
  std::uint64_t bytes_out = 0;
};

inline constexpr std::array kLatencyBounds{0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005,
                                           0.01,   0.025,   0.05,   0.1,   0.25,   0.5,
                                           1.0,    2.5,     5.0,    10.0};

/// What one I/O thread counts.
class MetricsShard {
 public:
  explicit MetricsShard(std::size_t endpoints) : rows_(endpoints + 1) {}

  std::size_t Unmatched() const { return rows_.size() - 1; }
  void Count(const Exchanged& exchanged);

  struct Row {
    std::array<OwnedCounter, 6> by_class;  // Status / 100.
    std::array<OwnedCounter, kLatencyBounds.size() + 1> buckets;
    OwnedCounter nanoseconds;
  };
  const std::vector<Row>& Rows() const { return rows_; }

  OwnedCounter bytes_in;
  OwnedCounter bytes_out;
  OwnedCounter connections_opened;
  OwnedCounter connections_open;
  OwnedCounter sockets_open;
  OwnedCounter socket_messages_in;
  OwnedCounter socket_messages_out;
  OwnedCounter timeouts;
  OwnedCounter rate_limited;
  OwnedCounter queue_full;

 private:
  std::vector<Row> rows_;
};

/// Everything the edge has done since it was opened.
struct HttpTotals {
  std::uint64_t requests = 0;
  /// Answered with 5xx.
  std::uint64_t errors = 0;
  std::uint64_t bytes_in = 0;
  std::uint64_t bytes_out = 0;
};

/// The edge as Prometheus sees it. Collect may be called from any thread.
class HttpMetrics final : public prometheus::Collectable {
 public:
  /// All outlive the metrics.
  HttpMetrics(const Router& router, const WorkerPool& pool, const AccessLog& access_log,
              const MemoryBudget& memory, std::size_t threads);

  MetricsShard& ShardOf(std::size_t thread) { return *shards_[thread]; }
  std::vector<prometheus::MetricFamily> Collect() const override;
  HttpTotals Totals() const;

 private:
  void CollectRoutes(std::vector<prometheus::MetricFamily>& families) const;
  void CollectStatuses(prometheus::MetricFamily& family, std::size_t row) const;
  void CollectLatency(prometheus::MetricFamily& family, std::size_t row) const;
  void CollectTotals(std::vector<prometheus::MetricFamily>& families) const;
  void CollectWork(std::vector<prometheus::MetricFamily>& families) const;
  std::string LabelOf(std::size_t row) const;
  std::uint64_t Sum(OwnedCounter MetricsShard::* counter) const;

  const Router& router_;
  const WorkerPool& pool_;
  const AccessLog& access_log_;
  const MemoryBudget& memory_;
  std::vector<std::unique_ptr<MetricsShard>> shards_;
};

}  // namespace atrium::http
