// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "blobs/replay.h"

#include <algorithm>
#include <cstddef>
#include <unordered_set>
#include <utility>

#include "base/error.h"
#include "base/log.h"

namespace atrium::blobs {
namespace {

constexpr std::size_t kSome = 256;
constexpr store::OpContext kOp = store::OpContext::ForWork("blobs", store::Consistency::kWrites);

/// A record that is not sound was torn when nothing follows it, and otherwise damaged afterwards.
void TellOfDamage(std::uint64_t pack, const std::optional<BlobId>& damaged) {
  if (damaged) {
    log::Error("a blob that no row knows yet is damaged",
               {{"pack", pack}, {"id", damaged->Render()}});
  }
}

/// There is something to be read again.
bool IsUnsettled(const PackFacts& facts) {
  return !facts.sealed || facts.replay_from < facts.end;
}

}  // namespace

Result<void> Replay::Run(const Settings& settings) {
  ASSIGN_OR_RETURN(const std::vector<std::uint64_t> numbers, parts_.folder.ListPacks());
  newest_ = numbers.empty() ? 0 : numbers.back();
  LookForMissing(numbers);
  std::vector<Tail> tails;
  for (const std::uint64_t pack : numbers) {
    parts_.numbers.Saw(pack);
    ASSIGN_OR_RETURN(std::optional<Tail> tail, FindTail(pack));
    if (tail) {
      RETURN_IF_ERROR(IndexTail(*tail));
      tails.push_back(*std::move(tail));
    }
  }
  // A note may be about a blob of any pack, so all rows come first.
  for (const Tail& tail : tails) {
    RETURN_IF_ERROR(HandOverNotes(tail));
  }
  for (const Tail& tail : tails) {
    parts_.book.Settle(tail.pack, tail.facts.replay_from);
    RETURN_IF_ERROR(Conclude(tail, settings));
  }
  return parts_.book.Checkpoint(kOp);
}

void Replay::LookForMissing(std::span<const std::uint64_t> there) {
  for (const std::uint64_t known : parts_.book.Numbers()) {
    parts_.numbers.Saw(known);
    if (std::ranges::binary_search(there, known)) {
      continue;
    }
    if (parts_.book.Find(known)->emptied) {
      parts_.book.Forget(known);
    } else {
      log::Error("a pack is missing: its blobs cannot be read", {{"pack", known}});
    }
  }
}

Result<void> Replay::RemoveEmptied(std::uint64_t pack) {
  RETURN_IF_ERROR(RemoveFile(parts_.folder.PackAt(pack)));
  RETURN_IF_ERROR(parts_.disk.SyncFolder(parts_.folder.Packs()));
  parts_.book.Forget(pack);
  return {};
}

Result<std::optional<Replay::Tail>> Replay::FindTail(std::uint64_t pack) {
  if (!parts_.book.Find(pack)) {
    parts_.book.Add(pack);
  }
  const PackFacts facts = parts_.book.Find(pack).value();
  if (facts.emptied) {
    RETURN_IF_ERROR(RemoveEmptied(pack));
    return std::nullopt;
  }
  if (!IsUnsettled(facts)) {
    return std::nullopt;
  }
  ASSIGN_OR_RETURN(const Descriptor file, OpenToRead(parts_.folder.PackAt(pack)));
  ASSIGN_OR_RETURN(const std::uint64_t size, SizeOf(file.Get()));
  const Result<PackFile> opened = PackFile::Open(parts_.folder, pack);
  if (!opened && opened.error().code == ErrorCode::kCorrupt) {
    return PassOver(pack, size);
  }
  if (!opened) {
    return std::unexpected(opened.error());
  }
  // After a crash of the process alone, what is read here may not be on the disk yet.
  RETURN_IF_ERROR(parts_.disk.Sync(file.Get()));
  if (facts.replay_from >= facts.indexed) {
    parts_.book.KeepNotes(pack, facts.replay_from);
  }
  return Tail{.pack = pack,
              .facts = facts,
              .before = facts.sealed ? facts.end : size,
              .end = facts.indexed};
}

/// A pack without a head can only be left alone, unless it never had one.
Result<std::optional<Replay::Tail>> Replay::PassOver(std::uint64_t pack, std::uint64_t size) {
  if (size <= kHeadBytes) {
    // A crash came before its first bytes were on the disk.
    RETURN_IF_ERROR(RemoveEmptied(pack));
  } else {
    log::Error("a pack is damaged at its head", {{"pack", pack}});
  }
  return std::nullopt;
}

Result<void> Replay::IndexTail(Tail& tail) {
  ASSIGN_OR_RETURN(const PackFile file, PackFile::Open(parts_.folder, tail.pack));
  PackScan scan(file, {.from = tail.facts.indexed, .before = tail.before});
  std::vector<IndexedBlob> some;
  std::optional<BlobId> damaged;
  while (true) {
    ASSIGN_OR_RETURN(const std::optional<ScannedRecord> record, scan.Next());
    if (!record) {
      break;
    }
    if (!record->sound) {
      damaged = record->head.id;
      continue;
    }
    TellOfDamage(tail.pack, std::exchange(damaged, std::nullopt));
    tail.end = record->at + record->head.RecordBytes();
    if (record->head.kind != RecordKind::kMention) {
      const bool own = record->head.kind == RecordKind::kOwnFile;
      some.push_back({.id = record->head.id,
                      .place = {.pack = tail.pack,
                                .at = record->at,
                                .bytes = record->head.bytes,
                                .own = own ? std::optional(true) : std::nullopt}});
    }
    if (some.size() >= kSome) {
      RETURN_IF_ERROR(IndexSome(tail, some, tail.end));
    }
  }
  return IndexSome(tail, some, tail.facts.sealed ? tail.facts.end : tail.end);
}

Result<void> Replay::IndexSome(const Tail& tail, std::vector<IndexedBlob>& some,
                               std::uint64_t indexed) {
  std::vector<IndexedBlob> live;
  std::unordered_set<BlobId> seen;
  for (const IndexedBlob& blob : some) {
    ASSIGN_OR_RETURN(const Verdict verdict, Judge(blob));
    if (verdict == Verdict::kLive && seen.insert(blob.id).second) {
      live.push_back(blob);
    }
  }
  RETURN_IF_ERROR(parts_.index.Write(kOp, live));
  PackBook::Advance advance{.pack = tail.pack, .indexed = indexed};
  for (const IndexedBlob& blob : live) {
    advance.live.push_back(blob.place);
  }
  parts_.book.Note(advance);
  some.clear();
  return {};
}

/// Whether something sound lies there; an error when the disk does not say.
Result<bool> Replay::IsThere(const IndexedBlob& blob) {
  const Result<BlobSlice> found = parts_.shelf.Open(blob);
  if (!found && found.error().code == ErrorCode::kUnavailable) {
    return std::unexpected(found.error());
  }
  return found.has_value();
}

/// Whether the blob lies here from now on. One that lies elsewhere stays there.
Result<Replay::Verdict> Replay::Judge(const IndexedBlob& blob) {
  if (blob.place.IsOwnFile()) {
    // Removed since, or the crash came before its name was on the disk.
    ASSIGN_OR_RETURN(const bool there, IsThere(blob));
    if (!there) {
      return Verdict::kDead;
    }
  }
  ASSIGN_OR_RETURN(const std::optional<Place> place, parts_.index.Find(kOp, blob.id));
  if (!place || place == blob.place) {
    return Verdict::kLive;
  }
  const IndexedBlob elsewhere{.id = blob.id, .place = *place};
  ASSIGN_OR_RETURN(const bool lies_elsewhere, IsThere(elsewhere));
  if (lies_elsewhere) {
    return Verdict::kDead;
  }
  RETURN_IF_ERROR(EraseTogether(parts_, kOp, std::span(&elsewhere, 1)));
  return Verdict::kLive;
}

/// The newest pack is gone on with when nothing was torn off it; all others are sealed.
Result<void> Replay::Conclude(const Tail& tail, const Settings& settings) {
  if (tail.facts.sealed) {
    return {};
  }
  ASSIGN_OR_RETURN(PackWriter writer,
                   PackWriter::Resume(parts_.folder, tail.pack, tail.end, parts_.disk));
  ASSIGN_OR_RETURN(const Descriptor file, OpenToRead(parts_.folder.PackAt(tail.pack)));
  ASSIGN_OR_RETURN(const bool whole, EndsInZeros(file.Get(), tail.end));
  if (!whole) {
    log::Warn("the end of a pack was torn by a crash and is cut off",
              {{"pack", tail.pack}, {"end", tail.end}});
  }
  RETURN_IF_ERROR(writer.Cut());
  if (whole && tail.pack == newest_ && tail.end < settings.pack_bytes) {
    parts_.appender.Resume(std::move(writer));
  } else {
    parts_.book.Seal(tail.pack, tail.end);
  }
  return {};
}

Result<void> Replay::HandOverNotes(const Tail& tail) {
  if (!recovered_) {
    return {};
  }
  ASSIGN_OR_RETURN(const PackFile file, PackFile::Open(parts_.folder, tail.pack));
  PackScan scan(file, {.from = tail.facts.replay_from,
                       .before = std::max(tail.end, tail.facts.indexed),
                       .payloads = PackScan::Payloads::kSkip});
  std::vector<NotedBlob> some;
  while (true) {
    ASSIGN_OR_RETURN(const std::optional<ScannedRecord> record, scan.Next());
    if (!record) {
      return HandOver(some);
    }
    if (!record->sound || record->note.empty()) {
      continue;
    }
    // Without a row the blob was removed, and nobody wants to hear of it.
    ASSIGN_OR_RETURN(const std::optional<Place> place, parts_.index.Find(kOp, record->head.id));
    if (place) {
      some.push_back(
          {.id = record->head.id, .bytes = record->head.bytes, .note = std::string(record->note)});
    }
    if (some.size() >= kSome) {
      RETURN_IF_ERROR(HandOver(some));
    }
  }
}

Result<void> Replay::HandOver(std::vector<NotedBlob>& some) const {
  if (some.empty()) {
    return {};
  }
  if (Result<void> taken = recovered_(some); !taken) {
    return While("rows about recovered blobs", std::move(taken).error());
  }
  some.clear();
  return {};
}

}  // namespace atrium::blobs
