// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rocksdb/cache.h>
#include <rocksdb/db.h>
#include <rocksdb/env.h>
#include <rocksdb/file_system.h>
#include <rocksdb/options.h>
#include <rocksdb/statistics.h>
#include <rocksdb/write_buffer_manager.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "engines/rocksdb/engine.h"
#include "engines/rocksdb/fault_listener.h"
#include "engines/rocksdb/gate.h"
#include "engines/rocksdb/layout.h"
#include "engines/rocksdb/recent_rows.h"

namespace atrium::rocks {

/// A RocksDB with what it stands on; members are destroyed in the reverse of this order. All but
/// `db` stay the same when it is opened again.
struct Database {
  Database() = default;
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  ~Database();

  std::string path;
  Durability durability = Durability::kDurable;
  std::unique_ptr<rocksdb::Env> env;
  std::shared_ptr<rocksdb::Statistics> statistics;
  std::shared_ptr<rocksdb::Cache> cache;
  std::shared_ptr<RecentRows> recent;
  std::shared_ptr<rocksdb::WriteBufferManager> write_buffers;
  std::shared_ptr<FaultListener> faults;
  /// Rows that the compaction filter removed.
  std::shared_ptr<std::atomic<std::uint64_t>> expired_rows;
  /// See RocksEngine::SetErasureHorizon().
  std::shared_ptr<std::atomic<Instant>> horizon;
  rocksdb::Options tuned;
  /// Whoever uses `db` is inside; the writer alone needs no pass, because it alone closes the gate.
  Gate gate;
  std::unique_ptr<rocksdb::DB> db;
  /// Why `db` is open for reading only although it was to be written: the disk is full.
  std::optional<rocksdb::Status> obstacle;
  /// Held while that is so, since RocksDB then holds none.
  rocksdb::FileLock* lock = nullptr;
  /// See RocksEngine::MayHaveGoneBack().
  bool may_have_gone_back = false;
  /// It went back while it was in use. Nobody uses it any more until the process starts anew: what
  /// listeners and caches know of it is not true any more.
  bool went_back = false;
  /// As read when it was opened first.
  Metadata metadata;
};

enum class Access : std::uint8_t { kReadWrite, kReadOnly };

/// How RocksDB is set up for `options`; fills the shared parts of `database`.
rocksdb::Options Tune(const RocksOptions& options, const Clock& clock, Database& database);

/// Opens the database on a file system, and makes it when there is none and it may be written.
/// Refuses with kCorrupt what is not a store, one of a newer layout, and one whose log is damaged;
/// with kUnavailable one that another process has open. On a full disk it is open for reading.
Result<std::unique_ptr<Database>> OpenDatabase(
    const RocksOptions& options, const Clock& clock,
    const std::shared_ptr<rocksdb::FileSystem>& file_system, Access access);

/// RocksEngine::FindDamage() on a file system.
Result<std::optional<LogDamage>> FindDamageOn(
    const RocksOptions& options, const Clock& clock,
    const std::shared_ptr<rocksdb::FileSystem>& file_system);

/// Closes the database and opens it again, which cures it of whatever its memory holds against the
/// disk. When the disk is full, it is open for reading afterwards; `db` is null when that fails,
/// too, and when acknowledged changes of a store of relaxed durability are gone. Nobody is inside
/// the gate.
rocksdb::Status ReopenDatabase(Database& database);

/// A pass of the gate; kUnavailable when the database is not open.
Result<Gate::Pass> Enter(Database& database);

}  // namespace atrium::rocks
