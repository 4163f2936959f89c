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
#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "engines/rocksdb/engine.h"
#include "engines/rocksdb/fault_listener.h"
#include "engines/rocksdb/layout.h"

namespace atrium::rocks {

/// An open RocksDB with what it stands on; members are destroyed in the reverse of this order.
struct Database {
  std::string path;
  std::unique_ptr<rocksdb::Env> env;
  std::shared_ptr<rocksdb::Statistics> statistics;
  std::shared_ptr<rocksdb::Cache> cache;
  std::shared_ptr<rocksdb::WriteBufferManager> write_buffers;
  std::shared_ptr<FaultListener> faults;
  /// Rows that the compaction filter removed.
  std::shared_ptr<std::atomic<std::uint64_t>> expired_rows;
  std::unique_ptr<rocksdb::DB> db;
  /// As read when it was opened.
  Metadata metadata;
};

enum class Access : std::uint8_t { kReadWrite, kReadOnly };

/// How RocksDB is set up for `options`; fills the shared parts of `database`.
rocksdb::Options Tune(const RocksOptions& options, const Clock& clock, Database& database);

/// Opens the database on a file system, and makes it when there is none and it may be written.
/// Refuses with kCorrupt what is not a store, or one of a newer layout; with kUnavailable one that
/// another process has open.
Result<std::unique_ptr<Database>> OpenDatabase(
    const RocksOptions& options, const Clock& clock,
    const std::shared_ptr<rocksdb::FileSystem>& file_system, Access access);

}  // namespace atrium::rocks
