// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/clock.h"
#include "base/result.h"
#include "engines/rocksdb/database.h"

namespace atrium::rocks {

/// Whether the disk can be written. Used by the writer alone, before each batch.
///
/// After a failed write or sync nothing is known about the end of the log: bytes that the operating
/// system could not write may look written. So nothing is acknowledged on top of it. Recovering
/// means that all rows in memory come into a table file and the log begins anew, and only when all
/// of that was synced does writing go on. The failed batch is in neither, so from then on it has
/// not happened; should the process end before, the log may still bring it back.
class Watch {
 public:
  /// All outlive it.
  Watch(Database& database, const Clock& clock, std::size_t reserve_bytes)
      : database_(database), clock_(clock), reserve_bytes_(reserve_bytes) {}

  /// kUnavailable when the disk is full or failed, kCorrupt when what is on it does not fit
  /// together. Tries to recover first, now and then. `highest` is the version to be kept.
  Result<void> CheckWritable(store::Version highest);

  /// A write failed.
  void Distrust(const rocksdb::Status& status);

 private:
  Result<void> Recover(store::Version highest);
  rocksdb::Status BeginNewLog(store::Version highest);
  Result<void> CheckSpace();

  Database& database_;
  const Clock& clock_;
  std::size_t reserve_bytes_;

  bool distrusted_ = false;
  rocksdb::Status cause_;
  std::optional<SteadyInstant> tried_at_{};
  std::optional<SteadyInstant> measured_at_{};
  std::uint64_t free_bytes_ = 0;
};

}  // namespace atrium::rocks
