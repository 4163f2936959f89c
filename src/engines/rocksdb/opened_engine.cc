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
#include "engines/rocksdb/pulse.h"
#include "engines/rocksdb/reads.h"
#include "engines/rocksdb/row_changes.h"
#include "engines/rocksdb/statistics.h"
#include "engines/rocksdb/status.h"
#include "engines/rocksdb/unsettled.h"
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
    pulse_.reset();
    if (!writer_ || database_->obstacle) {
      return;
    }
    if (const Result<void> synced = writer_->SyncLog(); synced) {
      ShortenLog(*database_);
      Unmark();
    } else {
      log::Error("the store was closed with a log not synced",
                 {{"detail", Describe(synced.error())}});
    }
  }

  void BeginWriting(const RocksOptions& options) {
    durability_ = options.durability;
    writer_.emplace(*database_, clock_,
                    Writer::Settings{.durability = options.durability,
                                     .reserve_bytes = options.disk_reserve_bytes});
    pulse_.emplace(*writer_, options);
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

  std::optional<std::string> Obstacle() override {
    return writer_ ? writer_->Obstacle() : "the store is open for reading only";
  }

  bool MayHaveGoneBack() const override { return database_->may_have_gone_back; }

  Result<void> Settle() override {
    database_->may_have_gone_back = false;
    return durability_ == Durability::kDurable ? MarkSettled(*database_->env, database_->path)
                                               : Result<void>();
  }

  void SetErasureHorizon(Instant horizon) override { database_->horizon->store(horizon); }

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
  /// All is on the disk, so the next opening finds all of it.
  void Unmark() {
    if (database_->may_have_gone_back) {
      return;
    }
    if (const Result<void> settled = MarkSettled(*database_->env, database_->path); !settled) {
      log::Warn("the store was not marked as closed", {{"detail", Describe(settled.error())}});
    }
  }

  /// For work that writes beside the writer: not while the disk fails, or it would meet a log that
  /// RocksDB does not expect to be touched any more.
  Result<Gate::Pass> EnterToWrite() {
    if (!writer_) {
      return OnlyRead();
    }
    if (database_->faults->Heard()) {
      return std::unexpected(ToError(database_->faults->Last(), "the store cannot write"));
    }
    ASSIGN_OR_RETURN(Gate::Pass pass, Enter(*database_));
    if (database_->obstacle) {
      return std::unexpected(ToError(*database_->obstacle, "the store cannot write"));
    }
    return pass;
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
  std::optional<Pulse> pulse_;
  Durability durability_ = Durability::kDurable;
};

}  // namespace

Result<std::unique_ptr<RocksEngine>> OpenOn(const RocksOptions& options, const Clock& clock,
                                            const std::shared_ptr<rocksdb::FileSystem>& file_system,
                                            Access access) {
  ASSIGN_OR_RETURN(std::unique_ptr<Database> database,
                   OpenDatabase(options, clock, file_system, access));
  auto engine = std::make_unique<OpenedEngine>(std::move(database), clock);
  if (access == Access::kReadWrite) {
    engine->BeginWriting(options);
  }
  return engine;
}

Result<std::unique_ptr<RocksEngine>> RocksEngine::Open(const RocksOptions& options,
                                                       const Clock& clock) {
  return OpenOn(options, clock, rocksdb::FileSystem::Default(), Access::kReadWrite);
}

Result<std::optional<LogDamage>> RocksEngine::FindDamage(const RocksOptions& options,
                                                         const Clock& clock) {
  return FindDamageOn(options, clock, rocksdb::FileSystem::Default());
}

Result<std::unique_ptr<RocksEngine>> RocksEngine::OpenReadOnly(const RocksOptions& options,
                                                               const Clock& clock) {
  return OpenOn(options, clock, rocksdb::FileSystem::Default(), Access::kReadOnly);
}

}  // namespace atrium::rocks
