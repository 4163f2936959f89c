// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rocksdb/compaction_filter.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>

#include "base/clock.h"
#include "engines/rocksdb/recent_rows.h"

namespace atrium::rocks {

/// How long an expired row stays on the disk at least: a clock that jumps ahead for a moment must
/// not destroy what has not expired.
inline constexpr std::chrono::hours kExpiryGrace{1};

/// What filters share with the database.
struct ExpiryParts {
  /// Rows that expire later stay, whatever the clock says.
  std::shared_ptr<std::atomic<Instant>> horizon;
  /// Counts.
  std::shared_ptr<std::atomic<std::uint64_t>> removed;
  std::shared_ptr<RecentRows> recent;
};

/// Removes rows when files are rewritten, once they have been expired for kExpiryGrace. Readers do
/// not depend on it. `clock` outlives the filters.
std::shared_ptr<rocksdb::CompactionFilterFactory> MakeExpiryFilter(const Clock& clock,
                                                                   ExpiryParts parts);

}  // namespace atrium::rocks
