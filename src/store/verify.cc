// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "store/verify.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <set>
#include <utility>

#include "base/json_read.h"
#include "store/change_log.h"

namespace atrium::store {
namespace {

/// What is wrong with one row, and the write that mends it.
struct Diagnosis {
  Finding finding;
  /// Holds itself to what was seen of the record, so that no commit in between is undone.
  std::vector<Mutation> remedy{};
};

/// Guarded rows are mended only as they were seen; derived ones have no expectations.
Expectation AsSeen(const Table& table, const std::optional<Row>& row) {
  if (table.kind != TableKind::kGuarded) {
    return Expectation::None();
  }
  return row ? Expectation::At(row->version) : Expectation::Absent();
}

class Verifier {
 public:
  Verifier(Engine& engine, const OpContext& op, const VerifyOptions& options)
      : engine_(engine), op_(op), options_(options) {}

  Result<void> Check(const AnyCollection& collection) {
    RETURN_IF_ERROR(ForEachRow(
        collection.Base(), [&](const KeyedRow& row) { return CheckRecord(collection, row.key); }));
    for (const Table* index : collection.Indexes()) {
      RETURN_IF_ERROR(ForEachRow(
          *index, [&](const KeyedRow& row) { return CheckIndexRow(collection, *index, row.key); }));
    }
    return {};
  }

  /// A table without a collection.
  Result<void> Check(const Table& table) {
    return ForEachRow(table, [&](const KeyedRow& row) -> Result<void> {
      if (const Result<boost::json::value> json = ParseJson(row.row.document); !json) {
        return Settle({.finding = {.defect = Defect::kUnreadable,
                                   .table = &table,
                                   .key = row.key,
                                   .explanation = json.error().client_message}});
      }
      return table.kind == TableKind::kLog ? CheckLogRow(table, row) : Result<void>();
    });
  }

  const VerifyReport& Report() const { return report_; }

 private:
  template <typename Check>
  Result<void> ForEachRow(const Table& table, const Check& check) {
    WalkRequest request{.table = &table};
    do {
      std::vector<KeyedRow> rows;
      FunctionSink sink([&](const RowView& row) { rows.push_back(Copy(row)); });
      ASSIGN_OR_RETURN(WalkEnd end, engine_.Walk(op_, request, sink));
      for (const KeyedRow& row : rows) {
        if (options_.stop.stop_requested()) {
          return Fail(ErrorCode::kUnavailable, "broken off: the server is stopping");
        }
        RETURN_IF_ERROR(check(row));
      }
      report_.rows += rows.size();
      if (options_.progress) {
        options_.progress(report_.rows);
      }
      request.after = std::move(end.resume);
    } while (request.after);
    return {};
  }

  Result<void> CheckLogRow(const Table& log, const KeyedRow& row) {
    // The head is read after the row: it may only have grown.
    ASSIGN_OR_RETURN(const std::uint64_t last, LastChange(engine_, op_, log, row.key.partition));
    const std::uint64_t number = SequenceOf(row.key.sort);
    const bool in_order = number == 0 ? row.key.sort == SequenceKey(0) : number <= last;
    return in_order ? Result<void>()
                    : Settle({.finding = {.defect = Defect::kLogDisordered,
                                          .table = &log,
                                          .key = row.key,
                                          .explanation = "the log never gave this number"}});
  }

  /// Every row that follows from the record.
  Result<void> CheckRecord(const AnyCollection& collection, const Key& key) {
    ASSIGN_OR_RETURN(const std::optional<Row> base, engine_.Get(op_, collection.Base(), key));
    if (!base) {
      return {};
    }
    const Result<Key> own = collection.KeyFor(base->document);
    const Result<std::vector<IndexRow>> rows = collection.RowsFor(base->document);
    if (!own || !rows) {
      return Settle({.finding = {.defect = Defect::kUnreadable,
                                 .table = &collection.Base(),
                                 .key = key,
                                 .explanation = (own ? rows.error() : own.error()).detail}});
    }
    if (*own != key) {
      return Settle({.finding = {.defect = Defect::kMisplaced,
                                 .table = &collection.Base(),
                                 .key = key,
                                 .explanation = "its own members name another key"}});
    }
    for (const IndexRow& row : *rows) {
      RETURN_IF_ERROR(CheckFollower(collection, {.key = key, .row = *base}, row));
    }
    return {};
  }

  Result<void> CheckFollower(const AnyCollection& collection, const KeyedRow& base,
                             const IndexRow& expected) {
    ASSIGN_OR_RETURN(const std::optional<Row> found,
                     engine_.Get(op_, *expected.table, expected.key));
    if (found && found->document == expected.document) {
      return {};
    }
    ASSIGN_OR_RETURN(const bool moved, HasMoved(collection.Base(), base));
    if (moved) {
      return {};
    }
    const Finding finding{.table = expected.table, .key = expected.key};
    if (found && expected.unique) {
      return Settle(Contested(finding));
    }
    Diagnosis diagnosis = Rewrite(finding, found, expected, base.row.expires_at);
    diagnosis.remedy.emplace_back(store::Check{
        .table = &collection.Base(), .key = base.key, .expect = Expectation::At(base.row.version)});
    return Settle(std::move(diagnosis));
  }

