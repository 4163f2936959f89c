// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/blob_sweep.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "base/bytes.h"
#include "base/error.h"
#include "base/log.h"
#include "files/condemned.h"
#include "files/keys.h"
#include "store/limits.h"
#include "store/record.h"

namespace atrium::files {
namespace {

constexpr store::OpContext kOp = store::OpContext::ForWork("files.collect");
constexpr std::size_t kPage = 1000;

Result<void> GoOn(const std::stop_token& stop) {
  return stop.stop_requested() ? FailPrivately(ErrorCode::kUnavailable, "stopped before the end")
                               : Result<void>();
}

/// The library in the partition of a row of content.
LibraryId LibraryOf(std::string_view partition) {
  Uuid id;
  if (partition.size() >= id.bytes.size()) {
    std::ranges::copy(AsBytes(partition.substr(0, id.bytes.size())), id.bytes.begin());
  }
  return LibraryId(id);
}

}  // namespace

Result<bool> BlobSweep::HasLibrary(std::string_view partition) {
  const std::string_view library = partition.substr(0, sizeof(Uuid));
  if (library != partition_) {
    ASSIGN_OR_RETURN(const auto row,
                     ground_.store.Get(kOp, kLibraryTable, LibraryRowKey(LibraryOf(partition))));
    partition_ = library;
    is_there_ = row.has_value();
  }
  return is_there_;
}

Result<void> BlobSweep::EraseOrphans(const store::Table& table, const std::vector<Row>& rows,
                                     Collection& done) {
  for (auto at = rows.begin(); at != rows.end();) {
    const std::string& partition = at->key.partition;
    // A library that was just made keeps what was put for it.
    store::WriteSet writes{{store::Check{.table = &kLibraryTable,
                                         .key = LibraryRowKey(LibraryOf(partition)),
                                         .expect = store::Expectation::Absent()}}};
    for (; at != rows.end() && at->key.partition == partition &&
           writes.mutations.size() < store::kRowsMax;
         ++at) {
      writes.mutations.emplace_back(store::Erase{.table = &table, .key = at->key});
    }
    const std::size_t erased = writes.mutations.size() - 1;
    const auto receipt = ground_.store.Commit(kOp, std::move(writes));
    if (receipt) {
      done.orphans += erased;
    } else if (receipt.error().code != ErrorCode::kConflict) {
      return std::unexpected(receipt.error());
    }
  }
  return {};
}

Result<void> BlobSweep::Sort(const store::Table& table, const std::vector<Row>& rows,
                             Collection& done) {
  std::vector<Row> orphans;
  for (const Row& row : rows) {
    ASSIGN_OR_RETURN(const bool has_library, HasLibrary(row.key.partition));
    if (!has_library && WrittenAt(row.version) <= old_) {
      orphans.push_back(row);
    } else if (row.blob) {
      named_.Add(row.blob->Bytes());
    }
  }
  if (options_.IsDryRun()) {
    done.orphans += orphans.size();
    return {};
  }
  return EraseOrphans(table, orphans, done);
}

Result<void> BlobSweep::ReadTable(const store::Table& table, const WorkSigns& signs,
                                  Collection& done) {
  store::WalkRequest request{.table = &table, .limit = kPage};
  do {
    RETURN_IF_ERROR(GoOn(signs.stop));
    std::vector<Row> rows;
    std::optional<Error> broken;
    store::FunctionSink sink([&](const store::RowView& view) {
      Row row{
          .key = {.partition = std::string(view.key.partition), .sort = std::string(view.key.sort)},
          .version = view.version};
      if (&table == &kBlockTable) {
        const auto place = store::DecodeRecord<BlockPlace>(view.document, {});
        if (!place) {
          broken = place.error();
          return;
        }
        row.blob = place->record.blob;
      }
      rows.push_back(std::move(row));
    });
    ASSIGN_OR_RETURN(store::WalkEnd end, ground_.store.Walk(kOp, request, sink));
    if (broken) {
      // Whichever blob it names, it must stay.
      return std::unexpected(*std::move(broken));
    }
    RETURN_IF_ERROR(Sort(table, rows, done));
    request.after = std::move(end.resume);
  } while (request.after);
  return {};
}

Result<void> BlobSweep::RemovePage(const blobs::BlobPage& page, Collection& done) {
  std::vector<blobs::BlobId> ids;
  for (const blobs::ListedBlob& blob : page.blobs) {
    const bool is_old = options_.grace == std::chrono::seconds(0) || blob.since <= old_;
    if (is_old && !named_.MayHave(blob.id.Bytes())) {
      ids.push_back(blob.id);
      if (options_.IsDryRun()) {
        done.blobs.Count(blob.bytes);
      }
    }
  }
  if (options_.IsDryRun() || ids.empty()) {
    return {};
  }
  ASSIGN_OR_RETURN(const blobs::Removal removal,
                   blobs_.Remove(kOp, ids, [this](const blobs::BlobId& id) -> Result<bool> {
                     return !named_.MayHave(id.Bytes());
                   }));
  done.blobs.count += removal.removed;
  done.blobs.bytes += removal.bytes;
  return {};
}

Result<void> BlobSweep::RemoveBlobs(const WorkSigns& signs, Collection& done) {
  blobs::ListRequest request{.limit = kPage};
  do {
    RETURN_IF_ERROR(GoOn(signs.stop));
    ASSIGN_OR_RETURN(blobs::BlobPage page, blobs_.List(kOp, request));
    RETURN_IF_ERROR(RemovePage(page, done));
    signs.progress(std::to_string(done.blobs.count) + " blobs removed");
    request.after = std::move(page.resume);
  } while (request.after);
  return {};
}

Result<void> BlobSweep::Compact(const WorkSigns& signs, Collection& done) {
  const auto report = blobs_.Compact(kOp, signs.stop);
  if (!report) {
    return report.error().code == ErrorCode::kRefusedByState ? Result<void>()
                                                             : std::unexpected(report.error());
  }
  done.freed_bytes += report->freed_bytes;
  for (const blobs::Finding& finding : report->findings) {
    log::Warn("a damaged blob was found",
              {{"blob", finding.id.Render()}, {"defect", blobs::Name(finding.defect)}});
  }
  return {};
}

Result<void> BlobSweep::Run(Collection& done, const WorkSigns& signs) {
  {
    ASSIGN_OR_RETURN(const BlobUses::Watch watch, uses_.Begin(named_));
    for (const store::Table* table :
         {&kCommitTable, &kObjectTable, &kCondemnedTable, &kBlockTable}) {
      RETURN_IF_ERROR(ReadTable(*table, signs, done));
    }
    RETURN_IF_ERROR(RemoveBlobs(signs, done));
  }
  RETURN_IF_ERROR(RemoveStrays(done));
  return options_.IsDryRun() ? Result<void>() : Compact(signs, done);
}

/// What uploads left behind that failed or were killed.
Result<void> BlobSweep::RemoveStrays(Collection& done) {
  using Mode = blobs::StrayRequest::Mode;
  ASSIGN_OR_RETURN(
      const blobs::Strays strays,
      blobs_.SweepStrays(
          kOp, {.before = options_.grace == std::chrono::seconds(0) ? Instant::max() : old_,
                .mode = options_.IsDryRun() ? Mode::kCount : Mode::kRemove}));
  done.strays.count += strays.count;
  done.strays.bytes += strays.bytes;
  return {};
}

}  // namespace atrium::files
