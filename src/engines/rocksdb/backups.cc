// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "engines/rocksdb/backups.h"

#include <rocksdb/env.h>
#include <rocksdb/utilities/backup_engine.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include "engines/rocksdb/status.h"
#include "engines/rocksdb/upkeep.h"

namespace atrium::rocks {
namespace {

namespace fs = std::filesystem;

rocksdb::BackupEngineOptions OptionsFor(const std::string& folder) {
  rocksdb::BackupEngineOptions options(folder);
  options.share_table_files = true;
  options.share_files_with_checksum = true;
  options.sync = true;
  return options;
}

Result<std::unique_ptr<rocksdb::BackupEngine>> OpenToChange(const std::string& folder,
                                                            rocksdb::Env* env) {
  rocksdb::BackupEngine* opened = nullptr;
  RETURN_IF_ERROR(ToResult(rocksdb::BackupEngine::Open(OptionsFor(folder), env, &opened),
                           "open the backups in " + folder));
  return std::unique_ptr<rocksdb::BackupEngine>(opened);
}

Result<std::unique_ptr<rocksdb::BackupEngineReadOnly>> OpenToRead(const std::string& folder) {
  if (std::error_code failed; !fs::is_directory(folder, failed)) {
    return Fail(ErrorCode::kNotFound, "there are no backups in " + folder);
  }
  rocksdb::BackupEngineReadOnly* opened = nullptr;
  RETURN_IF_ERROR(ToResult(
      rocksdb::BackupEngineReadOnly::Open(OptionsFor(folder), rocksdb::Env::Default(), &opened),
      "open the backups in " + folder));
  return std::unique_ptr<rocksdb::BackupEngineReadOnly>(opened);
}

Backup ToBackup(const rocksdb::BackupInfo& found) {
  return {.number = found.backup_id,
          .made_at = Instant(std::chrono::seconds(found.timestamp)),
          .bytes = found.size};
}

template <typename Engine>
std::vector<Backup> BackupsOf(const Engine& engine) {
  std::vector<rocksdb::BackupInfo> found;
  engine.GetBackupInfo(&found);
  std::vector<Backup> backups;
  backups.reserve(found.size());
  std::ranges::transform(found, std::back_inserter(backups), ToBackup);
  std::ranges::sort(backups, {}, &Backup::number);
  return backups;
}

/// The number asked for, or the latest.
Result<std::uint32_t> Choose(const std::vector<Backup>& backups, const Restoration& restoration) {
  if (backups.empty()) {
    return Fail(ErrorCode::kNotFound, "there are no backups in " + restoration.from);
  }
  const std::uint32_t number = restoration.number.value_or(backups.back().number);
  if (std::ranges::find(backups, number, &Backup::number) == backups.end()) {
    return Fail(ErrorCode::kNotFound,
                "there is no backup " + std::to_string(number) + " in " + restoration.from);
  }
  return number;
}

Result<void> CheckTarget(const std::string& folder) {
  std::error_code failed;
  if (!fs::exists(folder, failed)) {
    return {};
  }
  if (!fs::is_directory(folder, failed) || !fs::is_empty(folder, failed)) {
    return Fail(ErrorCode::kAlreadyExists, folder + " is not empty");
  }
  return {};
}

std::uint64_t LiveBytes(rocksdb::DB& db) {
  std::uint64_t tables = 0;
  std::uint64_t memory = 0;
  db.GetIntProperty(rocksdb::DB::Properties::kLiveSstFilesSize, &tables);
  db.GetIntProperty(rocksdb::DB::Properties::kCurSizeAllMemTables, &memory);
  return tables + memory;
}

}  // namespace

Result<Backup> BackUp(Database& database, const std::string& folder, const Progress& progress) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed) {
    return FailPrivately(ErrorCode::kUnavailable,
                         "make the folder " + folder + ": " + failed.message());
  }
  ASSIGN_OR_RETURN(const auto engine, OpenToChange(folder, database.env.get()));
  const std::uint64_t total = LiveBytes(*database.db);
  const std::uint64_t step = OptionsFor(folder).callback_trigger_interval_size;
  std::uint64_t done = 0;
  rocksdb::CreateBackupOptions options;
  options.flush_before_backup = true;
  options.progress_callback = [&] {
    done = std::min(done + step, total);
    if (progress) {
      progress(done, total);
    }
  };
  rocksdb::BackupID number = 0;
  RETURN_IF_ERROR(ToResult(engine->CreateNewBackup(options, database.db.get(), &number),
                           "make a backup in " + folder));
  if (progress) {
    progress(total, total);
  }
  rocksdb::BackupInfo made;
  RETURN_IF_ERROR(ToResult(engine->GetBackupInfo(number, &made), "look at the new backup"));
  return ToBackup(made);
}

Result<std::vector<Backup>> ListBackups(const std::string& folder) {
  if (std::error_code failed; !fs::exists(folder, failed)) {
    return std::vector<Backup>();
  }
  ASSIGN_OR_RETURN(const auto engine, OpenToRead(folder));
  return BackupsOf(*engine);
}

Result<void> PruneBackups(const std::string& folder, std::uint32_t keep) {
  if (std::error_code failed; !fs::exists(folder, failed)) {
    return {};
  }
  ASSIGN_OR_RETURN(const auto engine, OpenToChange(folder, rocksdb::Env::Default()));
  RETURN_IF_ERROR(ToResult(engine->PurgeOldBackups(keep), "erase old backups in " + folder));
  return ToResult(engine->GarbageCollect(), "tidy up the backups in " + folder);
}

Result<void> VerifyBackup(const std::string& folder, std::uint32_t number) {
  ASSIGN_OR_RETURN(const auto engine, OpenToRead(folder));
  RETURN_IF_ERROR(Choose(BackupsOf(*engine), {.from = folder, .number = number, .to = {}}));
  constexpr bool kWithChecksums = true;
  return ToResult(engine->VerifyBackup(number, kWithChecksums), "verify a backup in " + folder);
}

Result<void> RestoreBackup(const Restoration& restoration) {
  RETURN_IF_ERROR(CheckTarget(restoration.to));
  ASSIGN_OR_RETURN(const auto engine, OpenToRead(restoration.from));
  ASSIGN_OR_RETURN(const std::uint32_t number, Choose(BackupsOf(*engine), restoration));
  const std::string partial = restoration.to + ".restoring";
  std::error_code failed;
  fs::remove_all(partial, failed);
  fs::create_directories(partial, failed);
  RETURN_IF_ERROR(
      ToResult(engine->RestoreDBFromBackup(rocksdb::RestoreOptions(), number, partial, partial),
               "restore a backup of " + restoration.from));
  fs::rename(partial, restoration.to, failed);
  if (failed) {
    return FailPrivately(ErrorCode::kUnavailable, "rename " + partial + ": " + failed.message());
  }
  return {};
}

}  // namespace atrium::rocks
