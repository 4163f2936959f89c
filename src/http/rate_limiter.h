// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>

#include "base/ip_network.h"
#include "http/route.h"

namespace atrium::http {

/// A bucket that fills at `per_second` up to `burst`; each request takes one.
struct Rate {
  double per_second = 0;
  double burst = 0;
};

/// What one client has used up: requests of each class, and open connections. Shared by its
/// connections on all threads.
class ClientBudget {
 public:
  using Time = std::chrono::steady_clock::time_point;
  using Rates = std::array<Rate, kRateClassCount>;

  /// Takes one request. Otherwise answers how long until there is one again.
  std::optional<std::chrono::seconds> Take(RateClass rate_class, const Rates& rates, Time now);

  /// Nothing is used up, so that a fresh budget would be the same.
  bool IsFull(const Rates& rates, Time now) const;

  std::atomic<std::uint32_t> connections{0};

 private:
  struct Bucket {
    double tokens = -1;  // Negative: not used yet, so full.
    Time filled;
  };

  static double Level(const Bucket& bucket, const Rate& rate, Time now);

  mutable std::mutex mutex_;
  std::array<Bucket, kRateClassCount> buckets_;  // Guarded by mutex_.
};

/// Finds the budget of a client by its address. IPv6 clients are counted by their /64, which is
/// what one household or one machine usually has.
class RateLimiter {
 public:
  explicit RateLimiter(ClientBudget::Rates rates) : rates_(rates) {}

  std::shared_ptr<ClientBudget> BudgetOf(const IpAddress& client);
  const ClientBudget::Rates& Rates() const { return rates_; }

  /// Forgets clients with no connection and a full budget.
  void Sweep(ClientBudget::Time now);
  std::size_t size() const;

 private:
  using Key = std::array<std::uint8_t, 16>;
  struct KeyHash {
    std::size_t operator()(const Key& key) const;
  };
  struct Shard {
    mutable std::mutex mutex;
    std::unordered_map<Key, std::shared_ptr<ClientBudget>, KeyHash> budgets;  // Guarded by mutex.
  };

  static Key KeyOf(const IpAddress& client);

  const ClientBudget::Rates rates_;
  std::array<Shard, 16> shards_;
};

}  // namespace atrium::http
