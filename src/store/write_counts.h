// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "store/table.h"

namespace atrium::store {

/// How often tables were written through this store, so that somebody who drew a conclusion from
/// their rows can tell that it still holds. A table may be counted for another one as well; that
/// costs a look more, never a wrong answer. Any thread.
class WriteCounts {
 public:
  /// After the write can be seen, and before anybody hears of it. One that failed counts too: it
  /// may have happened all the same.
  void Note(std::span<const Table* const> tables) {
    for (const Table* table : tables) {
      counts_[table->number % kCounts].fetch_add(1, std::memory_order_release);
    }
  }

  /// A number that differs when one of the tables was written in between.
  std::uint64_t Of(std::span<const Table* const> tables) const {
    std::uint64_t sum = 0;
    for (const Table* table : tables) {
      sum += counts_[table->number % kCounts].load(std::memory_order_acquire);
    }
    return sum;
  }

 private:
  static constexpr std::size_t kCounts = 512;
  std::array<std::atomic<std::uint64_t>, kCounts> counts_{};
};

}  // namespace atrium::store
