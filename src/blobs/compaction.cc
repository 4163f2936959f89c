// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "blobs/compaction.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "base/error.h"
#include "base/log.h"

namespace atrium::blobs {
namespace {

/// So many bytes are written and synced together.
constexpr std::uint64_t kLoadBytes = std::uint64_t{4} << 20;

IndexedBlob BlobAt(const ScannedRecord& record, std::uint64_t pack) {
  return {.id = record.head.id,
          .place = {.pack = pack, .at = record.at, .bytes = record.head.bytes}};
}

}  // namespace

Result<CompactReport> Compaction::Run(const store::OpContext& op, const std::stop_token& stop) {
  RETURN_IF_ERROR(FinishMoves(op));
  const std::optional<std::uint64_t> growing = parts_.appender.Growing();
  if (growing && parts_.book.IsWorthCompacting(*growing)) {
    RETURN_IF_ERROR(parts_.appender.SealGrowing());
  }
  CompactReport report;
  for (const std::uint64_t pack : parts_.book.WorthCompacting(pack_bytes_)) {
    if (stop.stop_requested()) {
      break;
    }
    if (Result<void> done = CompactPack(op, pack, report); !done) {
      SealOutput();
      return While("compact pack " + std::to_string(pack), std::move(done).error());
    }
  }
  SealOutput();
  RETURN_IF_ERROR(parts_.book.Checkpoint(op));
  return report;
}

Result<void> Compaction::CompactPack(const store::OpContext& op, std::uint64_t pack,
                                     CompactReport& report) {
  const PackFacts facts = parts_.book.Find(pack).value();
  const Result<PackFile> file = PackFile::Open(parts_.folder, pack);
  if (!file && file.error().code == ErrorCode::kNotFound && facts.live == 0) {
    parts_.book.Forget(pack);
    return {};
  }
  std::vector<Moved> moved;
  bool damaged = !file;
  if (file) {
    PackScan scan(*file, {.before = facts.end});
    RETURN_IF_ERROR(CopyLive(op, scan, moved, report));
    RETURN_IF_ERROR(SwitchRows(op, moved));
    damaged = scan.PassedOver();
  }
  if (damaged) {
    ASSIGN_OR_RETURN(const bool needed, HasRows(op, pack));
    if (needed) {
      log::Warn("a damaged pack stays until its blobs are verified", {{"pack", pack}});
      return {};
    }
  }
  RETURN_IF_ERROR(RemovePack(op, pack));
  ++report.packs;
  report.freed_bytes += facts.end;
  for (const Moved& one : moved) {
    ++report.moved;
    report.moved_bytes += one.to.bytes;
    report.freed_bytes -= std::min(report.freed_bytes, kHeadBytes + one.to.bytes);
  }
  return {};
}

Result<bool> Compaction::IsLive(const store::OpContext& op, const IndexedBlob& blob) {
  ASSIGN_OR_RETURN(const std::optional<Place> place, parts_.index.Find(op, blob.id));
  return place == blob.place;
}

Result<void> Compaction::CopyLive(const store::OpContext& op, PackScan& scan,
                                  std::vector<Moved>& moved, CompactReport& report) {
  Load load;
  while (true) {
    ASSIGN_OR_RETURN(const std::optional<ScannedRecord> record, scan.Next());
    if (!record) {
      return Lay(load, moved);
    }
    if (record->head.kind != RecordKind::kWhole) {
      continue;
    }
    const IndexedBlob blob = BlobAt(*record, scan.Pack());
    ASSIGN_OR_RETURN(const bool live, IsLive(op, blob));
    if (live && BlobId::Of(record->payload) == blob.id) {
      load.blobs.push_back(blob);
      load.payloads.emplace_back(record->payload);
      load.bytes += kHeadBytes + blob.place.bytes;
    } else if (live) {
      RETURN_IF_ERROR(DiscardDamaged(op, blob, report));
    }
    if (load.bytes >= kLoadBytes) {
      RETURN_IF_ERROR(Lay(load, moved));
    }
  }
}

Result<void> Compaction::DiscardDamaged(const store::OpContext& op, const IndexedBlob& blob,
                                        CompactReport& report) {
  const BlobLocks::Lock lock = parts_.locks.Take(blob.id);
  ASSIGN_OR_RETURN(const bool live, IsLive(op, blob));
  if (!live) {
    return {};
  }
  RETURN_IF_ERROR(Discard(parts_, op, blob));
  report.findings.push_back({.defect = Defect::kDamaged,
                             .id = blob.id,
                             .bytes = blob.place.bytes,
                             .explanation = "found while its pack was compacted",
                             .remedy = "set aside"});
  return {};
}

/// Copies what waits, durably.
Result<void> Compaction::Lay(Load& load, std::vector<Moved>& moved) {
  if (load.blobs.empty()) {
    return {};
  }
  RETURN_IF_ERROR(parts_.appender.CheckSpace(load.bytes));
  ASSIGN_OR_RETURN(PackWriter* const output, Output(load.bytes));
  std::vector<NewRecord> records;
  records.reserve(load.blobs.size());
  for (std::size_t i = 0; i < load.blobs.size(); ++i) {
    records.push_back({.kind = RecordKind::kWhole,
                       .id = load.blobs[i].id,
                       .bytes = load.blobs[i].place.bytes,
                       .payload = load.payloads[i]});
  }
  ASSIGN_OR_RETURN(const std::vector<std::uint64_t> places, output->Append(records));
  open_ends_[output->Number()] = output->End();
  for (std::size_t i = 0; i < load.blobs.size(); ++i) {
    moved.push_back(
        {.from = load.blobs[i],
         .to = {.pack = output->Number(), .at = places[i], .bytes = load.blobs[i].place.bytes}});
  }
  load = {};
  return {};
}

Result<PackWriter*> Compaction::Output(std::uint64_t bytes) {
  if (output_ && output_->End() + bytes > pack_bytes_) {
    SealOutput();
  }
  if (!output_) {
    ASSIGN_OR_RETURN(PackWriter writer,
                     PackWriter::Create(parts_.folder, parts_.numbers.Next(), parts_.disk));
    parts_.book.Add(writer.Number());
    output_.emplace(std::move(writer));
  }
  return &*output_;
}

void Compaction::SealOutput() {
  if (!output_) {
    return;
  }
  // Room that cannot be given back does no harm.
  static_cast<void>(output_->Cut());
  parts_.book.Seal(output_->Number(), output_->End());
  output_.reset();
}

Result<void> Compaction::SwitchRows(const store::OpContext& op, std::vector<Moved>& moved) {
  std::ranges::sort(moved, {}, [](const Moved& one) { return one.from.id; });
  std::vector<IndexedBlob> from;
  from.reserve(moved.size());
  for (const Moved& one : moved) {
    from.push_back(one.from);
  }
  for (std::size_t done = 0; done < moved.size();) {
    const std::size_t count = CountForOneCommit(std::span(from).subspan(done));
    RETURN_IF_ERROR(SwitchSome(op, std::span(moved).subspan(done, count)));
    done += count;
  }
  Settle();
  return {};
}

Result<void> Compaction::SwitchSome(const store::OpContext& op, std::span<const Moved> some) {
  std::vector<BlobLocks::Lock> locks;
  std::vector<IndexedBlob> old;
  std::vector<IndexedBlob> fresh;
  locks.reserve(some.size());
  for (const Moved& one : some) {
    locks.push_back(parts_.locks.Take(one.from.id));
    ASSIGN_OR_RETURN(const bool live, IsLive(op, one.from));
    if (live) {
      old.push_back(one.from);
      fresh.push_back({.id = one.from.id, .place = one.to});
    }
  }
  if (fresh.empty()) {
    return {};
  }
  parts_.index.BeginMove(fresh);
  Result<void> erased = EraseTogether(parts_, op, old);
  if (!erased && erased.error().code != ErrorCode::kOutcomeUnknown) {
    parts_.index.EndMove(fresh);
    return erased;
  }
  unfinished_.insert(unfinished_.end(), fresh.begin(), fresh.end());
  RETURN_IF_ERROR(parts_.index.Write(op, fresh));
  return erased;
}

/// All rows are there: the new packs are indexed to their ends, and nothing moves any more. Not
/// before, since a blob that is removed must be known as indexed.
void Compaction::Settle() {
  std::map<std::uint64_t, PackBook::Advance> advances;
  for (const auto& [pack, end] : open_ends_) {
    advances[pack] = {.pack = pack, .indexed = end};
  }
  for (const IndexedBlob& blob : unfinished_) {
    advances[blob.place.pack].live.push_back(blob.place);
  }
  for (const auto& [pack, advance] : advances) {
    parts_.book.Note(advance);
  }
  parts_.index.EndMove(unfinished_);
  unfinished_.clear();
  open_ends_.clear();
}

/// What an earlier run could not write. Where it was not known whether the old row was erased, the
/// row that is there now tells: a blob whose old row stayed did not move.
Result<void> Compaction::FinishMoves(const store::OpContext& op) {
  RETURN_IF_ERROR(parts_.index.Write(op, unfinished_));
  std::vector<IndexedBlob> moved;
  for (const IndexedBlob& blob : unfinished_) {
    ASSIGN_OR_RETURN(const bool live, IsLive(op, blob));
    if (live) {
      moved.push_back(blob);
    }
  }
  parts_.index.EndMove(unfinished_);
  unfinished_ = std::move(moved);
  Settle();
  return {};
}

Result<bool> Compaction::HasRows(const store::OpContext& op, std::uint64_t pack) {
  ListRequest request;
  do {
    ASSIGN_OR_RETURN(Index::Page page, parts_.index.List(op, request));
    const bool found = std::ranges::any_of(page.rows, [&](const Index::Page::Row& row) {
      return row.blob.place.pack == pack && !row.blob.place.IsOwnFile();
    });
    if (found) {
      return true;
    }
    request.after = std::move(page.resume);
  } while (request.after);
  return false;
}

/// The store knows that the pack is of no use before its file goes, or a start in between would
/// take what was removed from it for new.
Result<void> Compaction::RemovePack(const store::OpContext& op, std::uint64_t pack) {
  parts_.book.MarkEmptied(pack);
  RETURN_IF_ERROR(parts_.book.Checkpoint(op));
  parts_.packs.Forget(pack);
  RETURN_IF_ERROR(RemoveFile(parts_.folder.PackAt(pack)));
  RETURN_IF_ERROR(parts_.disk.SyncFolder(parts_.folder.Packs()));
  parts_.book.Forget(pack);
  return {};
}

}  // namespace atrium::blobs
