// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "base/memory_budget.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <unordered_map>
#include <utility>

namespace atrium {
namespace {

constexpr std::chrono::seconds kRetryAfter{2};

std::unexpected<Error> NoMemory() {
  std::unexpected<Error> refusal =
      Fail(ErrorCode::kUnavailable, "the server is working on too many large requests");
  refusal.error().retry_after = kRetryAfter;
  return refusal;
}

/// What has arrived, by the size of the lease that it belongs to.
struct Arrived {
  std::size_t small = 0;
  std::size_t large = 0;

  std::size_t Sum() const { return small + large; }
};

/// A lease that outgrows the small ones counts as large with all it has.
Arrived Classified(std::size_t lease_bytes) {
  return lease_bytes <= MemoryBudget::kSmallBytes ? Arrived{.small = lease_bytes}
                                                  : Arrived{.large = lease_bytes};
}

Arrived Replaced(const Arrived& sum, const Arrived& before, const Arrived& after) {
  return {.small = sum.small - before.small + after.small,
          .large = sum.large - before.large + after.large};
}

}  // namespace

/// Who holds how much of a budget. Any thread may use it.
class MemoryAccounts {
 public:
  explicit MemoryAccounts(std::size_t bytes_max) : bytes_max_(bytes_max) {}

  bool TryGrow(MemoryLease& lease, std::optional<std::uint64_t> person, std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    const std::optional<std::uint64_t> owner = lease.arriving_ > 0 ? lease.person_ : person;
    const Arrived before = Classified(lease.arriving_);
    const Arrived after = Classified(lease.arriving_ + bytes);
    const Arrived all = Replaced(arrived_, before, after);
    const Arrived own = owner ? Replaced(HeldBy(*owner), before, after) : Arrived();
    if (!Fits(all, decoding_) || !IsWithinShare(own, after, all)) {
      ++refusals_;
      return false;
    }
    if (owner) {
      people_[*owner] = own;
    }
    arrived_ = all;
    lease.accounts_ = this;
    lease.person_ = owner;
    lease.arriving_ += bytes;
    return true;
  }

  Result<MemoryLease> Take(std::size_t bytes, SteadyInstant deadline) {
    if (bytes > Eighths(4)) {
      return Fail(ErrorCode::kLimitExceeded,
                  "this takes more memory than the server may use for it");
    }
    std::unique_lock lock(mutex_);
    if (!given_back_.wait_until(lock, deadline,
                                [&] { return Fits(arrived_, decoding_ + bytes); })) {
      ++refusals_;
      return NoMemory();
    }
    decoding_ += bytes;
    MemoryLease lease;
    lease.accounts_ = this;
    lease.decoding_ = bytes;
    return lease;
  }

  void GiveBack(const MemoryLease& lease) {
    {
      const std::lock_guard lock(mutex_);
      const Arrived before = Classified(lease.arriving_);
      arrived_ = Replaced(arrived_, before, {});
      decoding_ -= lease.decoding_;
      if (lease.person_) {
        Forget(*lease.person_, before);
      }
    }
    given_back_.notify_all();
  }

  std::size_t Max() const { return bytes_max_; }

  std::size_t Used() const {
    const std::lock_guard lock(mutex_);
    return arrived_.Sum() + decoding_;
  }

  std::uint64_t Refusals() const {
    const std::lock_guard lock(mutex_);
    return refusals_;
  }

 private:
  std::size_t Eighths(std::size_t count) const { return bytes_max_ / 8 * count; }

  /// Together these leave half for decoding, whatever arrives, and an eighth for small bodies,
  /// whatever is decoded.
  bool Fits(const Arrived& all, std::size_t decoding) const {
    return all.large <= Eighths(3) && all.Sum() <= Eighths(4) &&
           decoding + all.large + std::max(all.small, Eighths(1)) <= bytes_max_;
  }

  /// The longest body is a quarter of the smallest budget, and must fit. Small ones are many: who
  /// may not hold more of them than is free leaves something for the next, however many do so.
  bool IsWithinShare(const Arrived& own, const Arrived& lease, const Arrived& all) const {
    return lease.large > 0 ? own.large <= Eighths(2) : own.small <= Eighths(4) - all.Sum();
  }

  Arrived HeldBy(std::uint64_t person) const {
    const auto found = people_.find(person);
    return found == people_.end() ? Arrived() : found->second;
  }

  void Forget(std::uint64_t person, const Arrived& bytes) {
    const auto found = people_.find(person);
    found->second = Replaced(found->second, bytes, {});
    if (found->second.Sum() == 0) {
      people_.erase(found);
    }
  }

  const std::size_t bytes_max_;
  mutable std::mutex mutex_;
  std::condition_variable given_back_;
  // Guarded by mutex_.
  Arrived arrived_;
  std::size_t decoding_ = 0;
  std::uint64_t refusals_ = 0;
  /// Those who hold something that arrives.
  std::unordered_map<std::uint64_t, Arrived> people_;
};

MemoryLease::MemoryLease(MemoryLease&& other) noexcept
    : accounts_(std::exchange(other.accounts_, nullptr)),
      person_(std::exchange(other.person_, std::nullopt)),
      arriving_(std::exchange(other.arriving_, 0)),
      decoding_(std::exchange(other.decoding_, 0)) {}

MemoryLease& MemoryLease::operator=(MemoryLease&& other) noexcept {
  if (this != &other) {
    Release();
    accounts_ = std::exchange(other.accounts_, nullptr);
    person_ = std::exchange(other.person_, std::nullopt);
    arriving_ = std::exchange(other.arriving_, 0);
    decoding_ = std::exchange(other.decoding_, 0);
  }
  return *this;
}

void MemoryLease::Release() {
  if (accounts_ != nullptr) {
    accounts_->GiveBack(*this);
    accounts_ = nullptr;
    person_.reset();
    arriving_ = 0;
    decoding_ = 0;
  }
}

MemoryBudget::MemoryBudget(std::size_t bytes_max)
    : own_(std::make_unique<MemoryAccounts>(bytes_max)), accounts_(*own_) {}

MemoryBudget::MemoryBudget(MemoryBudget& whole, std::uint64_t person)
    : accounts_(whole.accounts_), person_(person) {}

MemoryBudget::~MemoryBudget() = default;

bool MemoryBudget::TryGrow(MemoryLease& lease, std::size_t bytes) {
  return accounts_.TryGrow(lease, person_, bytes);
}

Result<MemoryLease> MemoryBudget::Take(std::size_t bytes, SteadyInstant deadline) {
  return accounts_.Take(bytes, deadline);
}

std::size_t MemoryBudget::Max() const {
  return accounts_.Max();
}

std::size_t MemoryBudget::Used() const {
  return accounts_.Used();
}

std::uint64_t MemoryBudget::Refusals() const {
  return accounts_.Refusals();
}

}  // namespace atrium
