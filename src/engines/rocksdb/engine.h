// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "engines/rocksdb/backups.h"
#include "store/engine.h"

namespace atrium::rocks {

enum class Durability : std::uint8_t {
  kDurable,  ///< A commit is on the disk when it returns.
  kRelaxed,  ///< It is with the operating system then, and on the disk about a second later.
};

struct RocksOptions {
  /// The folder of the store.
  std::string path;
  /// Cached blocks, indexes, filters and rows not yet in a table file, all together.
  std::size_t memory_bytes = std::size_t{256} << 20;
  Durability durability = Durability::kDurable;
  /// Commits are refused when the disk has less than this left, so that what is running can end.
  std::size_t disk_reserve_bytes = std::size_t{32} << 20;
};

/// Rows on the disk of this machine, in one RocksDB.
///
/// One writer at a time decides about all commits that wait and writes those that hold with one
/// synced write: see writer.h. When the disk fails, a commit that was being written is
/// kOutcomeUnknown and those after it are kUnavailable, until a commit finds that the disk works
/// again. A full disk is kUnavailable before anything is written.
class RocksEngine : public store::Engine {
 public:
  /// Opens the store, and makes it when the folder is empty or not there. kUnavailable while
  /// another process has it open. `clock` outlives the engine.
  static Result<std::unique_ptr<RocksEngine>> Open(const RocksOptions& options, const Clock& clock);

  /// Opens a store that no process has open, or a checkpoint, and changes nothing in its folder.
  /// Whatever would write is kUnavailable. kNotFound when there is no store.
  static Result<std::unique_ptr<RocksEngine>> OpenReadOnly(const RocksOptions& options,
                                                           const Clock& clock);

  /// Adds a backup of this moment to the folder, made when it is not there. Table files that a
  /// backup in the folder has already are not copied again. Commits go on meanwhile.
  virtual Result<Backup> MakeBackup(const std::string& folder, const Progress& progress) = 0;

  /// Makes `folder`, which does not exist, a store of this moment. Table files are shared with this
  /// one by hard links, so it takes no time and no space when both are on one file system.
  virtual Result<void> Checkpoint(const std::string& folder) = 0;

  /// Rewrites the whole store without what is overwritten, erased or long expired.
  virtual Result<void> Compact(const Progress& progress) = 0;
};

}  // namespace atrium::rocks
