// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/tree_memory.h"

#include <algorithm>
#include <utility>

namespace atrium::files {
namespace {

/// What everybody may have: ordinary folders are read also while others walk long ones.
constexpr std::size_t kFreeBytes = std::size_t{1} << 20;
constexpr std::size_t kLeaseBytesMin = std::size_t{4} << 20;

}  // namespace

Result<MemoryLease> TakeForTree(MemoryBudget& budget, std::size_t bytes,
                                std::chrono::milliseconds patience) {
  return bytes <= kFreeBytes ? MemoryLease()
                             : budget.Take(bytes, std::chrono::steady_clock::now() + patience);
}

Result<MemoryLease> TreeMemory::Lend(std::size_t bytes) {
  return TakeForTree(budget_, bytes, limits_.patience);
}

bool TreeMemory::HasRoomFor(std::size_t bytes) const {
  return bytes_ + bytes <= limits_.bytes;
}

Result<void> TreeMemory::Cover(std::size_t bytes) {
  const std::size_t covered = kFreeBytes + leased_;
  if (bytes <= covered) {
    return {};
  }
  ASSIGN_OR_RETURN(MemoryLease lease, Lend(std::max(bytes - covered, kLeaseBytesMin)));
  leased_ += lease.size();
  leases_.push_back(std::move(lease));
  return {};
}

struct TreeMemory::HandedOut {
  HandedOut(std::shared_ptr<TreeMemory> of, Directory handed_out, std::size_t takes)
      : memory(std::move(of)), directory(std::move(handed_out)), bytes(takes) {}
  HandedOut(const HandedOut&) = delete;
  HandedOut& operator=(const HandedOut&) = delete;
  ~HandedOut() { memory->GiveBack(bytes); }

  const std::shared_ptr<TreeMemory> memory;
  const Directory directory;
  const std::size_t bytes;
};

Result<std::shared_ptr<const Directory>> TreeMemory::HandOut(Directory directory) {
  const std::size_t bytes = directory.MemoryBytes();
  if (!HasRoomFor(bytes)) {
    return Fail(ErrorCode::kLimitExceeded,
                "folders that lie in one another are too large together");
  }
  RETURN_IF_ERROR(Cover(bytes_ + bytes));
  const auto handed_out =
      std::make_shared<const HandedOut>(shared_from_this(), std::move(directory), bytes);
  bytes_ += bytes;
  return std::shared_ptr<const Directory>(handed_out, &handed_out->directory);
}

void TreeMemory::GiveBack(std::size_t bytes) {
  bytes_ -= bytes;
  while (!leases_.empty() && bytes_ <= kFreeBytes + leased_ - leases_.back().size()) {
    leased_ -= leases_.back().size();
    leases_.pop_back();
  }
}

}  // namespace atrium::files
