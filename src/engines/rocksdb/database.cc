// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "engines/rocksdb/database.h"

#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

#include "base/log.h"
#include "engines/rocksdb/log_check.h"
#include "engines/rocksdb/status.h"
#include "engines/rocksdb/unsettled.h"
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

bool IsThere(const Database& database) {
  return database.env->FileExists(database.path + "/CURRENT").ok();
}

void Unlock(Database& database) {
  if (database.lock != nullptr) {
    database.env->UnlockFile(std::exchange(database.lock, nullptr)).PermitUncheckedError();
  }
}

/// Opening reads the log, writes what it holds into a table file, and begins a new log. On a disk
/// without room for that the store can still be read. Answers with what is in the way of writing.
rocksdb::Status OpenToReadMeanwhile(Database& database, const rocksdb::Status& full) {
  rocksdb::Status status = database.env->LockFile(database.path + "/LOCK", &database.lock);
  rocksdb::DB* db = nullptr;
  if (status.ok()) {
    status = rocksdb::DB::OpenForReadOnly(database.tuned, database.path, &db);
  }
  database.db.reset(db);
  if (!status.ok()) {
    Unlock(database);
    return status;
  }
  if (!database.obstacle) {
    log::Error("the disk is full: the store can only be read until there is space",
               {{"folder", database.path}, {"detail", full.ToString()}});
  }
  database.obstacle = full;
  return full;
}

/// `db` is open when it answers with an error, too, if it can at least be read.
rocksdb::Status OpenToWrite(Database& database) {
  Unlock(database);
  rocksdb::DB* db = nullptr;
  rocksdb::Status status = rocksdb::DB::Open(database.tuned, database.path, &db);
  database.db.reset(db);
  if (status.IsNoSpace() && IsThere(database)) {
    return OpenToReadMeanwhile(database, status);
  }
  if (status.ok()) {
    database.obstacle.reset();
  }
  return status;
}

/// Sees to it that whoever opens the store next learns that it may have gone back, and finds out
/// whether it may have now.
Result<void> NoteSettlement(Database& database, const RocksOptions& options, bool drops) {
  database.may_have_gone_back =
      IsThere(database) && (IsUnsettled(*database.env, database.path) || drops);
  if (options.durability == Durability::kRelaxed || drops) {
    return MarkUnsettled(*database.env, database.path);
  }
  return {};
}

/// Before RocksDB opens a store, and takes the first thing it cannot read for the end of the log.
Result<void> CheckLog(Database& database, const RocksOptions& options) {
  if (!IsThere(database)) {
    return NoteSettlement(database, options, false);
  }
  RETURN_IF_ERROR(CheckNobodyWrites(*database.env, database.path));
  ASSIGN_OR_RETURN(const std::optional<LogDamage> damage, FindLogDamage(database));
  if (damage && options.on_damage == OnDamage::kRefuse) {
    return std::unexpected(ToError(database, *damage));
  }
  return NoteSettlement(database, options, damage.has_value());
}

Result<void> OpenReadWrite(Database& database, const RocksOptions& options) {
  std::error_code failed;
  std::filesystem::create_directories(database.path, failed);
  if (failed) {
    return FailPrivately(ErrorCode::kUnavailable,
                         "make the folder " + database.path + ": " + failed.message());
  }
  RETURN_IF_ERROR(CheckLog(database, options));
  const rocksdb::Status status = OpenToWrite(database);
  if (IsLocked(status)) {
    return InUse(database.path);
  }
  if (database.db) {
    return {};
  }
  return ToResult(status, "open the store in " + database.path);
}

Result<void> OpenForReading(Database& database) {
  if (!IsThere(database)) {
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

rocksdb::Status WentBack() {
  return rocksdb::Status::Corruption(
      "the disk failed, and the last changes of the store, which is of relaxed durability, are "
      "gone: "
      "start the server again");
}

/// Not open yet.
std::unique_ptr<Database> Describe(const RocksOptions& options, const Clock& clock,
                                   const std::shared_ptr<rocksdb::FileSystem>& file_system) {
  auto database = std::make_unique<Database>();
  database->path = options.path;
  database->durability = options.durability;
  database->env = rocksdb::NewCompositeEnv(WithZeroedLogs(file_system));
  database->tuned = Tune(options, clock, *database);
  return database;
}

}  // namespace

Database::~Database() {
  db.reset();
  Unlock(*this);
}

Result<std::optional<LogDamage>> FindDamageOn(
    const RocksOptions& options, const Clock& clock,
    const std::shared_ptr<rocksdb::FileSystem>& file_system) {
  const std::unique_ptr<Database> database = Describe(options, clock, file_system);
  if (!IsThere(*database)) {
    return Fail(ErrorCode::kNotFound, "there is no store in " + database->path);
  }
  RETURN_IF_ERROR(CheckNobodyWrites(*database->env, database->path));
  return FindLogDamage(*database);
}

Result<std::unique_ptr<Database>> OpenDatabase(
    const RocksOptions& options, const Clock& clock,
    const std::shared_ptr<rocksdb::FileSystem>& file_system, Access access) {
  std::unique_ptr<Database> database = Describe(options, clock, file_system);
  RETURN_IF_ERROR(access == Access::kReadWrite ? OpenReadWrite(*database, options)
                                               : OpenForReading(*database));
  RETURN_IF_ERROR(ReadMetadata(*database, access));
  return database;
}

rocksdb::Status ReopenDatabase(Database& database) {
  if (database.went_back) {
    return WentBack();
  }
  const std::uint64_t reached = database.db ? database.db->GetLatestSequenceNumber() : 0;
  database.db.reset();
  database.faults->Forget();
  database.recent->Forget();
  const Result<std::optional<LogDamage>> damage = FindLogDamage(database);
  if (damage && *damage) {
    return rocksdb::Status::Corruption(ToError(database, **damage).detail);
  }
  rocksdb::Status status = OpenToWrite(database);
  if (database.durability == Durability::kRelaxed && database.db &&
      database.db->GetLatestSequenceNumber() < reached) {
    database.db.reset();
    database.went_back = true;
    log::Error("the store cannot be used any more", {{"detail", WentBack().ToString()}});
    return WentBack();
  }
  return status;
}

Result<Gate::Pass> Enter(Database& database) {
  std::optional<Gate::Pass> pass = database.gate.Enter();
  if (!pass) {
    return FailPrivately(ErrorCode::kUnavailable, "the store is being opened again");
  }
  return *std::move(pass);
}

}  // namespace atrium::rocks
