// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/store_operations.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "app/config_values.h"
#include "app/durable_file.h"
#include "app/open_store.h"
#include "app/store_reports.h"
#include "app/store_statistics.h"
#include "base/error.h"
#include "base/log.h"
#include "base/result.h"
#include "engines/rocksdb/backups.h"
#include "engines/rocksdb/engine.h"
#include "store/engine.h"
#include "store/epoch.h"
#include "store/verify.h"

namespace atrium::app {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kFindingsListed = 1000;
constexpr std::size_t kKeyBytesShown = 200;

FindingLine LineOf(const store::Finding& finding) {
  return {.defect = std::string(store::Name(finding.defect)),
          .table = std::string(finding.table->name),
          .partition = Quoted(finding.key.partition, kKeyBytesShown),
          .sort = Quoted(finding.key.sort, kKeyBytesShown),
          .explanation = finding.explanation,
          .remedy = finding.remedy};
}

rocks::Progress InBytes(const ProgressReport& report) {
  if (!report) {
    return {};
  }
  return [report](std::uint64_t done, std::uint64_t total) {
    report({.done = done, .total = total, .unit = WorkUnit::kBytes});
  };
}

}  // namespace

Result<StatsReport> StoreOperations::Stats() {
  StatsReport report{.folder = fs::absolute(StoreFolder(config_)).lexically_normal().string()};
  ASSIGN_OR_RETURN(report.epoch,
                   store::FindEpoch(engine_, store::OpContext::ForWork("store.stats")));
  for (store::Statistic& statistic : engine_.Statistics()) {
    report.statistics.push_back({.name = std::move(statistic.name),
                                 .help = std::move(statistic.help),
                                 .value = statistic.value});
  }
  return report;
}

Result<StoreSummary> StoreOperations::Summary(const store::OpContext& op) {
  const std::optional<std::string> obstacle = engine_.Obstacle();
  StoreSummary summary{.bytes = StoreBytes(engine_.Statistics()),
                       .writable = !obstacle,
                       .problem = obstacle.value_or("")};
  ASSIGN_OR_RETURN(summary.epoch, store::FindEpoch(engine_, op));
  return summary;
}

Result<BackupShelf> StoreOperations::Backups() const {
  BackupShelf shelf{.keep = config_.store.backup_keep};
  if (config_.store.backup_folder.empty()) {
    return shelf;
  }
  shelf.configured = true;
  ASSIGN_OR_RETURN(shelf.folder, BackupFolder(config_, ""));
  // Made with the first backup.
  if (std::error_code failed; !fs::exists(shelf.folder, failed)) {
    return shelf;
  }
  ASSIGN_OR_RETURN(BackupReport there, ListBackups(shelf.folder));
  shelf.backups = std::move(there.backups);
  return shelf;
}

Result<TaskOutcome> StoreOperations::Perform(const TaskRequest& request, const WorkHooks& hooks) {
  TaskOutcome outcome;
  switch (request.task) {
    case StoreTask::kBackup: {
      ASSIGN_OR_RETURN(outcome.backup, BackUp(request.folder, hooks));
      break;
    }
    case StoreTask::kVerify: {
      ASSIGN_OR_RETURN(outcome.verification, Verify(request, hooks));
      break;
    }
    case StoreTask::kCompact: {
      ASSIGN_OR_RETURN(outcome.compaction, Compact(hooks));
      break;
    }
    case StoreTask::kVerifyFiles:
    case StoreTask::kCollectGarbage:
    case StoreTask::kExportLibrary:
    case StoreTask::kVerifyBlobs:
      return Fail(ErrorCode::kInvalidArgument, "task: not one of the store");
  }
  return outcome;
}

Result<BackupReport> StoreOperations::BackUp(const std::string& named, const WorkHooks& hooks) {
  ASSIGN_OR_RETURN(const std::string folder, BackupFolder(config_, named));
  const std::unique_lock lock(backup_mutex_, std::try_to_lock);
  if (!lock) {
    return Fail(ErrorCode::kConflict, "a backup is being made already");
  }
  RETURN_IF_ERROR(CreateFolder(folder));
  ASSIGN_OR_RETURN(const rocks::Backup made, engine_.MakeBackup(folder, InBytes(hooks.progress)));
  RETURN_IF_ERROR(rocks::PruneBackups(folder, config_.store.backup_keep));
  log::Info("backup made", {{"folder", folder}, {"number", made.number}, {"bytes", made.bytes}});
  return ListBackups(folder);
}

Result<VerificationReport> StoreOperations::Verify(const TaskRequest& request,
                                                   const WorkHooks& hooks) {
  VerificationReport report;
  store::VerifyOptions options{.mode = request.repair ? store::VerifyOptions::Mode::kRepair
                                                      : store::VerifyOptions::Mode::kReport};
  options.stop = hooks.stop;
  options.found = [&](const store::Finding& finding) {
    if (report.list.size() < kFindingsListed) {
      report.list.push_back(LineOf(finding));
    }
  };
  options.progress = [&](std::uint64_t rows) {
    if (hooks.progress) {
      hooks.progress({.done = rows, .unit = WorkUnit::kRows});
    }
  };
  ASSIGN_OR_RETURN(
      const store::VerifyReport seen,
      store::Verify(engine_, store::OpContext::ForWork("store.verify"),
                    {.collections = catalog_.All(), .tables = catalog_.Tables().Tables()},
                    options));
  report.rows = seen.rows;
  report.findings = seen.findings;
  report.repaired = seen.repaired;
  return report;
}

Result<CompactionReport> StoreOperations::Compact(const WorkHooks& hooks) {
  const SteadyInstant began = clock_.Steady();
  RETURN_IF_ERROR(engine_.Compact(InBytes(hooks.progress)));
  const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(clock_.Steady() - began);
  return CompactionReport{.duration_ms = took.count()};
}

Result<CheckpointReport> StoreOperations::Checkpoint() {
  RETURN_IF_ERROR(CreateFolder(CheckpointFolder(config_)));
  const fs::path folder =
      fs::absolute(CheckpointFolder(config_)).lexically_normal() / ids_.NewUlid().Render();
  RETURN_IF_ERROR(engine_.Checkpoint(folder.string()));
  return CheckpointReport{.folder = folder.string()};
}

void StoreOperations::EraseCheckpoints() {
  std::error_code ignored;
  fs::remove_all(CheckpointFolder(config_), ignored);
}

Result<BackupReport> ListBackups(const std::string& folder) {
  ASSIGN_OR_RETURN(const std::vector<rocks::Backup> backups, rocks::ListBackups(folder));
  BackupReport report{.folder = folder};
  for (const rocks::Backup& backup : backups) {
    report.backups.push_back(
        {.number = backup.number, .made_at = backup.made_at, .bytes = backup.bytes});
  }
  return report;
}

Result<std::string> BackupFolder(const Config& config, const std::string& named) {
  const std::string& folder = named.empty() ? config.store.backup_folder : named;
  if (folder.empty()) {
    return Fail(ErrorCode::kInvalidArgument,
                "there is no folder for backups: name one, or set store.backup_folder");
  }
  return fs::absolute(folder).lexically_normal().string();
}

}  // namespace atrium::app
