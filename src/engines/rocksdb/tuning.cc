// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <rocksdb/filter_policy.h>
#include <rocksdb/table.h>

#include <algorithm>
#include <cstddef>

#include "engines/rocksdb/database.h"
#include "engines/rocksdb/expiry_filter.h"
#include "engines/rocksdb/forwarded_log.h"
#include "engines/rocksdb/partition_prefix.h"

namespace atrium::rocks {
namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20;

/// Everything a table file is read through lies in the one cache: data, indexes, filters. Both
/// indexes and filters are cut into small parts, or those of one file would push out thousands of
/// data blocks at a time.
rocksdb::BlockBasedTableOptions TableOptions(const std::shared_ptr<rocksdb::Cache>& cache) {
  rocksdb::BlockBasedTableOptions table;
  table.block_cache = cache;
  table.block_size = std::size_t{16} << 10;
  table.cache_index_and_filter_blocks = true;
  table.cache_index_and_filter_blocks_with_high_priority = true;
  table.pin_l0_filter_and_index_blocks_in_cache = true;
  table.pin_top_level_index_and_filter = true;
  table.index_type = rocksdb::BlockBasedTableOptions::kTwoLevelIndexSearch;
  table.partition_filters = true;
  table.data_block_index_type = rocksdb::BlockBasedTableOptions::kDataBlockBinaryAndHash;
  table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(10, false));
  table.whole_key_filtering = true;
  table.format_version = 5;
  return table;
}

/// Rows wait in memory, then in files of level 0. A store is opened by reading the log of what is
/// in memory, so that bounds how long opening takes.
void TuneWriting(rocksdb::Options& tuned, std::size_t memory_bytes) {
  tuned.write_buffer_size = std::clamp(memory_bytes / 16, kMiB, 32 * kMiB);
  tuned.max_write_buffer_number = 4;
  tuned.min_write_buffer_number_to_merge = 1;
  tuned.max_total_wal_size = 3 * tuned.write_buffer_size;
  // Whatever leaves level 0 has the first level rewritten with it: that one is about as large as
  // what comes together in level 0, compressed, and not as large as the whole store of a group.
  tuned.max_bytes_for_level_base = 4 * tuned.write_buffer_size;
  // Commits of new rows ask for keys that are not there.
  tuned.memtable_prefix_bloom_size_ratio = 0.05;
  tuned.memtable_whole_key_filtering = true;
  // There is one writer.
  tuned.allow_concurrent_memtable_write = false;
  tuned.enable_write_thread_adaptive_yield = false;
  tuned.wal_recovery_mode = rocksdb::WALRecoveryMode::kPointInTimeRecovery;
}

void TuneFiles(rocksdb::Options& tuned) {
  tuned.compression = rocksdb::kLZ4Compression;
  tuned.level_compaction_dynamic_level_bytes = true;
  tuned.target_file_size_base = 64 * kMiB;
  tuned.max_background_jobs = 2;
  // Each compaction of level 0 rewrites much of the level below. Twice as many files as usual are
  // let come together first; filters keep readers out of nearly all of them.
  tuned.level0_file_num_compaction_trigger = 8;
  tuned.bytes_per_sync = kMiB;
  tuned.compaction_readahead_size = kMiB;
  // What is open costs little, since all of it but its name lies in the cache.
  tuned.max_open_files = -1;
  tuned.skip_stats_update_on_db_open = true;
  tuned.skip_checking_sst_file_sizes_on_db_open = true;
}

void TuneLogging(rocksdb::Options& tuned) {
  tuned.info_log = MakeForwardedLog();
  tuned.stats_dump_period_sec = 0;
  tuned.stats_persist_period_sec = 0;
}

}  // namespace

rocksdb::Options Tune(const RocksOptions& options, const Clock& clock, Database& database) {
  database.statistics = rocksdb::CreateDBStatistics();
  database.statistics->set_stats_level(rocksdb::StatsLevel::kExceptHistogramOrTimers);
  // Of sixteen parts five are for rows that are read often: a row there takes a fraction of the
  // block it lies in. Two are left for what nobody counts: buffers of compactions, open files, the
  // allocator's gaps.
  database.recent = std::make_shared<RecentRows>(options.memory_bytes / 16 * 5);
  database.cache = rocksdb::NewLRUCache(options.memory_bytes / 16 * 9);
  database.write_buffers = std::make_shared<rocksdb::WriteBufferManager>(
      std::max(options.memory_bytes / 4, 2 * kMiB), database.cache);
  database.faults = std::make_shared<FaultListener>();
  database.expired_rows = std::make_shared<std::atomic<std::uint64_t>>(0);
  database.horizon = std::make_shared<std::atomic<Instant>>(
      options.removal == Removal::kByClock ? Instant::max() : Instant());

  rocksdb::Options tuned;
  tuned.env = database.env.get();
  tuned.create_if_missing = true;
  tuned.statistics = database.statistics;
  tuned.write_buffer_manager = database.write_buffers;
  tuned.listeners = {database.faults};
  tuned.compaction_filter_factory = MakeExpiryFilter(
      clock,
      {.horizon = database.horizon, .removed = database.expired_rows, .recent = database.recent});
  tuned.prefix_extractor = MakePartitionPrefix();
  tuned.table_factory.reset(rocksdb::NewBlockBasedTableFactory(TableOptions(database.cache)));
  // The writer recovers, when a commit comes: see watch.h.
  tuned.max_bgerror_resume_count = 0;
  TuneWriting(tuned, options.memory_bytes);
  TuneFiles(tuned);
  TuneLogging(tuned);
  return tuned;
}

}  // namespace atrium::rocks
