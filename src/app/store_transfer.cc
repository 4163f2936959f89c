// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/store_transfer.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "app/command_line.h"
#include "app/config_values.h"
#include "app/control_client.h"
#include "app/durable_file.h"
#include "app/open_store.h"
#include "app/store_operations.h"
#include "app/store_reports.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/id_source.h"
#include "base/result.h"
#include "engines/rocksdb/backups.h"
#include "engines/rocksdb/engine.h"
#include "store/epoch.h"
#include "store/export.h"
#include "store/import.h"
#include "store/transfer.h"

namespace atrium::app {
namespace {

namespace fs = std::filesystem;

constexpr store::OpContext kExport = store::OpContext::ForWork("store.export");
constexpr store::OpContext kArrival = store::OpContext::ForWork("store.arrival");

/// Gone with its folder when the command ends.
class Checkpoint {
 public:
  explicit Checkpoint(fs::path folder) : folder_(std::move(folder)) {}
  Checkpoint(const Checkpoint&) = delete;
  Checkpoint& operator=(const Checkpoint&) = delete;
  ~Checkpoint() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }

  const fs::path& Folder() const { return folder_; }

 private:
  const fs::path folder_;
};

store::ProgressSink InRows(const ProgressReport& report) {
  return [report](const store::TransferProgress& progress) {
    report({.done = progress.rows, .unit = WorkUnit::kRows});
  };
}

Result<void> ToStandardOutput(std::string_view bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), stdout) != bytes.size()) {
    return SystemFailure("write the export", "standard output");
  }
  return {};
}

Result<ExportSummary> ExportFrom(rocks::RocksEngine& engine, const Catalog& catalog,
                                 const Clock& clock, const StoreExport& action,
                                 const ProgressReport& progress) {
  ASSIGN_OR_RETURN(const std::optional<store::Epoch> epoch, store::FindEpoch(engine, kExport));
  const store::ExportOptions options{.created_at = clock.Now(),
                                     .epoch = epoch ? epoch->id.Render() : "",
                                     .progress = InRows(progress)};
  const Result<store::ExportReport> report =
      action.file == "-"
          ? store::Export(engine, kExport, catalog.Tables(), ToStandardOutput, options)
          : store::ExportToFile(engine, kExport, catalog.Tables(), action.file, options);
  RETURN_IF_ERROR(report);
  return ExportSummary{.file = action.file, .rows = report->rows, .bytes = report->file_bytes};
}

Result<void> RefuseRunningServer(const Config& config) {
  ASSIGN_OR_RETURN(const std::optional<ControlClient> server, ControlClient::Find(config));
  if (server) {
    return Fail(ErrorCode::kConflict,
                fmt::format("a server is at work on {}; stop it first", Printable(config.data)));
  }
  return CheckOwner(config);
}

bool HasStore(const Config& config) {
  std::error_code failure;
  const fs::path folder = StoreFolder(config);
  return fs::exists(folder, failure) && !fs::is_empty(folder, failure);
}

/// Makes sure that nobody works on the store that is there, also no other command. One that is too
/// damaged to be opened is nobody's.
Result<void> CheckPresent(const Config& config, const Clock& clock, Present present) {
  if (!HasStore(config)) {
    return {};
  }
  if (present == Present::kRefuse) {
    return Fail(ErrorCode::kAlreadyExists,
                fmt::format("{}: there is a store; with --replace it is kept under another name",
                            Printable(StoreFolder(config).string())));
  }
  const auto opened = rocks::RocksEngine::Open(StoreOptions(config, StoreFolder(config)), clock);
  if (!opened && opened.error().code == ErrorCode::kUnavailable) {
    return std::unexpected(opened.error());
  }
  return {};
}

