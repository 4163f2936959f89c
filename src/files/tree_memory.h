// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <vector>

#include "base/memory_budget.h"
#include "base/result.h"
#include "files/objects.h"

namespace atrium::files {

/// What all who read trees may have in memory of them together.
inline constexpr std::size_t kTreesBytesMax = std::size_t{1} << 30;

/// What one walk may have of directories at a time: those between the root and where it is, of two
/// or three trees, for which three of the longest there are must fit. Paths of many long ones do
/// not.
inline constexpr std::size_t kWalkBytesMax = std::size_t{288} << 20;
/// How long it is waited for others.
inline constexpr std::chrono::milliseconds kTreePatience{5000};
/// For work in the background, which meets two trees that were each within that.
inline constexpr std::size_t kPatientWalkBytesMax = 2 * kWalkBytesMax;

/// Memory for something that is read of a tree, or made of it. Little needs nothing of the budget.
/// kUnavailable when others have it all, after some waiting.
Result<MemoryLease> TakeForTree(MemoryBudget& budget, std::size_t bytes,
                                std::chrono::milliseconds patience = kTreePatience);

/// What the directories take of memory that one reader has handed out, as long as somebody has
/// them. A reader that has little needs nothing of the budget. Used by one thread at a time, like
/// the request to which all of it belongs.
class TreeMemory : public std::enable_shared_from_this<TreeMemory> {
 public:
  struct Limits {
    /// Of what is handed out.
    std::size_t bytes = kWalkBytesMax;
    std::chrono::milliseconds patience = kTreePatience;
  };
  /// The budget outlives it, and all that was handed out.
  TreeMemory(MemoryBudget& budget, const Limits& limits) : budget_(budget), limits_(limits) {}
  TreeMemory(const TreeMemory&) = delete;
  TreeMemory& operator=(const TreeMemory&) = delete;

  /// While something is read that is not handed out, as TakeForTree().
  Result<MemoryLease> Lend(std::size_t bytes);

  bool HasRoomFor(std::size_t bytes) const;
  /// It may outlive the reader. kLimitExceeded when there is no room for it, kUnavailable when
  /// others have it all.
  Result<std::shared_ptr<const Directory>> HandOut(Directory directory);

 private:
  struct HandedOut;

  Result<void> Cover(std::size_t bytes);
  void GiveBack(std::size_t bytes);

  MemoryBudget& budget_;
  const Limits limits_;
  /// Of what was handed out, and how much of it is leased.
  std::size_t bytes_ = 0;
  std::size_t leased_ = 0;
  std::vector<MemoryLease> leases_;
};

}  // namespace atrium::files
