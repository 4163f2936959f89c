// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "base/clock.h"
#include "base/result.h"

namespace atrium {

class MemoryAccounts;

/// Bytes taken from a budget; given back when it is destroyed. Used by one thread at a time. The
/// budget that was made first outlives it; the part of a person that it was taken from need not.
class MemoryLease {
 public:
  MemoryLease() = default;
  MemoryLease(MemoryLease&& other) noexcept;
  MemoryLease& operator=(MemoryLease&& other) noexcept;
  MemoryLease(const MemoryLease&) = delete;
  MemoryLease& operator=(const MemoryLease&) = delete;
  ~MemoryLease() { Release(); }

  /// How many bytes it holds.
  std::size_t size() const { return arriving_ + decoding_; }
  void Release();

 private:
  friend class MemoryAccounts;

  MemoryAccounts* accounts_ = nullptr;
  /// Whose it is; set by the first growth.
  std::optional<std::uint64_t> person_;
  std::size_t arriving_ = 0;
  std::size_t decoding_ = 0;
};

/// What a server may hold in memory of request bodies, and of what is decoded from them, by all
/// clients together. Any thread may use it.
///
/// Bytes that arrive never wait and take at most half, those of large bodies three eighths: a body
/// that has arrived cannot be given back before it was worked on, and half of the budget is
/// therefore always left for decoding one. Decoding takes what it needs at once, or waits while it
/// holds nothing of that kind. An eighth is kept for bodies of at most kSmallBytes, which pass
/// while large ones wait.
///
/// Of what arrives, a person has a share: a quarter of the budget for large bodies, and for small
/// ones as much as is left for others after that.
class MemoryBudget {
 public:
  /// A lease of up to this much that arrives is a small one.
  static constexpr std::size_t kSmallBytes = std::size_t{256} << 10;

  /// For nobody in particular: no share counts.
  explicit MemoryBudget(std::size_t bytes_max);
  /// The same memory, taken for a person. `whole` outlives it.
  MemoryBudget(MemoryBudget& whole, std::uint64_t person);
  MemoryBudget(const MemoryBudget&) = delete;
  MemoryBudget& operator=(const MemoryBudget&) = delete;
  ~MemoryBudget();

  /// Makes the lease `bytes` larger, for what arrives. False, and nothing changes, when so much is
  /// not free, or beyond the share of the person. Never waits. A lease belongs to the person for
  /// whom it was grown first.
  [[nodiscard]] bool TryGrow(MemoryLease& lease, std::size_t bytes);

  /// For what is decoded. Waits for others to give back, until `deadline`; not on an I/O thread.
  /// kUnavailable with the advice to try again when it comes to nothing; kLimitExceeded for more
  /// than half of the budget, which may never be free.
  Result<MemoryLease> Take(std::size_t bytes, SteadyInstant deadline);

  // Of the whole, also where this is the part of a person.

  std::size_t Max() const;
  std::size_t Used() const;
  /// How often somebody did not get what was asked for.
  std::uint64_t Refusals() const;

 private:
  const std::unique_ptr<MemoryAccounts> own_;
  MemoryAccounts& accounts_;
  const std::optional<std::uint64_t> person_;
};

}  // namespace atrium
