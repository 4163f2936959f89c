// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "engines/rocksdb/database.h"

#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

#include "engines/rocksdb/status.h"
#include "engines/rocksdb/zeroed_log.h"

namespace atrium::rocks {
namespace {

std::unexpected<Error> InUse(const std::string& path) {
  return Fail(ErrorCode::kUnavailable, "the store in " + path + " is in use by another process");
}

/// Nothing says more than the lock itself: RocksDB's status for it is a plain input/output error.
bool IsLocked(const rocksdb::Status& status) {
  return status.IsIOError() && status.ToString().find("lock") != std::string::npos;
}

/// A store that is only read takes no lock; it must not be one that is being written.
Result<void> CheckNobodyWrites(rocksdb::Env& env, const std::string& path) {
  const std::string lock_path = path + "/LOCK";
  if (!env.FileExists(lock_path).ok()) {
    return {};
  }
  rocksdb::FileLock* lock = nullptr;
  const rocksdb::Status status = env.LockFile(lock_path, &lock);
  if (status.ok()) {
    return ToResult(env.UnlockFile(lock), "unlock " + lock_path);
  }
  // On a medium that cannot be written nobody else writes.
  std::error_code ignored;
  const auto mode = std::filesystem::status(lock_path, ignored).permissions();
  using std::filesystem::perms;
  return IsLocked(status) && (mode & perms::owner_write) != perms::none ? InUse(path)
                                                                        : Result<void>();
}

rocksdb::Status OpenToWrite(Database& database) {
  rocksdb::DB* db = nullptr;
  rocksdb::Status status = rocksdb::DB::Open(database.tuned, database.path, &db);
  database.db.reset(db);
  return status;
}

Result<void> OpenReadWrite(Database& database) {
  std::error_code failed;
  std::filesystem::create_directories(database.path, failed);
  if (failed) {
    return FailPrivately(ErrorCode::kUnavailable,
                         "make the folder " + database.path + ": " + failed.message());
  }
  const rocksdb::Status status = OpenToWrite(database);
  if (IsLocked(status)) {
    return InUse(database.path);
  }
  return ToResult(status, "open the store in " + database.path);
}

Result<void> OpenForReading(Database& database) {
  if (!database.env->FileExists(database.path + "/CURRENT").ok()) {
    return Fail(ErrorCode::kNotFound, "there is no store in " + database.path);
  }
  RETURN_IF_ERROR(CheckNobodyWrites(*database.env, database.path));
  rocksdb::DB* db = nullptr;
  const rocksdb::Status status = rocksdb::DB::OpenForReadOnly(database.tuned, database.path, &db);
  database.db.reset(db);
  return ToResult(status, "open the store in " + database.path);
}

bool IsEmpty(rocksdb::DB& db) {
  rocksdb::ReadOptions options;
  options.total_order_seek = true;
  const std::unique_ptr<rocksdb::Iterator> rows(db.NewIterator(options));
  rows->SeekToFirst();
  return !rows->Valid() && rows->status().ok();
}

/// A new store gets its metadata before anything else, so one without them is not a store.
Result<void> ReadMetadata(Database& database, Access access) {
  std::string value;
  const rocksdb::Status status = database.db->Get({}, rocksdb::Slice(kMetadataKey), &value);
  if (status.IsNotFound() && access == Access::kReadWrite && IsEmpty(*database.db)) {
    database.metadata = {.format = kLayoutFormat};
    rocksdb::WriteOptions synced;
    synced.sync = true;
    return ToResult(
        database.db->Put(synced, rocksdb::Slice(kMetadataKey), EncodeMetadata(database.metadata)),
        "make the store in " + database.path);
  }
  if (status.IsNotFound()) {
    return Fail(ErrorCode::kCorrupt, "what is in " + database.path + " is not a store of Atrium");
  }
  RETURN_IF_ERROR(ToResult(status, "read the metadata of the store in " + database.path));
  const std::optional<Metadata> metadata = DecodeMetadata(value);
  if (!metadata) {
    return Fail(ErrorCode::kCorrupt, "what is in " + database.path + " is not a store of Atrium");
  }
  if (metadata->format > kLayoutFormat) {
    return Fail(ErrorCode::kCorrupt,
                "the store in " + database.path +
                    " was written by a newer version of Atrium: its format is " +
                    std::to_string(metadata->format) + ", this one knows " +
                    std::to_string(kLayoutFormat));
  }
  database.metadata = *metadata;
  return {};
}

}  // namespace

Result<std::unique_ptr<Database>> OpenDatabase(
    const RocksOptions& options, const Clock& clock,
    const std::shared_ptr<rocksdb::FileSystem>& file_system, Access access) {
  auto database = std::make_unique<Database>();
  database->path = options.path;
  database->env = rocksdb::NewCompositeEnv(WithZeroedLogs(file_system));
  database->tuned = Tune(options, clock, *database);
  RETURN_IF_ERROR(access == Access::kReadWrite ? OpenReadWrite(*database)
                                               : OpenForReading(*database));
  RETURN_IF_ERROR(ReadMetadata(*database, access));
  return database;
}

rocksdb::Status ReopenDatabase(Database& database) {
  database.db.reset();
  database.faults->Forget();
  database.recent->Forget();
  return OpenToWrite(database);
}

Result<Gate::Pass> Enter(Database& database) {
  std::optional<Gate::Pass> pass = database.gate.Enter();
  if (!pass) {
    return FailPrivately(ErrorCode::kUnavailable, "the store is being opened again");
  }
  return *std::move(pass);
}

}  // namespace atrium::rocks
