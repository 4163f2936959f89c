// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "engines/rocksdb/opened_engine.h"

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/log.h"
#include "engines/rocksdb/commit_change.h"
#include "engines/rocksdb/log_syncer.h"
#include "engines/rocksdb/reads.h"
#include "engines/rocksdb/row_changes.h"
#include "engines/rocksdb/statistics.h"
#include "engines/rocksdb/status.h"
#include "engines/rocksdb/upkeep.h"
#include "engines/rocksdb/writer.h"

namespace atrium::rocks {
namespace {

std::unexpected<Error> OnlyRead() {
  return Fail(ErrorCode::kUnavailable, "the store is open for reading only");
}

/// An open database with its readers and, unless it is only read, its writer.
class OpenedEngine final : public RocksEngine {
 public:
  OpenedEngine(std::unique_ptr<Database> database, const Clock& clock)
      : database_(std::move(database)), clock_(clock), reads_(*database_, clock) {}

  ~OpenedEngine() override {
    syncer_.reset();
    if (!writer_) {
      return;
    }
    if (const Result<void> synced = writer_->SyncLog(); synced) {
      ShortenLog(*database_);
    } else {
      log::Error("the store was closed with a log not synced",
                 {{"detail", Describe(synced.error())}});
    }
  }

  void BeginWriting(const Writer::Settings& settings) {
    writer_.emplace(*database_, clock_, settings);
    if (settings.durability == Durability::kRelaxed) {
      syncer_.emplace(*writer_);
    }
  }

  Result<std::optional<store::Row>> Get(const store::OpContext& op, const store::Table& table,
                                        const store::KeyView& key) override {
    return reads_.Get(op, table, key);
  }

  Result<std::vector<std::optional<store::Row>>> GetMany(
      const store::OpContext& op, const store::Table& table,
      std::span<const store::Key> keys) override {
    return reads_.GetMany(op, table, keys);
  }

  Result<store::ScanEnd> Scan(const store::OpContext& op, const store::ScanRequest& request,
                              store::RowSink& sink) override {
    return reads_.Scan(op, request, sink);
  }

  Result<store::WalkEnd> Walk(const store::OpContext& op, const store::WalkRequest& request,
                              store::RowSink& sink) override {
    return reads_.Walk(op, request, sink);
  }

  Result<store::Receipt> Commit(const store::OpContext& op, store::WriteSet writes) override {
    RETURN_IF_ERROR(BeginChange(op));
    auto change = std::make_shared<CommitChange>(std::move(writes));
    RETURN_IF_ERROR(Prepare(*change));
    return writer_->Submit(op, std::move(change));
  }

  Result<void> WriteImmutable(const store::OpContext& op, const store::Table& table,
                              std::span<const store::ImmutableRow> rows) override {
    while (!rows.empty()) {
      RETURN_IF_ERROR(BeginChange(op));
      auto change = std::make_shared<ImmutableChange>(table, rows);
      RETURN_IF_ERROR(Prepare(*change));
      RETURN_IF_ERROR(writer_->Submit(op, std::move(change)));
    }
    return {};
  }

  Result<void> Load(const store::OpContext& op, const store::Table& table,
                    std::span<const store::KeyedRow> rows) override {
    while (!rows.empty()) {
      RETURN_IF_ERROR(BeginChange(op));
      RETURN_IF_ERROR(writer_->Submit(op, std::make_shared<LoadChange>(table, rows)));
    }
    return {};
  }

  std::vector<store::Statistic> Statistics() override {
    const Result<Gate::Pass> pass = Enter(*database_);
    const WriterTally tally = writer_ ? writer_->Tally() : WriterTally{};
    return pass ? StatisticsOf(*database_, tally) : StatisticsWhenClosed(*database_, tally);
  }

  bool IsTidying() override {
    const Result<Gate::Pass> pass = Enter(*database_);
    std::uint64_t running = 0;
    return pass &&
           database_->db->GetIntProperty(rocksdb::DB::Properties::kNumRunningCompactions,
                                         &running) &&
           running > 0;
  }

  Result<Backup> MakeBackup(const std::string& folder, const Progress& progress) override {
    ASSIGN_OR_RETURN(const Gate::Pass pass, EnterToWrite());
    return BackUp(*database_, folder, progress);
  }

  Result<void> Checkpoint(const std::string& folder) override {
    ASSIGN_OR_RETURN(const Gate::Pass pass, EnterToWrite());
    return MakeCheckpoint(*database_, folder);
  }

  Result<void> Compact(const Progress& progress) override {
    ASSIGN_OR_RETURN(const Gate::Pass pass, EnterToWrite());
    return CompactAll(*database_, progress);
  }

 private:
  /// For work that writes beside the writer: not while the disk fails, or it would meet a log that
  /// RocksDB does not expect to be touched any more.
  Result<Gate::Pass> EnterToWrite() {
    if (!writer_) {
      return OnlyRead();
    }
    if (database_->faults->Heard()) {
      return std::unexpected(ToError(database_->faults->Last(), "the store cannot write"));
    }
    return Enter(*database_);
  }

  Result<void> BeginChange(const store::OpContext& op) const {
    return writer_ ? CheckDeadline(op, clock_) : OnlyRead();
  }

  /// Not inside the gate while it waits: the writer may have to close it. When it is closed, the
  /// writer reads what was not read ahead, once it has opened the database again.
  template <typename Prepared>
  Result<void> Prepare(Prepared& change) {
    const std::optional<Gate::Pass> pass = database_->gate.Enter();
    return pass ? change.Prepare(*database_, writer_->VisibleBatch()) : Result<void>();
  }

  const std::unique_ptr<Database> database_;
  const Clock& clock_;
  const Reads reads_;
  std::optional<Writer> writer_;
  std::optional<LogSyncer> syncer_;
};

}  // namespace

Result<std::unique_ptr<RocksEngine>> OpenOn(const RocksOptions& options, const Clock& clock,
                                            const std::shared_ptr<rocksdb::FileSystem>& file_system,
                                            Access access) {
  ASSIGN_OR_RETURN(std::unique_ptr<Database> database,
                   OpenDatabase(options, clock, file_system, access));
  auto engine = std::make_unique<OpenedEngine>(std::move(database), clock);
  if (access == Access::kReadWrite) {
    engine->BeginWriting(
        {.durability = options.durability, .reserve_bytes = options.disk_reserve_bytes});
  }
  return engine;
}

Result<std::unique_ptr<RocksEngine>> RocksEngine::Open(const RocksOptions& options,
                                                       const Clock& clock) {
  return OpenOn(options, clock, rocksdb::FileSystem::Default(), Access::kReadWrite);
}

Result<std::unique_ptr<RocksEngine>> RocksEngine::OpenReadOnly(const RocksOptions& options,
                                                               const Clock& clock) {
  return OpenOn(options, clock, rocksdb::FileSystem::Default(), Access::kReadOnly);
}

}  // namespace atrium::rocks