/// A store beside the one that is there, until it takes its place.
class Arrival {
 public:
  Arrival(const Config& config, const Clock& clock)
      : config_(config), clock_(clock), folder_(fs::path(config.data) / "store.arriving") {}
  Arrival(const Arrival&) = delete;
  Arrival& operator=(const Arrival&) = delete;
  ~Arrival() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }

  /// Clears what a command left that was killed.
  Result<void> Prepare() const {
    RETURN_IF_ERROR(CreateFolder(config_.data));
    std::error_code failure;
    fs::remove_all(folder_, failure);
    if (failure) {
      return Fail(ErrorCode::kUnavailable, fmt::format("{}: cannot erase the folder: {}",
                                                       folder_.string(), failure.message()));
    }
    return {};
  }

  const fs::path& Folder() const { return folder_; }

  Result<std::unique_ptr<rocks::RocksEngine>> Open() const {
    rocks::RocksOptions options = StoreOptions(config_, folder_);
    // All of it is to be on the disk before it takes its place.
    options.durability = rocks::Durability::kDurable;
    return rocks::RocksEngine::Open(options, clock_);
  }

  /// Puts it where the server looks for it. Answers where the other one is now, if there was one.
  Result<std::string> TakePlace() const {
    const fs::path place = StoreFolder(config_);
    std::string replaced;
    std::error_code failure;
    if (HasStore(config_)) {
      SystemIdSource ids(clock_);
      replaced = place.string() + ".replaced-" + ids.NewUlid().Render();
      fs::rename(place, replaced, failure);
    } else {
      fs::remove(place, failure);
    }
    if (!failure) {
      fs::rename(folder_, place, failure);
    }
    if (failure) {
      return Fail(ErrorCode::kUnavailable, fmt::format("{}: cannot put the store there: {}",
                                                       place.string(), failure.message()));
    }
    RETURN_IF_ERROR(SyncFolder(config_.data));
    return replaced;
  }

 private:
  const Config& config_;
  const Clock& clock_;
  const fs::path folder_;
};

Result<store::Epoch> BeginEpoch(rocks::RocksEngine& engine, const Clock& clock,
                                store::EpochReason reason) {
  SystemIdSource ids(clock);
  return store::RenewEpoch(engine, kArrival, ids, {.reason = reason, .now = clock.Now()});
}

Result<ArrivalReport> ImportInto(rocks::RocksEngine& engine, const Catalog& catalog,
                                 const Clock& clock, const StoreImport& action,
                                 const ProgressReport& progress) {
  const bool merge = action.present == Present::kMerge;
  const store::ImportOptions options{
      .existing = merge ? store::OnExisting::kMerge : store::OnExisting::kRefuse,
      .progress = InRows(progress)};
  ASSIGN_OR_RETURN(const store::ImportReport imported,
                   store::ImportFile(engine, kArrival, catalog.Tables(), action.file, options));
  ArrivalReport report{.rows = imported.rows};
  ASSIGN_OR_RETURN(report.epoch, BeginEpoch(engine, clock, store::EpochReason::kImported));
  return report;
}

/// Keeps the logs of the store as they are, in a folder beside it. Shares their bytes where it can.
Result<std::string> KeepLogs(const Config& config, const Clock& clock) {
  SystemIdSource ids(clock);
  const fs::path kept = fs::path(config.data) / ("store.damaged-" + ids.NewUlid().Render());
  RETURN_IF_ERROR(CreateFolder(kept.string()));
  std::error_code failure;
  for (const fs::directory_entry& entry : fs::directory_iterator(StoreFolder(config), failure)) {
    if (entry.path().extension() != ".log") {
      continue;
    }
    const fs::path copy = kept / entry.path().filename();
    fs::create_hard_link(entry.path(), copy, failure);
    if (failure) {
      fs::copy_file(entry.path(), copy, failure);
    }
    if (failure) {
      break;
    }
  }
  if (failure) {
    return Fail(ErrorCode::kUnavailable, fmt::format("{}: cannot keep the logs there: {}",
                                                     kept.string(), failure.message()));
  }
  RETURN_IF_ERROR(SyncFolder(kept.string()));
  return kept.string();
}

}  // namespace

