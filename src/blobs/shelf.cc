// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "blobs/shelf.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/hash.h"
#include "blobs/pack_format.h"

namespace atrium::blobs {
namespace {

constexpr std::size_t kPieceBytes = std::size_t{1} << 20;

std::unexpected<Error> Damaged(const IndexedBlob& blob, std::string_view how) {
  return FailPrivately(ErrorCode::kCorrupt, "blob " + blob.id.Render() + " " + std::string(how));
}

Result<void> CheckHead(const IndexedBlob& blob, const std::optional<RecordHead>& head) {
  if (!head || head->kind != RecordKind::kWhole || head->id != blob.id ||
      head->bytes != blob.place.bytes) {
    return Damaged(blob, "does not lie where the index says");
  }
  return {};
}

/// Calls `take` with one piece after the other.
template <typename Take>
Result<void> ForEachPiece(const BlobSlice& slice, const Take& take) {
  std::vector<char> buffer(std::min<std::uint64_t>(slice.bytes, kPieceBytes));
  for (std::uint64_t done = 0; done < slice.bytes;) {
    const std::span<char> piece =
        std::span(buffer).first(std::min<std::uint64_t>(buffer.size(), slice.bytes - done));
    ASSIGN_OR_RETURN(const std::size_t count,
                     ReadAt(*slice.descriptor, slice.offset + done, piece));
    if (count == 0) {
      break;
    }
    RETURN_IF_ERROR(take(std::string_view(piece.data(), count)));
    done += count;
  }
  return {};
}

}  // namespace

Result<BlobSlice> Shelf::Open(const IndexedBlob& blob) const {
  return blob.place.IsOwnFile() ? OpenFile(blob) : OpenRecord(blob);
}

Result<BlobSlice> Shelf::OpenFile(const IndexedBlob& blob) const {
  ASSIGN_OR_RETURN(Descriptor file, OpenToRead(folder_.FileAt(blob.id)));
  ASSIGN_OR_RETURN(const std::uint64_t bytes, SizeOf(file.Get()));
  if (bytes != blob.place.bytes) {
    return Damaged(blob, "has not its length");
  }
  return BlobSlice{.descriptor = Share(std::move(file)), .bytes = bytes};
}

Result<BlobSlice> Shelf::OpenRecord(const IndexedBlob& blob) const {
  ASSIGN_OR_RETURN(const std::shared_ptr<const PackFile> pack, packs_.Get(blob.place.pack));
  ASSIGN_OR_RETURN(const RecordHead head, pack->PeekHead(blob.place.at));
  RETURN_IF_ERROR(CheckHead(blob, head));
  return BlobSlice{.descriptor = pack->descriptor,
                   .offset = blob.place.at + kHeadBytes,
                   .bytes = blob.place.bytes};
}

/// With one read for head and bytes together.
Result<std::string> Shelf::ReadRecord(const IndexedBlob& blob) const {
  ASSIGN_OR_RETURN(const std::shared_ptr<const PackFile> pack, packs_.Get(blob.place.pack));
  ASSIGN_OR_RETURN(std::string bytes,
                   ReadAt(*pack->descriptor, blob.place.at, kHeadBytes + blob.place.bytes));
  RETURN_IF_ERROR(CheckHead(blob, PeekRecordHead(bytes)));
  bytes.erase(0, kHeadBytes);
  return bytes;
}

Result<std::string> Shelf::Read(const IndexedBlob& blob) const {
  std::string bytes;
  if (blob.place.IsOwnFile()) {
    ASSIGN_OR_RETURN(const BlobSlice slice, OpenFile(blob));
    ASSIGN_OR_RETURN(bytes, ReadAt(*slice.descriptor, slice.offset, slice.bytes));
  } else {
    ASSIGN_OR_RETURN(bytes, ReadRecord(blob));
  }
  if (BlobId::Of(bytes) != blob.id) {
    return Damaged(blob, "has other bytes than its id says");
  }
  return bytes;
}

Result<void> Shelf::Prove(const IndexedBlob& blob) const {
  ASSIGN_OR_RETURN(const BlobSlice slice, Open(blob));
  if (!blob.place.IsOwnFile()) {
    ASSIGN_OR_RETURN(const std::shared_ptr<const PackFile> pack, packs_.Get(blob.place.pack));
    RETURN_IF_ERROR(pack->ReadHead(blob.place.at));
  }
  Sha256 hash;
  RETURN_IF_ERROR(ForEachPiece(slice, [&](std::string_view piece) -> Result<void> {
    hash.Update(piece);
    return {};
  }));
  if (hash.Finish() != blob.id.digest) {
    return Damaged(blob, "has other bytes than its id says");
  }
  return {};
}

Result<void> Shelf::SetAside(const IndexedBlob& blob) const {
  Result<void> done = blob.place.IsOwnFile() ? files_.SetAside(blob.id) : CopyAside(blob);
  if (!done && done.error().code != ErrorCode::kNotFound) {
    return While("set damaged bytes aside", std::move(done).error());
  }
  return {};
}

/// Head and bytes, whatever they are.
Result<void> Shelf::CopyAside(const IndexedBlob& blob) const {
  ASSIGN_OR_RETURN(const Descriptor pack, OpenToRead(folder_.PackAt(blob.place.pack)));
  ASSIGN_OR_RETURN(TemporaryFile copy, files_.Begin());
  const BlobSlice slice{.descriptor = std::make_shared<const int>(pack.Get()),
                        .offset = blob.place.at,
                        .bytes = kHeadBytes + blob.place.bytes};
  RETURN_IF_ERROR(ForEachPiece(slice, [&](std::string_view piece) { return copy.Write(piece); }));
  RETURN_IF_ERROR(copy.SyncAndMove(folder_.NewSetAside(blob.id)));
  return disk_.SyncFolder(folder_.Path() / "set-aside");
}

}  // namespace atrium::blobs
