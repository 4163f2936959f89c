// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/rate_limiter.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>

namespace atrium::http {

double ClientBudget::Level(const Bucket& bucket, const Rate& rate, Time now) {
  if (bucket.tokens < 0) {
    return rate.burst;
  }
  const double passed = std::chrono::duration<double>(now - bucket.filled).count();
  return std::min(rate.burst, bucket.tokens + std::max(0.0, passed) * rate.per_second);
}

std::optional<std::chrono::seconds> ClientBudget::Take(RateClass rate_class, const Rates& rates,
                                                       Time now) {
  if (rate_class == RateClass::kUnlimited) {
    return std::nullopt;
  }
  const auto index = static_cast<std::size_t>(rate_class);
  const Rate& rate = rates[index];
  const std::lock_guard lock(mutex_);
  Bucket& bucket = buckets_[index];
  const double level = Level(bucket, rate, now);
  bucket.filled = now;
  if (level >= 1) {
    bucket.tokens = level - 1;
    return std::nullopt;
  }
  bucket.tokens = level;
  return std::chrono::seconds(
      static_cast<std::int64_t>(std::ceil((1 - level) / std::max(rate.per_second, 1e-3))));
}

bool ClientBudget::IsFull(const Rates& rates, Time now) const {
  const std::lock_guard lock(mutex_);
  for (std::size_t i = 0; i < buckets_.size(); ++i) {
    if (Level(buckets_[i], rates[i], now) < rates[i].burst) {
      return false;
    }
  }
  return true;
}

std::size_t RateLimiter::KeyHash::operator()(const Key& key) const {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
  std::memcpy(&high, key.data(), sizeof high);
  std::memcpy(&low, key.data() + sizeof high, sizeof low);
  // The multiplier is 2^64 over the golden ratio: neighbours land far apart.
  return static_cast<std::size_t>((high ^ (low << 1U)) * 0x9e3779b97f4a7c15ULL) ^
         static_cast<std::size_t>(low >> 32U);
}

RateLimiter::Key RateLimiter::KeyOf(const IpAddress& client) {
  const IpAddress address = client.Unmapped();
  const std::span<const std::uint8_t> bytes = address.Bytes();
  Key key{};
  // A v4 address sits behind a byte no /64 of ours can have at that place.
  if (address.IsV4()) {
    key[8] = 1;
    std::ranges::copy(bytes, key.begin() + 9);
  } else {
    std::ranges::copy(bytes.first(8), key.begin());
  }
  return key;
}

std::shared_ptr<ClientBudget> RateLimiter::BudgetOf(const IpAddress& client) {
  const Key key = KeyOf(client);
  Shard& shard = shards_[KeyHash{}(key) % shards_.size()];
  const std::lock_guard lock(shard.mutex);
  std::shared_ptr<ClientBudget>& budget = shard.budgets[key];
  if (!budget) {
    budget = std::make_shared<ClientBudget>();
  }
  return budget;
}

void RateLimiter::Sweep(ClientBudget::Time now) {
  for (Shard& shard : shards_) {
    const std::lock_guard lock(shard.mutex);
    std::erase_if(shard.budgets, [&](const auto& item) {
      // Whoever holds the budget may still use it; a use count of one means nobody can get it
      // but through this shard, which is locked.
      return item.second.use_count() == 1 && item.second->IsFull(rates_, now);
    });
  }
}

std::size_t RateLimiter::size() const {
  std::size_t count = 0;
  for (const Shard& shard : shards_) {
    const std::lock_guard lock(shard.mutex);
    count += shard.budgets.size();
  }
  return count;
}

}  // namespace atrium::http
