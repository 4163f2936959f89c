// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/body_memory.h"

#include <chrono>

namespace atrium::http {
namespace {

/// Less than clients wait for an answer, more than most requests take.
constexpr std::chrono::seconds kWait{5};
constexpr std::chrono::seconds kRetryAfter{2};

}  // namespace

Result<MemoryLease> TakeMemory(MemoryBudget* memory, std::size_t bytes) {
  if (memory == nullptr) {
    return MemoryLease();
  }
  return memory->Take(bytes, std::chrono::steady_clock::now() + kWait);
}

Result<void> GrowMemory(MemoryBudget* memory, MemoryLease& lease, std::size_t bytes) {
  if (memory == nullptr || memory->TryGrow(lease, bytes)) {
    return {};
  }
  std::unexpected<Error> refusal =
      Fail(ErrorCode::kUnavailable, "too many large requests are on their way");
  refusal.error().retry_after = kRetryAfter;
  return refusal;
}

}  // namespace atrium::http
