// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "jobs/ledger.h"

#include <chrono>
#include <cstdlib>
#include <string_view>

#include "base/instant.h"

namespace atrium::jobs {

std::string_view Name(Outcome outcome) {
  switch (outcome) {
    case Outcome::kSucceeded:
      return "succeeded";
    case Outcome::kFailed:
      return "failed";
    case Outcome::kStopped:
      return "stopped";
    case Outcome::kAbandoned:
      return "abandoned";
  }
  std::abort();  // Unreachable: -Wswitch keeps the list above complete.
}

bool IsLive(const Lease& lease, Instant now) {
  return std::chrono::abs(now - lease.renewed_at) < lease.duration;
}

}  // namespace atrium::jobs
