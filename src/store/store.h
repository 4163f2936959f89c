// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "store/batch.h"
#include "store/change_signals.h"
#include "store/collection.h"
#include "store/decoded_records.h"
#include "store/engine.h"
#include "store/store_metrics.h"
#include "store/write_counts.h"

namespace atrium::store {

/// What rooms use: an engine with everything around it that is the same for all engines. Keeps the
/// limits, counts operations (for budgets and metrics), makes named requests take effect once, lets
/// nobody write whose right to do so has ended, and wakes those who watch a log. Any thread.
/// `engine` and `clock` outlive it.
class Store final : public Engine {
 public:
  Store(Engine& engine, const Clock& clock) : engine_(engine), clock_(clock) {}

  Result<std::optional<Row>> Get(const OpContext& op, const Table& table,
                                 const KeyView& key) override;
  Result<std::vector<std::optional<Row>>> GetMany(const OpContext& op, const Table& table,
                                                  std::span<const Key> keys) override;
  Result<ScanEnd> Scan(const OpContext& op, const ScanRequest& request, RowSink& sink) override;
  /// kConflict with OnceOnly::GetReplay() set when the same named request has been answered
  /// already.
  Result<Receipt> Commit(const OpContext& op, WriteSet writes) override;
  Result<void> WriteImmutable(const OpContext& op, const Table& table,
                              std::span<const ImmutableRow> rows) override;
  Result<WalkEnd> Walk(const OpContext& op, const WalkRequest& request, RowSink& sink) override;
  Result<void> Load(const OpContext& op, const Table& table,
                    std::span<const KeyedRow> rows) override;
  std::vector<Statistic> Statistics() override { return engine_.Statistics(); }
  bool IsTidying() override { return engine_.IsTidying(); }
  std::optional<std::string> Obstacle() override { return engine_.Obstacle(); }
  bool IsSoleWriter() const override { return engine_.IsSoleWriter(); }

  /// With the answer of the batch for who asks again.
  Result<Receipt> Commit(const OpContext& op, Batch batch);

  /// Has `preparation` done once before anything is written: by the first write, which waits for
  /// it and fails with it. Called before the store is shared.
  void BeforeFirstWrite(std::function<Result<void>()> preparation);

  ChangeSignals& Signals() { return signals_; }
  const StoreMetrics& Metrics() const { return metrics_; }
  /// Of commits and loaded rows; what is immutable leaves no conclusion behind that could go stale.
  const WriteCounts& Writes() const { return writes_; }

 private:
  Result<void> Prepare();
  Result<Receipt> CommitAnswering(const OpContext& op, WriteSet writes, const Answer& answer);
  template <typename Call>
  auto Measured(const Table& table, Verb verb, const Call& call);

  Engine& engine_;
  const Clock& clock_;
  StoreMetrics metrics_;
  WriteCounts writes_;
  ChangeSignals signals_;

  std::atomic<bool> prepared_ = true;
  std::mutex mutex_;
  // Guarded by mutex_.
  std::function<Result<void>()> preparation_;
};

/// The record under `key`; nullopt when there is none.
template <typename T>
Result<std::optional<Stored<T>>> Find(Engine& engine, const OpContext& op,
                                      const Collection<T>& collection, const KeyView& key) {
  ASSIGN_OR_RETURN(const std::optional<Row> row, engine.Get(op, collection.Base(), key));
  if (!row) {
    return std::nullopt;
  }
  ASSIGN_OR_RETURN(Stored<T> stored, DecodeFound<T>(row->document, row->version));
  return std::optional(std::move(stored));
}

/// The same, and kNotFound when there is none.
template <typename T>
Result<Stored<T>> Load(Engine& engine, const OpContext& op, const Collection<T>& collection,
                       const KeyView& key) {
  ASSIGN_OR_RETURN(std::optional<Stored<T>> found, Find(engine, op, collection, key));
  if (!found) {
    return FailPrivately(ErrorCode::kNotFound,
                         "no such row in " + std::string(collection.Base().name));
  }
  return *std::move(found);
}

/// The record that has `key` in a unique index: two reads. nullopt when there is none, and also
/// when it left between the two.
template <typename T>
Result<std::optional<Stored<T>>> FindBy(Engine& engine, const OpContext& op,
                                        const Collection<T>& collection, const Table& index,
                                        const KeyView& key) {
  ASSIGN_OR_RETURN(const std::optional<Row> row, engine.Get(op, index, key));
  if (!row) {
    return std::nullopt;
  }
  ASSIGN_OR_RETURN(const Key owner, DecodePointer(row->document));
  return Find(engine, op, collection, owner);
}

template <typename T>
struct RecordPage {
  std::vector<Stored<T>> records{};
  std::optional<std::string> resume{};
};

/// A page of a table that holds whole documents: a collection's own, or a list index of it.
template <typename T>
Result<RecordPage<T>> List(Engine& engine, const OpContext& op, const ScanRequest& request) {
  RecordPage<T> page;
  std::optional<Error> broken;
  FunctionSink sink([&](const RowView& row) {
    Result<Stored<T>> stored = DecodeRecord<T>(row.document, row.version);
    if (stored) {
      page.records.push_back(*std::move(stored));
    } else if (!broken) {
      broken = std::move(stored).error();
    }
  });
  ASSIGN_OR_RETURN(ScanEnd end, engine.Scan(op, request, sink));
  if (broken) {
    return std::unexpected(*std::move(broken));
  }
  page.resume = std::move(end.resume);
  return page;
}

/// The same without looking into the documents: appends "[…,…]" to `out`.
Result<ScanEnd> ListJson(Engine& engine, const OpContext& op, const ScanRequest& request,
                         std::string& out);

/// Calls `attempt` until it does not end in kConflict, at most `attempts` times: for changes that
/// can be decided anew on what is there now.
template <typename Attempt>
auto RetryConflicts(const Attempt& attempt, int attempts = 8) {
  auto outcome = attempt();
  for (int tried = 1;
       tried < attempts && !outcome.has_value() && outcome.error().code == ErrorCode::kConflict;
       ++tried) {
    outcome = attempt();
  }
  return outcome;
}

}  // namespace atrium::store
