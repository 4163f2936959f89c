// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/library_eraser.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "files/keys.h"
#include "files/libraries.h"
#include "files/loose_space.h"
#include "store/batch.h"
#include "store/key_bytes.h"
#include "store/limits.h"
#include "store/store.h"

namespace atrium::files {
namespace {

constexpr std::size_t kRowsAtOnce = store::kRowsMax;
/// A record with its index rows.
constexpr std::size_t kRecordsAtOnce = 30;
/// Each token is a partition of its own.
constexpr std::size_t kTokensAtOnce = 10;
constexpr store::OpContext kOp = store::OpContext::ForWork("files.erase");

Result<void> GoOn(const std::stop_token& stop) {
  return stop.stop_requested() ? FailPrivately(ErrorCode::kUnavailable, "stopped before the end")
                               : Result<void>();
}

/// What somebody else took away first is gone all the same.
Result<void> Tolerate(const Result<store::Receipt>& receipt) {
  if (!receipt && receipt.error().code != ErrorCode::kConflict) {
    return std::unexpected(receipt.error());
  }
  return {};
}

}  // namespace

Result<void> LibraryEraser::ErasePartition(const store::Table& table,
                                           const std::string& partition) const {
  while (true) {
    std::vector<std::string> sorts;
    store::FunctionSink sink([&](const store::RowView& row) { sorts.emplace_back(row.key.sort); });
    RETURN_IF_ERROR(ground_.store.Scan(
        kOp, {.table = &table, .partition = partition, .limit = kRowsAtOnce}, sink));
    if (sorts.empty()) {
      return {};
    }
    store::WriteSet writes;
    for (std::string& sort : sorts) {
      writes.mutations.emplace_back(
          store::Erase{.table = &table, .key = {.partition = partition, .sort = std::move(sort)}});
    }
    RETURN_IF_ERROR(ground_.store.Commit(kOp, std::move(writes)));
  }
}

Result<void> LibraryEraser::EraseContent(const LibraryId& library,
                                         const std::stop_token& stop) const {
  for (int bucket = 0; bucket < kBuckets; ++bucket) {
    RETURN_IF_ERROR(GoOn(stop));
    const std::string partition = BucketOf(library, bucket);
    for (const store::Table* table :
         {&kCommitTable, &kObjectTable, &kBlockTable, &kCondemnedTable}) {
      RETURN_IF_ERROR(ErasePartition(*table, partition));
    }
  }
  return {};
}

Result<void> LibraryEraser::EraseMoves(const LibraryId& library) const {
  const std::string partition = PartitionOf(library);
  while (true) {
    ASSIGN_OR_RETURN(
        const auto page,
        store::List<Move>(ground_.store, kOp,
                          {.table = &kMoveTable, .partition = partition, .limit = kRecordsAtOnce}));
    if (page.records.empty()) {
      return {};
    }
    store::Batch batch;
    for (const store::Stored<Move>& move : page.records) {
      batch.Erase(Moves(), move);
    }
    RETURN_IF_ERROR(ground_.store.Commit(kOp, std::move(batch)));
  }
}

Result<void> LibraryEraser::EraseTokensOf(const LibraryId& library) const {
  const std::string partition = PartitionOf(library);
  store::ScanRequest request{
      .table = &kSyncTokensByLibrary, .partition = partition, .limit = kTokensAtOnce};
  do {
    ASSIGN_OR_RETURN(store::Page page, store::CollectPage(ground_.store, kOp, request));
    for (const store::KeyedRow& row : page.rows) {
      ASSIGN_OR_RETURN(const store::Key key, store::DecodePointer(row.row.document));
      ASSIGN_OR_RETURN(const auto token, store::Find(ground_.store, kOp, SyncTokens(), key));
      if (token) {
        store::Batch batch;
        batch.Erase(SyncTokens(), *token);
        RETURN_IF_ERROR(Tolerate(ground_.store.Commit(kOp, std::move(batch))));
      }
    }
    request.after = std::move(page.resume);
  } while (request.after);
  return {};
}

/// From here on there is nothing to come back to.
Result<void> LibraryEraser::EraseRow(const LibraryId& library) const {
  return store::RetryConflicts([&]() -> Result<void> {
    ASSIGN_OR_RETURN(const auto found,
                     store::Find(ground_.store, kOp, Libraries(), LibraryRowKey(library)));
    if (!found || !found->record.erase_at) {
      return {};
    }
    const Library& record = found->record;
    store::Batch batch;
    batch.Erase(Libraries(), *found);
    batch.Add(store::Erase{.table = &kLibraryCounts, .key = SweepsKey(library)});
    ASSIGN_OR_RETURN(const LooseCount loose, FindLoose(ground_.store, kOp, library));
    batch.Add(store::Erase{
        .table = &kLibraryCounts, .key = LooseKey(library), .expect = ExpectationOf(loose)});
    const std::int64_t bytes = record.bytes + loose.bytes;
    if (bytes != 0) {
      batch.Add(store::Add{.table = &kSpaceTable,
                           .key = SpaceKey(record.owner),
                           .counter = std::string(kBytesCounter),
                           .delta = -bytes});
      const auto given_back = people_.ReserveForOrg(kOp, record.org, -bytes, batch);
      // An organisation that is gone counts nothing.
      if (!given_back && given_back.error().code != ErrorCode::kNotFound) {
        return given_back;
      }
    }
    people_.WriteDown(
        batch, record.owner,
        {.org = record.org, .action = "library.erase", .library = library, .detail = record.name});
    RETURN_IF_ERROR(ground_.store.Commit(kOp, std::move(batch)));
    return {};
  });
}

Result<void> LibraryEraser::EraseOne(const Library& library, const std::stop_token& stop) const {
  RETURN_IF_ERROR(EraseTokensOf(library.id));
  RETURN_IF_ERROR(EraseContent(library.id, stop));
  RETURN_IF_ERROR(EraseMoves(library.id));
  return EraseRow(library.id);
}

Result<void> LibraryEraser::TrashIfAbandoned(const store::Stored<Library>& library,
                                             const CollectionOptions& options,
                                             Collection& done) const {
  if (library.record.deleted_at) {
    return {};
  }
  ASSIGN_OR_RETURN(const auto owner, people_.Find(kOp, library.record.owner));
  if (owner) {
    return {};
  }
  ++done.abandoned_libraries;
  if (options.IsDryRun()) {
    return {};
  }
  Library after = library.record;
  after.deleted_at = ground_.clock.Now();
  after.erase_at = *after.deleted_at + kTrashKept;
  after.default_of.reset();
  store::Batch batch;
  batch.Replace(Libraries(), library, after);
  people_.WriteDown(
      batch, after.owner,
      {.org = after.org, .action = "library.delete", .library = after.id, .detail = after.name});
  return Tolerate(ground_.store.Commit(kOp, std::move(batch)));
}

Result<void> LibraryEraser::TrashAbandoned(const CollectionOptions& options, const WorkSigns& signs,
                                           Collection& done) const {
  store::WalkRequest request{.table = &kLibraryTable, .limit = 1000};
  do {
    RETURN_IF_ERROR(GoOn(signs.stop));
    std::vector<store::KeyedRow> rows;
    store::FunctionSink sink([&](const store::RowView& row) { rows.push_back(store::Copy(row)); });
    ASSIGN_OR_RETURN(store::WalkEnd end, ground_.store.Walk(kOp, request, sink));
    for (const store::KeyedRow& row : rows) {
      ASSIGN_OR_RETURN(const auto library,
                       store::DecodeRecord<Library>(row.row.document, row.row.version));
      RETURN_IF_ERROR(TrashIfAbandoned(library, options, done));
    }
    request.after = std::move(end.resume);
  } while (request.after);
  return {};
}

Result<void> LibraryEraser::EraseDue(const CollectionOptions& options, const WorkSigns& signs,
                                     Collection& done) const {
  const Instant now = ground_.clock.Now();
  store::ScanRequest request{
      .table = &kLibrariesToErase,
      .partition = kEverybody,
      .range = {.before = store::PrefixEnd(store::KeyBytes().Time(now).Take())},
      .limit = store::kScanRowsMax};
  do {
    ASSIGN_OR_RETURN(store::Page page, store::CollectPage(ground_.store, kOp, request));
    for (const store::KeyedRow& row : page.rows) {
      ASSIGN_OR_RETURN(const store::Key key, store::DecodePointer(row.row.document));
      ASSIGN_OR_RETURN(const auto library, store::Find(ground_.store, kOp, Libraries(), key));
      if (!library || !library->record.erase_at || *library->record.erase_at > now) {
        continue;
      }
      if (!options.IsDryRun()) {
        RETURN_IF_ERROR(EraseOne(library->record, signs.stop));
      }
      ++done.erased_libraries;
      signs.progress(std::to_string(done.erased_libraries) + " libraries erased");
    }
    request.after = std::move(page.resume);
  } while (request.after);
  return {};
}

Result<bool> LibraryEraser::OpensNothing(const SyncToken& token) const {
  ASSIGN_OR_RETURN(const auto library,
                   ground_.store.Get(kOp, kLibraryTable, LibraryRowKey(token.library)));
  if (!library) {
    return true;
  }
  ASSIGN_OR_RETURN(const auto person, people_.Find(kOp, token.user));
  return !person || person->generation > token.generation;
}

Result<void> LibraryEraser::EraseTokens(const CollectionOptions& options, const WorkSigns& signs,
                                        Collection& done) const {
  store::WalkRequest request{.table = &kSyncTokenTable, .limit = 1000};
  do {
    RETURN_IF_ERROR(GoOn(signs.stop));
    std::vector<store::KeyedRow> rows;
    store::FunctionSink sink([&](const store::RowView& row) { rows.push_back(store::Copy(row)); });
    ASSIGN_OR_RETURN(store::WalkEnd end, ground_.store.Walk(kOp, request, sink));
    for (const store::KeyedRow& row : rows) {
      ASSIGN_OR_RETURN(const auto token,
                       store::DecodeRecord<SyncToken>(row.row.document, row.row.version));
      ASSIGN_OR_RETURN(const bool opens_nothing, OpensNothing(token.record));
      if (!opens_nothing) {
        continue;
      }
      ++done.tokens;
      if (!options.IsDryRun()) {
        store::Batch batch;
        batch.Erase(SyncTokens(), token);
        RETURN_IF_ERROR(Tolerate(ground_.store.Commit(kOp, std::move(batch))));
      }
    }
    request.after = std::move(end.resume);
  } while (request.after);
  return {};
}

}  // namespace atrium::files
