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
#include <vector>

#include "store/table.h"

namespace atrium::store {

enum class Verb : std::uint8_t { kGet, kScan, kCommit, kWriteImmutable, kWalk };

/// How often each table was asked what, how often in vain, and how long it took; a commit counts
/// for the table of its first mutation. Any thread.
class StoreMetrics final : public prometheus::Collectable {
 public:
  struct Measured {
    bool failed = false;
    std::chrono::steady_clock::duration took{};
  };

  void Count(const Table& table, Verb verb, const Measured& measured);
  std::vector<prometheus::MetricFamily> Collect() const override;

 private:
  static constexpr std::size_t kVerbs = 5;
  /// Tables beyond share the last place: no table of ours has such a number.
  static constexpr std::size_t kTables = 1024;

  struct Meter {
    std::atomic<std::uint64_t> calls{0};
    std::atomic<std::uint64_t> failures{0};
    std::atomic<std::uint64_t> nanoseconds{0};
  };
  struct Place {
    std::atomic<const Table*> table{nullptr};
    std::array<Meter, kVerbs> meters{};
  };

  std::vector<Place> places_{kTables};
};

}  // namespace atrium::store
