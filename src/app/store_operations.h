// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <mutex>
#include <stop_token>
#include <string>

#include "app/catalog.h"
#include "app/config.h"
#include "app/progress.h"
#include "app/store_reports.h"
#include "base/clock.h"
#include "base/id_source.h"
#include "base/result.h"
#include "engines/rocksdb/engine.h"

namespace atrium::app {

/// How long work tells of itself and is told to end.
struct WorkHooks {
  ProgressReport progress{};
  std::stop_token stop{};
};

/// What the operator does with an open store: the same in the server and in a command that has
/// opened the store itself. Any thread. What it is given outlives it.
class StoreOperations {
 public:
  StoreOperations(rocks::RocksEngine& engine, const Catalog& catalog, const Config& config,
                  const Clock& clock)
      : engine_(engine), catalog_(catalog), config_(config), clock_(clock), ids_(clock) {}

  Result<StatsReport> Stats();
  Result<StoreSummary> Summary(const store::OpContext& op);

  /// What the configured folder holds.
  Result<BackupShelf> Backups() const;

  /// kConflict while another task of that kind is at work, kInvalidArgument for a backup that has
  /// no folder to go to.
  Result<TaskOutcome> Perform(const TaskRequest& request, const WorkHooks& hooks);

  /// A store of this moment, in a folder of its own, for a command to read.
  Result<CheckpointReport> Checkpoint();

  /// Erases what commands that were killed have left. Once, before the first Checkpoint().
  void EraseCheckpoints();

 private:
  Result<BackupReport> BackUp(const std::string& folder, const WorkHooks& hooks);
  Result<VerificationReport> Verify(const TaskRequest& request, const WorkHooks& hooks);
  Result<CompactionReport> Compact(const WorkHooks& hooks);

  rocks::RocksEngine& engine_;
  const Catalog& catalog_;
  const Config& config_;
  const Clock& clock_;
  SystemIdSource ids_;
  /// One process, and in it one thread, works on a folder of backups.
  std::mutex backup_mutex_;
};

/// What is in a folder of backups. kNotFound when there is none.
Result<BackupReport> ListBackups(const std::string& folder);

/// The one that was named, or else the configured one; absolute. kInvalidArgument when there is
/// neither.
Result<std::string> BackupFolder(const Config& config, const std::string& named);

}  // namespace atrium::app
