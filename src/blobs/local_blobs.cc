// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "blobs/local_blobs.h"

#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "blobs/keys.h"
#include "blobs/records.h"
#include "blobs/verification.h"
#include "store/record.h"
#include "store/write_set.h"

namespace atrium::blobs {
namespace {

constexpr store::OpContext kOp = store::OpContext::ForWork("blobs", store::Consistency::kWrites);
/// How often a blob may move away while somebody is looking for it.
constexpr int kLooksMax = 5;

std::unexpected<Error> NoBlob(const BlobId& id) {
  return FailPrivately(ErrorCode::kNotFound, "no blob " + id.Render());
}

}  // namespace

LocalBlobs::LocalBlobs(const LocalOptions& options, const store::Ground& ground,
                       std::shared_ptr<Disk> disk, Folder folder)
    : options_(options),
      ground_(ground),
      disk_(std::move(disk)),
      folder_(std::move(folder)),
      custody_(std::make_shared<Custody>(ground.store)),
      index_(ground.store),
      packs_(folder_),
      files_(folder_, *disk_),
      shelf_(folder_, packs_, files_, *disk_),
      numbers_(ground.clock),
      appender_({.folder = folder_,
                 .index = index_,
                 .book = custody_->book,
                 .numbers = numbers_,
                 .disk = *disk_},
                {.pack_bytes = options.pack_bytes, .reserve_bytes = options.reserve_bytes}),
      parts_{.folder = folder_,
             .disk = *disk_,
             .locks = custody_->locks,
             .book = custody_->book,
             .index = index_,
             .packs = packs_,
             .files = files_,
             .shelf = shelf_,
             .numbers = numbers_,
             .appender = appender_},
      intake_(parts_, custody_, suspects_, {.own_file_bytes = options.own_file_bytes}),
      compaction_(parts_, options.pack_bytes) {}

Result<std::unique_ptr<LocalBlobs>> LocalBlobs::Open(const LocalOptions& options,
                                                     const store::Ground& ground) {
  std::shared_ptr<Disk> disk = options.disk ? options.disk : std::make_shared<Disk>();
  ASSIGN_OR_RETURN(Folder folder, Folder::Open(options.folder, ground.ids.NewUuid(), *disk));
  std::unique_ptr<LocalBlobs> blobs(
      new LocalBlobs(options, ground, std::move(disk), std::move(folder)));
  RETURN_IF_ERROR(blobs->MeetFolder());
  RETURN_IF_ERROR(blobs->custody_->book.Load(kOp));
  RETURN_IF_ERROR(Replay(blobs->parts_, options.recovered).Run({.pack_bytes = options.pack_bytes}));
  return blobs;
}

LocalBlobs::~LocalBlobs() {
  if (const Result<void> closed = appender_.Close(); !closed) {
    // The next start reads again what the store does not know.
    log::Warn("blobs were closed without a checkpoint", {{"detail", Describe(closed.error())}});
  }
}

Result<void> LocalBlobs::MeetFolder() {
  ASSIGN_OR_RETURN(const std::optional<store::Row> row,
                   ground_.store.Get(kOp, kFacts, FolderKey()));
  if (row) {
    ASSIGN_OR_RETURN(const store::Stored<FolderFacts> known,
                     store::DecodeRecord<FolderFacts>(row->document, row->version));
    if (known.record.id == folder_.Id()) {
      return {};
    }
    // A store that knows no blobs, as one that was restored elsewhere, misses none.
    ASSIGN_OR_RETURN(const Index::Page blobs, index_.List(kOp, {.limit = 1}));
    if (!blobs.rows.empty() && options_.other_folder == LocalOptions::OtherFolder::kRefuse) {
      return Fail(ErrorCode::kRefusedByState,
                  options_.folder.string() +
                      ": the store has known another folder of blobs so far: is its disk mounted?");
    }
  }
  RETURN_IF_ERROR(ground_.store.Commit(
      kOp, store::WriteSet{
               {store::Put{.table = &kFacts,
                           .key = FolderKey(),
                           .document = store::EncodeRecord(FolderFacts{.id = folder_.Id()})}}}));
  return {};
}

Result<void> LocalBlobs::CheckDeadline(const store::OpContext& op) const {
  if (op.deadline.HasPassed(ground_.clock)) {
    return FailPrivately(ErrorCode::kDeadlineExceeded, "the deadline passed before the blobs");
  }
  return {};
}

Result<Pin> LocalBlobs::Put(const store::OpContext& op, std::string_view bytes,
                            const PutOptions& options) {
  RETURN_IF_ERROR(CheckDeadline(op));
  return intake_.Put(op, bytes, options);
}

Result<std::unique_ptr<BlobWriter>> LocalBlobs::Begin(const store::OpContext& op) {
  RETURN_IF_ERROR(CheckDeadline(op));
  return intake_.Begin();
}

Result<std::optional<Pin>> LocalBlobs::FindPinned(const store::OpContext& op, const BlobId& id) {
  custody_->locks.Pin(id);
  Pin unproven = MakePin(custody_, id, 0, {});
  ASSIGN_OR_RETURN(const std::optional<Place> place, index_.Find(op, id));
  if (!place || suspects_.Has(id)) {
    return std::nullopt;
  }
  custody_->locks.Pin(id);
  return MakePin(custody_, id, place->bytes, {});
}

Result<bool> LocalBlobs::Contains(const store::OpContext& op, const BlobId& id) {
  ASSIGN_OR_RETURN(const std::optional<Place> place, index_.Find(op, id));
  return place.has_value() && !suspects_.Has(id);
}

template <typename Go>
auto LocalBlobs::AtItsPlace(const store::OpContext& op, const BlobId& id, const Go& go)
    -> decltype(go(IndexedBlob())) {
  std::optional<Place> last;
  for (int look = 0; look < kLooksMax; ++look) {
    ASSIGN_OR_RETURN(const std::optional<Place> place, index_.Find(op, id));
    if (!place) {
      return NoBlob(id);
    }
    auto outcome = go(IndexedBlob{.id = id, .place = *place});
    if (outcome || outcome.error().code == ErrorCode::kUnavailable) {
      return outcome;
    }
    if (outcome.error().code == ErrorCode::kCorrupt) {
      suspects_.Add(id);
      return outcome;
    }
    if (place == last) {
      break;
    }
    last = place;
  }
  RETURN_IF_ERROR(folder_.CheckPresent());
  suspects_.Add(id);
  return FailPrivately(ErrorCode::kCorrupt, "blob " + id.Render() + " has no bytes");
}

Result<BlobSlice> LocalBlobs::Open(const store::OpContext& op, const BlobId& id) {
  return AtItsPlace(op, id, [this](const IndexedBlob& blob) { return shelf_.Open(blob); });
}

Result<std::string> LocalBlobs::Read(const store::OpContext& op, const BlobId& id) {
  return AtItsPlace(op, id, [this](const IndexedBlob& blob) { return shelf_.Read(blob); });
}

Result<BlobPage> LocalBlobs::List(const store::OpContext& op, const ListRequest& request) {
  ASSIGN_OR_RETURN(Index::Page rows, index_.List(op, request));
  BlobPage page{.resume = std::move(rows.resume)};
  page.blobs.reserve(rows.rows.size());
  for (const Index::Page::Row& row : rows.rows) {
    page.blobs.push_back({.id = row.blob.id, .bytes = row.blob.place.bytes, .since = row.since});
  }
  return page;
}

BlobStatistics LocalBlobs::Statistics() {
  BlobStatistics statistics{.waiting = appender_.CountWaiting(),
                            .appended = appender_.Appended(),
                            .groups = appender_.Groups()};
  custody_->book.Count(statistics);
  return statistics;
}

Result<Removal> LocalBlobs::Remove(const store::OpContext& op, std::span<const BlobId> ids,
                                   const RemovalCheck& check) {
  RETURN_IF_ERROR(CheckDeadline(op));
  std::vector<BlobId> sorted(ids.begin(), ids.end());
  std::ranges::sort(sorted);
  sorted.erase(std::ranges::unique(sorted).begin(), sorted.end());
  Removal removal;
  for (std::span<const BlobId> rest = sorted; !rest.empty();) {
    const std::span<const BlobId> some = rest.first(std::min(rest.size(), PackBook::kMutationsMax));
    RETURN_IF_ERROR(RemoveSome(op, some, check, removal));
    rest = rest.subspan(some.size());
  }
  return removal;
}

Result<void> LocalBlobs::RemoveSome(const store::OpContext& op, std::span<const BlobId> ids,
                                    const RemovalCheck& check, Removal& removal) {
  std::vector<BlobLocks::Lock> locks;
  std::vector<IndexedBlob> blobs;
  locks.reserve(ids.size());
  for (const BlobId& id : ids) {
    const BlobLocks::Lock& lock = locks.emplace_back(custody_->locks.Take(id));
    ASSIGN_OR_RETURN(const std::optional<Place> place, index_.Find(op, id));
    if (!place) {
      continue;
    }
    if (lock.IsPinned() || index_.IsMoving(id)) {
      removal.pinned.push_back(id);
      continue;
    }
    ASSIGN_OR_RETURN(const bool goes, check ? check(id) : Result<bool>(true));
    if (goes) {
      blobs.push_back({.id = id, .place = *place});
    } else {
      removal.kept.push_back(id);
    }
  }
  for (std::span<const IndexedBlob> rest = blobs; !rest.empty();) {
    const std::span<const IndexedBlob> some = rest.first(CountForOneCommit(rest));
    RETURN_IF_ERROR(EraseTogether(parts_, op, some));
    RemoveBytes(some, removal);
    rest = rest.subspan(some.size());
  }
  return {};
}

/// Of blobs that are not in the index any more. Those in packs stay until a clean-up.
void LocalBlobs::RemoveBytes(std::span<const IndexedBlob> blobs, Removal& removal) {
  for (const IndexedBlob& blob : blobs) {
    ++removal.removed;
    removal.bytes += blob.place.bytes;
    suspects_.Clear(blob.id);
    if (!blob.place.IsOwnFile()) {
      continue;
    }
    if (const Result<void> removed = files_.Remove(blob.id); !removed) {
      // An orphan, which a verification finds.
      log::Warn("the file of a removed blob stays", {{"detail", removed.error().detail}});
    }
  }
}

Result<Strays> LocalBlobs::SweepStrays(const store::OpContext& op, const StrayRequest& request) {
  Strays strays;
  for (unsigned first = 0; first <= std::numeric_limits<std::uint8_t>::max(); ++first) {
    RETURN_IF_ERROR(CheckDeadline(op));
    ASSIGN_OR_RETURN(const std::vector<BlobId> ids,
                     folder_.ListFiles(static_cast<std::uint8_t>(first)));
    for (const BlobId& id : ids) {
      ASSIGN_OR_RETURN(const std::optional<Place> place, index_.Find(op, id));
      if (!place || !place->IsOwnFile()) {
        RETURN_IF_ERROR(SweepStray(op, id, request, strays));
      }
    }
  }
  return strays;
}

/// Whoever puts the blob meanwhile waits, and then writes its file anew.
Result<void> LocalBlobs::SweepStray(const store::OpContext& op, const BlobId& id,
                                    const StrayRequest& request, Strays& strays) {
  const BlobLocks::Lock lock = custody_->locks.Take(id);
  ASSIGN_OR_RETURN(const std::optional<Place> place, index_.Find(op, id));
  const std::filesystem::path path = folder_.FileAt(id);
  struct stat facts{};
  if ((place && place->IsOwnFile()) || lock.IsPinned() || ::lstat(path.c_str(), &facts) != 0) {
    return {};  // It was being put or removed.
  }
  if (Instant(std::chrono::seconds(facts.st_mtim.tv_sec)) > request.before) {
    return {};
  }
  ++strays.count;
  strays.bytes += static_cast<std::uint64_t>(facts.st_size);
  return request.mode == StrayRequest::Mode::kRemove ? files_.Remove(id) : Result<void>();
}

Result<VerifyPage> LocalBlobs::Verify(const store::OpContext& op, const VerifyRequest& request) {
  RETURN_IF_ERROR(CheckDeadline(op));
  return Verification(parts_, request).Run(op);
}

Result<CompactReport> LocalBlobs::Compact(const store::OpContext& op, const std::stop_token& stop) {
  RETURN_IF_ERROR(CheckDeadline(op));
  const std::unique_lock lock(compact_mutex_, std::try_to_lock);
  if (!lock.owns_lock()) {
    return Fail(ErrorCode::kRefusedByState, "another compaction of the blobs is running");
  }
  return compaction_.Run(op, stop);
}

}  // namespace atrium::blobs
