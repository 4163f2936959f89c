// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "engines/rocksdb/database.h"

namespace atrium::rocks {

/// Whether the disk can be written. Used by whoever leads the writer, before each batch; all may
/// ask for the obstacle.
///
/// After a failed write or sync nothing is known about the end of the log: bytes that the operating
/// system could not write may look written. So nothing is acknowledged on top of it. Once a small
/// file of its own can be written and synced, the database is closed and opened again: what the log
/// has comes into a table file, synced, and a new log begins. A batch that failed is then there or
/// not, whole, and stays so. (RocksDB has a way of its own to resume, which in 7.8 goes on with the
/// log that failed when no row is in memory.) A store that was opened on a full disk is in the same
/// state from the beginning, and open for reading.
class Watch {
 public:
  /// All outlive it.
  Watch(Database& database, const Clock& clock, std::size_t reserve_bytes)
      : database_(database), clock_(clock), reserve_bytes_(reserve_bytes) {}

  /// kUnavailable when the disk is full or failed, kCorrupt when what is on it does not fit
  /// together. Tries to recover first, now and then.
  Result<void> CheckWritable();

  /// A write failed.
  void Distrust(const rocksdb::Status& status);

  /// What the last look found in the way, in words for people.
  std::optional<std::string> Obstacle() const;

 private:
  Result<void> Check();
  void Publish(std::optional<std::string> obstacle);
  Result<void> Recover();
  rocksdb::Status TryToRecover(bool& opened);
  rocksdb::Status Probe() const;
  Result<void> CheckSpace();

  Database& database_;
  const Clock& clock_;
  std::size_t reserve_bytes_;

  bool distrusted_ = false;
  rocksdb::Status cause_;
  /// When it was last found not to work.
  SteadyInstant failed_at_{};
  /// Until then it is not tried again.
  std::chrono::milliseconds rest_{};
  std::optional<SteadyInstant> measured_at_{};
  std::uint64_t free_bytes_ = 0;

  mutable std::mutex mutex_;
  // Guarded by mutex_.
  std::optional<std::string> obstacle_;
};

}  // namespace atrium::rocks
