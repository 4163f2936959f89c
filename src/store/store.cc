// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "store/store.h"

#include <array>
#include <variant>

#include "store/limits.h"
#include "store/once_only.h"
#include "store/warrant.h"

namespace atrium::store {
namespace {

/// The logs a write set appends to, to be announced when it has happened.
std::vector<std::pair<const Table*, std::string>> TopicsOf(const WriteSet& writes) {
  std::vector<std::pair<const Table*, std::string>> topics;
  for (const Mutation& mutation : writes.mutations) {
    if (const auto* append = std::get_if<Append>(&mutation)) {
      topics.emplace_back(append->table, append->partition);
    }
  }
  return topics;
}

/// Of each mutation; runs of the same one are named once.
std::vector<const Table*> TablesOf(const WriteSet& writes) {
  std::vector<const Table*> tables;
  for (const Mutation& mutation : writes.mutations) {
    const Table* table = std::visit([](const auto& one) { return one.table; }, mutation);
    if (tables.empty() || tables.back() != table) {
      tables.push_back(table);
    }
  }
  return tables;
}

Result<void> CheckWarrant(const OpContext& op) {
  return op.warrant != nullptr ? op.warrant->StillHolds(op) : Result<void>();
}

}  // namespace

void Store::BeforeFirstWrite(std::function<Result<void>()> preparation) {
  preparation_ = std::move(preparation);
  prepared_ = false;
}

Result<void> Store::Prepare() {
  if (prepared_.load(std::memory_order_acquire)) {
    return {};
  }
  const std::scoped_lock lock(mutex_);
  if (preparation_) {
    RETURN_IF_ERROR(preparation_());
    preparation_ = nullptr;
    prepared_.store(true, std::memory_order_release);
  }
  return {};
}

template <typename Call>
auto Store::Measured(const Table& table, Verb verb, const Call& call) {
  const SteadyInstant begun = clock_.Steady();
  auto outcome = call();
  metrics_.Count(table, verb, {.failed = !outcome, .took = clock_.Steady() - begun});
  return outcome;
}

Result<std::optional<Row>> Store::Get(const OpContext& op, const Table& table, const KeyView& key) {
  RETURN_IF_ERROR(CheckKey(key));
  if (op.tally != nullptr) {
    ++op.tally->gets;
  }
  return Measured(table, Verb::kGet, [&] { return engine_.Get(op, table, key); });
}

Result<std::vector<std::optional<Row>>> Store::GetMany(const OpContext& op, const Table& table,
                                                       std::span<const Key> keys) {
  RETURN_IF_ERROR(CheckKeys(keys));
  if (op.tally != nullptr) {
    op.tally->gets += static_cast<std::uint32_t>(keys.size());
  }
  return Measured(table, Verb::kGet, [&] { return engine_.GetMany(op, table, keys); });
}

Result<ScanEnd> Store::Scan(const OpContext& op, const ScanRequest& request, RowSink& sink) {
  RETURN_IF_ERROR(CheckScan(request));
  if (op.tally != nullptr) {
    ++op.tally->scans;
  }
  return Measured(*request.table, Verb::kScan, [&] { return engine_.Scan(op, request, sink); });
}

Result<Receipt> Store::Commit(const OpContext& op, WriteSet writes) {
  return CommitAnswering(op, std::move(writes), {});
}

Result<Receipt> Store::Commit(const OpContext& op, Batch batch) {
  const Answer answer = op.once != nullptr ? batch.GetAnswer() : Answer();
  return CommitAnswering(op, batch.Take(), answer);
}

Result<Receipt> Store::CommitAnswering(const OpContext& op, WriteSet writes, const Answer& answer) {
  RETURN_IF_ERROR(CheckLimits(writes));
  RETURN_IF_ERROR(CheckWarrant(op));
  RETURN_IF_ERROR(Prepare());
  if (op.tally != nullptr) {
    ++op.tally->commits;
  }
  const auto topics = TopicsOf(writes);
  const bool claims = op.once != nullptr && !op.once->Claimed();
  if (claims) {
    op.once->Claim(writes, answer);
  }
  const std::vector<const Table*> tables = TablesOf(writes);
  Result<Receipt> receipt = Measured(*tables.front(), Verb::kCommit,
                                     [&] { return engine_.Commit(op, std::move(writes)); });
  writes_.Note(tables);
  if (receipt) {
    for (const auto& [log, topic] : topics) {
      signals_.Announce(*log, topic);
    }
  } else if (claims) {
    op.once->Release();
    if (receipt.error().code == ErrorCode::kConflict) {
      ASSIGN_OR_RETURN(std::optional<Replay> replay, op.once->FindReplay(engine_, op));
      op.once->SetReplay(std::move(replay));
    }
  }
  return receipt;
}

Result<void> Store::WriteImmutable(const OpContext& op, const Table& table,
                                   std::span<const ImmutableRow> rows) {
  RETURN_IF_ERROR(CheckImmutable(table, rows));
  RETURN_IF_ERROR(CheckWarrant(op));
  RETURN_IF_ERROR(Prepare());
  if (op.tally != nullptr) {
    ++op.tally->commits;
  }
  return Measured(table, Verb::kWriteImmutable,
                  [&] { return engine_.WriteImmutable(op, table, rows); });
}

Result<WalkEnd> Store::Walk(const OpContext& op, const WalkRequest& request, RowSink& sink) {
  RETURN_IF_ERROR(CheckWalk(request));
  if (op.tally != nullptr) {
    ++op.tally->walks;
  }
  return Measured(*request.table, Verb::kWalk, [&] { return engine_.Walk(op, request, sink); });
}

Result<void> Store::Load(const OpContext& op, const Table& table, std::span<const KeyedRow> rows) {
  Result<void> loaded = engine_.Load(op, table, rows);
  writes_.Note(std::array{&table});
  return loaded;
}

Result<ScanEnd> ListJson(Engine& engine, const OpContext& op, const ScanRequest& request,
                         std::string& out) {
  out += '[';
  const std::size_t start = out.size();
  FunctionSink sink([&](const RowView& row) {
    if (out.size() != start) {
      out += ',';
    }
    out += row.document;
  });
  Result<ScanEnd> end = engine.Scan(op, request, sink);
  out += ']';
  return end;
}

}  // namespace atrium::store
