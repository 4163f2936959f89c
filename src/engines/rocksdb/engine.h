// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
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

/// What to do about a log that is damaged before its end.
enum class OnDamage : std::uint8_t {
  kRefuse,
  kDrop,  ///< Open the store as it was before the first change that cannot be read.
};

/// Which expired rows compactions remove.
enum class Removal : std::uint8_t {
  kByClock,
  kUpToHorizon,  ///< Those expired by the time that SetErasureHorizon() named; none before.
};

struct RocksOptions {
  /// The folder of the store.
  std::string path;
  /// Cached blocks, indexes, filters and rows not yet in a table file, all together.
  std::size_t memory_bytes = std::size_t{256} << 20;
  Durability durability = Durability::kDurable;
  /// Commits are refused when the disk has less than this left, so that what is running can end.
  std::size_t disk_reserve_bytes = std::size_t{32} << 20;
  OnDamage on_damage = OnDamage::kRefuse;
  Removal removal = Removal::kByClock;
  /// How often it is looked whether the disk can be written, when nobody commits.
  std::chrono::milliseconds pulse{1000};
};

/// Where a log is damaged, and what that costs.
struct LogDamage {
  /// Empty when a whole file is missing.
  std::string file{};
  std::uint64_t offset = 0;
  /// Written and on the disk once, and not to be read any more: at least so many. 0: not known.
  std::uint64_t rows = 0;

  friend bool operator==(const LogDamage&, const LogDamage&) = default;
};

/// Rows on the disk of this machine, in one RocksDB.
///
/// One writer at a time decides about all commits that wait and writes those that hold with one
/// synced write: see writer.h. When the disk fails, a commit that was being written is
/// kOutcomeUnknown and those after it are kUnavailable, until a commit finds that the disk works
/// again. A full disk is kUnavailable before anything is written; a store that is opened on one can
/// be read, and goes on by itself once there is space.
class RocksEngine : public store::Engine {
 public:
  /// Opens the store, and makes it when the folder is empty or not there. kUnavailable while
  /// another process has it open; kCorrupt, saying what to do, when acknowledged changes stand
  /// behind damage in its log. `clock` outlives the engine.
  static Result<std::unique_ptr<RocksEngine>> Open(const RocksOptions& options, const Clock& clock);

  /// The damage for which Open() would refuse the store; nullopt: none. kNotFound when there is no
  /// store. Changes nothing.
  static Result<std::optional<LogDamage>> FindDamage(const RocksOptions& options,
                                                     const Clock& clock);

  /// Opens a store that no process has open, or a checkpoint, and changes nothing in its folder.
  /// Whatever would write is kUnavailable. kNotFound when there is no store.
  static Result<std::unique_ptr<RocksEngine>> OpenReadOnly(const RocksOptions& options,
                                                           const Clock& clock);

  /// Whether changes that were acknowledged before may be missing since it was opened: it was of
  /// relaxed durability and not closed, or damage was dropped. True in each opening until Settle().
  virtual bool MayHaveGoneBack() const = 0;
  /// Whoever relied on what is missing was told: a new epoch has begun, durably.
  virtual Result<void> Settle() = 0;

  /// From now on compactions remove rows that had expired by then, and none that expire later
  /// whatever the clock says: a clock may be wrong.
  virtual void SetErasureHorizon(Instant horizon) = 0;

  /// Adds a backup of this moment to the folder, made when it is not there. Table files that a
  /// backup in the folder has already are not copied again. Commits go on meanwhile.
  virtual Result<Backup> MakeBackup(const std::string& folder, const Progress& progress) = 0;

  /// Makes `folder`, which does not exist, a store of this moment. Table files are shared with this
  /// one by hard links, so it takes no time and no space when both are on one file system.
  virtual Result<void> Checkpoint(const std::string& folder) = 0;

  /// One process at a time has it open.
  bool IsSoleWriter() const override { return true; }

  /// Rewrites the whole store without what is overwritten, erased or long expired.
  virtual Result<void> Compact(const Progress& progress) = 0;
};

}  // namespace atrium::rocks
