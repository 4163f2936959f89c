// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "engines/rocksdb/statistics.h"

#include <cstdint>
#include <string>
#include <utility>

namespace atrium::rocks {
namespace {

using Kind = store::Statistic::Kind;
using Properties = rocksdb::DB::Properties;

/// Collects figures under their names.
class Figures {
 public:
  void Add(std::string name, std::string help, Kind kind, double value) {
    figures_.push_back(
        {.name = std::move(name), .help = std::move(help), .kind = kind, .value = value});
  }
  void Counter(std::string name, std::string help, std::uint64_t value) {
    Add(std::move(name), std::move(help), Kind::kCounter, static_cast<double>(value));
  }
  void Gauge(std::string name, std::string help, std::uint64_t value) {
    Add(std::move(name), std::move(help), Kind::kGauge, static_cast<double>(value));
  }

  std::vector<store::Statistic> Take() { return std::move(figures_); }

 private:
  std::vector<store::Statistic> figures_;
};

std::uint64_t Property(rocksdb::DB& db, const std::string& name) {
  std::uint64_t value = 0;
  db.GetIntProperty(name, &value);
  return value;
}

void AddWriter(Figures& figures, const WriterTally& tally) {
  figures.Counter("commits_total", "Changes that were written.", tally.commits);
  figures.Counter("commits_refused_total",
                  "Changes that were not written: an expectation, a bound, a full disk.",
                  tally.refused);
  figures.Counter("commits_failed_total", "Changes whose outcome is unknown.", tally.failed);
  figures.Counter("batches_total", "Writes of the writer, each of one or more changes.",
                  tally.batches);
  figures.Counter("syncs_total", "Writes of the writer that waited for the disk.", tally.syncs);
  figures.Add("commits_per_batch", "Changes written at once, on average.", Kind::kGauge,
              tally.batches == 0
                  ? 0
                  : static_cast<double>(tally.commits) / static_cast<double>(tally.batches));
  figures.Gauge("queued_commits", "Changes that wait for the writer.", tally.queued);
}

void AddReads(Figures& figures, const Database& database) {
  const rocksdb::Statistics& counted = *database.statistics;
  figures.Counter("recent_rows_hits_total", "Rows found among those read lately.",
                  database.recent->Hits());
  figures.Counter("recent_rows_misses_total", "Rows looked for in the database.",
                  database.recent->Misses());
  figures.Gauge("recent_rows_bytes", "Memory of the rows read lately.", database.recent->Bytes());
  figures.Counter("block_cache_hits_total", "Blocks found in the cache.",
                  counted.getTickerCount(rocksdb::BLOCK_CACHE_HIT));
  figures.Counter("block_cache_misses_total", "Blocks read from a file.",
                  counted.getTickerCount(rocksdb::BLOCK_CACHE_MISS));
  figures.Gauge("block_cache_bytes", "Memory of the cache in use, with rows not yet in a file.",
                database.cache->GetUsage());
  figures.Gauge("block_cache_bytes_max", "Memory the cache may use.",
                database.cache->GetCapacity());
  figures.Counter("filter_hits_total", "Files not read because their filter knew better.",
                  counted.getTickerCount(rocksdb::BLOOM_FILTER_USEFUL));
}

void AddFiles(Figures& figures, Database& database) {
  rocksdb::DB& db = *database.db;
  const rocksdb::Statistics& counted = *database.statistics;
  figures.Gauge("estimated_rows", "Rows, about.", Property(db, Properties::kEstimateNumKeys));
  figures.Gauge("memtable_bytes", "Rows that are in memory and in the log only.",
                Property(db, Properties::kCurSizeAllMemTables));
  figures.Gauge("table_bytes", "Table files in use.", Property(db, Properties::kLiveSstFilesSize));
  figures.Gauge("table_bytes_total", "Table files, also those not yet erased.",
                Property(db, Properties::kTotalSstFilesSize));
  figures.Gauge(
      "levels", "Levels of table files in use.",
      static_cast<std::uint64_t>(db.NumberLevels()) - Property(db, Properties::kBaseLevel) + 1);
  std::string files;
  db.GetProperty(Properties::kNumFilesAtLevelPrefix + "0", &files);
  figures.Gauge("level0_files", "Files that were not yet merged.",
                files.empty() ? 0 : std::stoull(files));
  figures.Gauge("pending_compaction_bytes", "What is yet to be rewritten, about.",
                Property(db, Properties::kEstimatePendingCompactionBytes));
  figures.Gauge("running_compactions", "Rewriting of files at work.",
                Property(db, Properties::kNumRunningCompactions));
  figures.Gauge("running_flushes", "Writing of rows from memory into files at work.",
                Property(db, Properties::kNumRunningFlushes));
  figures.Counter("log_bytes_total", "Bytes written to the log.",
                  counted.getTickerCount(rocksdb::WAL_FILE_BYTES));
  figures.Counter("log_syncs_total", "Syncs of the log.",
                  counted.getTickerCount(rocksdb::WAL_FILE_SYNCED));
  figures.Counter("flushed_bytes_total", "Bytes written from memory into files.",
                  counted.getTickerCount(rocksdb::FLUSH_WRITE_BYTES));
  figures.Counter("compaction_read_bytes_total", "Bytes read to rewrite files.",
                  counted.getTickerCount(rocksdb::COMPACT_READ_BYTES));
  figures.Counter("compaction_written_bytes_total", "Bytes written to rewrite files.",
                  counted.getTickerCount(rocksdb::COMPACT_WRITE_BYTES));
  figures.Counter("expired_rows_removed_total", "Expired rows that left the disk.",
                  database.expired_rows->load(std::memory_order_relaxed));
}

void AddFaults(Figures& figures, const Database& database, const WriterTally& tally) {
  figures.Counter("background_errors_total", "Failures of the disk behind the scenes.",
                  database.faults->Errors());
  figures.Gauge("background_error",
                "1 while a failure or a full disk keeps the store from writing.",
                database.faults->Heard() || tally.obstructed ? 1 : 0);
  figures.Counter("write_stalls_total", "Times that writing was slowed down or stopped.",
                  database.faults->Stalls());
  figures.Counter("write_stall_seconds_total", "Time lost to that.",
                  database.statistics->getTickerCount(rocksdb::STALL_MICROS) / 1'000'000);
}

}  // namespace

std::vector<store::Statistic> StatisticsWhenClosed(const Database& database,
                                                   const WriterTally& tally) {
  Figures figures;
  AddWriter(figures, tally);
  AddFaults(figures, database, tally);
  return figures.Take();
}

std::vector<store::Statistic> StatisticsOf(Database& database, const WriterTally& tally) {
  Figures figures;
  AddWriter(figures, tally);
  AddReads(figures, database);
  AddFiles(figures, database);
  AddFaults(figures, database, tally);
  return figures.Take();
}

}  // namespace atrium::rocks