Result<ExportSummary> ExportStore(const Config& config, const Catalog& catalog,
                                  const StoreExport& action, const ProgressReport& progress) {
  const SystemClock clock;
  ASSIGN_OR_RETURN(const std::optional<ControlClient> server, ControlClient::Find(config));
  if (!server) {
    ASSIGN_OR_RETURN(const auto engine, OpenStoppedStore(config, clock));
    return ExportFrom(*engine, catalog, clock, action, progress);
  }
  ASSIGN_OR_RETURN(const CheckpointReport made,
                   server->Post<CheckpointReport>("/control/store/checkpoint"));
  const Checkpoint checkpoint(made.folder);
  ASSIGN_OR_RETURN(const auto engine,
                   rocks::RocksEngine::OpenReadOnly(StoreOptions(config, made.folder), clock));
  return ExportFrom(*engine, catalog, clock, action, progress);
}

Result<ArrivalReport> ImportStore(const Config& config, const Catalog& catalog,
                                  const StoreImport& action, const ProgressReport& progress) {
  const SystemClock clock;
  RETURN_IF_ERROR(RefuseRunningServer(config));
  if (action.present == Present::kMerge) {
    ASSIGN_OR_RETURN(const auto engine, OpenStoppedStore(config, clock));
    return ImportInto(*engine, catalog, clock, action, progress);
  }
  RETURN_IF_ERROR(CheckPresent(config, clock, action.present));
  const Arrival arrival(config, clock);
  RETURN_IF_ERROR(arrival.Prepare());
  ASSIGN_OR_RETURN(std::unique_ptr<rocks::RocksEngine> engine, arrival.Open());
  ASSIGN_OR_RETURN(ArrivalReport report, ImportInto(*engine, catalog, clock, action, progress));
  engine.reset();
  ASSIGN_OR_RETURN(report.replaced, arrival.TakePlace());
  return report;
}

Result<ArrivalReport> RestoreStore(const Config& config, const StoreRestore& action) {
  const SystemClock clock;
  RETURN_IF_ERROR(RefuseRunningServer(config));
  ASSIGN_OR_RETURN(const std::string folder, BackupFolder(config, action.folder));
  RETURN_IF_ERROR(CheckPresent(config, clock, action.present));
  const Arrival arrival(config, clock);
  RETURN_IF_ERROR(arrival.Prepare());
  RETURN_IF_ERROR(rocks::RestoreBackup(
      {.from = folder, .number = action.number, .to = arrival.Folder().string()}));
  ASSIGN_OR_RETURN(std::unique_ptr<rocks::RocksEngine> engine, arrival.Open());
  ArrivalReport report;
  ASSIGN_OR_RETURN(report.epoch, BeginEpoch(*engine, clock, store::EpochReason::kRestored));
  engine.reset();
  ASSIGN_OR_RETURN(report.replaced, arrival.TakePlace());
  return report;
}

Result<SalvageReport> SalvageStore(const Config& config) {
  const SystemClock clock;
  RETURN_IF_ERROR(RefuseRunningServer(config));
  rocks::RocksOptions options = StoreOptions(config, StoreFolder(config));
  ASSIGN_OR_RETURN(const std::optional<rocks::LogDamage> damage,
                   rocks::RocksEngine::FindDamage(options, clock));
  if (!damage) {
    return Fail(
        ErrorCode::kConflict,
        fmt::format("{}: the log is whole, there is nothing to salvage", Printable(options.path)));
  }
  SalvageReport report{.file = damage->file, .offset = damage->offset, .rows = damage->rows};
  ASSIGN_OR_RETURN(report.kept, KeepLogs(config, clock));
  options.on_damage = rocks::OnDamage::kDrop;
  ASSIGN_OR_RETURN(const auto engine, rocks::RocksEngine::Open(options, clock));
  ASSIGN_OR_RETURN(report.epoch, BeginEpoch(*engine, clock, store::EpochReason::kSalvaged));
  RETURN_IF_ERROR(engine->Settle());
  return report;
}

}  // namespace atrium::app