  static Diagnosis Contested(Finding finding) {
    finding.defect = Defect::kUniqueContested;
    finding.explanation = "two records claim it";
    return {.finding = std::move(finding)};
  }

  static Diagnosis Rewrite(Finding finding, const std::optional<Row>& found,
                           const IndexRow& expected, std::optional<Instant> expires_at) {
    finding.defect = found ? Defect::kIndexOutdated : Defect::kIndexMissing;
    finding.explanation = found ? "it says something else than its record" : "it is not there";
    finding.remedy = "write the row again";
    return {.finding = std::move(finding),
            .remedy = {Put{.table = expected.table,
                           .key = expected.key,
                           .document = expected.document,
                           .expect = AsSeen(*expected.table, found),
                           .expires_at = expires_at}}};
  }

  /// The record from which the row must follow.
  Result<void> CheckIndexRow(const AnyCollection& collection, const Table& index, const Key& key) {
    ASSIGN_OR_RETURN(const std::optional<Row> row, engine_.Get(op_, index, key));
    if (!row) {
      return {};
    }
    const Result<Key> owner = collection.OwnerOf(index, row->document);
    if (!owner) {
      return Settle(Orphan(index, key, *row, owner.error().detail));
    }
    ASSIGN_OR_RETURN(std::optional<store::Check> stray, FindStray(collection, *owner, index, key));
    if (!stray) {
      return {};
    }
    Diagnosis diagnosis = Orphan(index, key, *row, "no record has it");
    diagnosis.remedy.emplace_back(*std::move(stray));
    // A commit may have moved the record between the two reads; then the row has gone as well.
    ASSIGN_OR_RETURN(const bool moved, HasMoved(index, {.key = key, .row = *row}));
    return moved ? Result<void>() : Settle(std::move(diagnosis));
  }

  /// nullopt when the row follows from its owner; otherwise what was seen of the owner.
  Result<std::optional<store::Check>> FindStray(const AnyCollection& collection, const Key& owner,
                                                const Table& index, const Key& key) {
    ASSIGN_OR_RETURN(const std::optional<Row> base, engine_.Get(op_, collection.Base(), owner));
    store::Check seen{.table = &collection.Base(),
                      .key = owner,
                      .expect = base ? Expectation::At(base->version) : Expectation::Absent()};
    if (!base) {
      return seen;
    }
    const Result<std::vector<IndexRow>> rows = collection.RowsFor(base->document);
    // A record that does not decode is a finding of its own; its rows stay until it is settled.
    const bool follows = !rows || FindRow(*rows, index, key) != nullptr;
    return follows ? std::nullopt : std::optional(std::move(seen));
  }

  static Diagnosis Orphan(const Table& index, const Key& key, const Row& row,
                          std::string explanation) {
    return {.finding = {.defect = Defect::kIndexOrphaned,
                        .table = &index,
                        .key = key,
                        .explanation = std::move(explanation),
                        .remedy = "erase the row"},
            .remedy = {Erase{.table = &index, .key = key, .expect = AsSeen(index, row)}}};
  }

  Result<bool> HasMoved(const Table& table, const KeyedRow& seen) {
    ASSIGN_OR_RETURN(const std::optional<Row> now, engine_.Get(op_, table, seen.key));
    return !now || now->version != seen.row.version;
  }

  Result<void> Settle(Diagnosis diagnosis) {
    ++report_.findings;
    if (options_.found) {
      options_.found(diagnosis.finding);
    }
    if (options_.mode == VerifyOptions::Mode::kReport || diagnosis.remedy.empty()) {
      return {};
    }
    const Result<Receipt> mended = engine_.Commit(op_, {.mutations = std::move(diagnosis.remedy)});
    if (mended) {
      ++report_.repaired;
    } else if (mended.error().code != ErrorCode::kConflict) {
      return std::unexpected(mended.error());
    }
    return {};
  }

  Engine& engine_;
  const OpContext& op_;
  const VerifyOptions& options_;
  VerifyReport report_;
};

}  // namespace

std::string_view Name(Defect defect) {
  switch (defect) {
    case Defect::kUnreadable:
      return "unreadable";
    case Defect::kMisplaced:
      return "misplaced";
    case Defect::kIndexMissing:
      return "index_missing";
    case Defect::kIndexOutdated:
      return "index_outdated";
    case Defect::kIndexOrphaned:
      return "index_orphaned";
    case Defect::kUniqueContested:
      return "unique_contested";
    case Defect::kLogDisordered:
      return "log_disordered";
  }
  std::abort();  // Unreachable: -Wswitch keeps the list above complete.
}

Result<VerifyReport> Verify(Engine& engine, const OpContext& op, const VerifyScope& scope,
                            const VerifyOptions& options) {
  Verifier verifier(engine, op, options);
  std::set<std::uint16_t> covered;
  for (const AnyCollection* collection : scope.collections) {
    RETURN_IF_ERROR(verifier.Check(*collection));
    covered.insert(collection->Base().number);
    for (const Table* index : collection->Indexes()) {
      covered.insert(index->number);
    }
  }
  for (const Table* table : scope.tables) {
    if (!covered.contains(table->number)) {
      RETURN_IF_ERROR(verifier.Check(*table));
    }
  }
  return verifier.Report();
}

}  // namespace atrium::store
