// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/content.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "base/base64.h"
#include "base/bytes.h"
#include "base/hash.h"
#include "base/hex.h"
#include "files/keys.h"
#include "store/limits.h"
#include "store/record.h"

namespace atrium::files {
namespace {

/// How much of an object one row takes: in base64, a document of the store holds a little more.
constexpr std::size_t kPieceBytes = std::size_t{45} << 10;
/// How much is put into the store at once.
constexpr std::size_t kRowsAtOnce = 1000;

/// How much of the digest of compressed bytes tells them from others of the same text.
constexpr std::size_t kSpellingBytes = 8;

std::unexpected<Error> Corrupt(std::string_view what, const Sha1Id& id) {
  return FailPrivately(ErrorCode::kCorrupt,
                       std::string(what) + " " + id.Render() + " is not as it was stored");
}

std::string EncodePiece(std::string_view deflated, std::uint64_t piece, ObjectPiece facts) {
  facts.deflated = EncodeBase64(deflated.substr(piece * kPieceBytes, kPieceBytes));
  return store::EncodeRecord(facts);
}

/// A client and this server compress the same text differently, and rows of both must never come
/// together.
void AppendRows(std::vector<store::ImmutableRow>& rows, const LibraryId& library,
                const ObjectId& id, std::string_view deflated) {
  if (deflated.size() <= kPieceBytes) {
    rows.push_back({.key = ObjectKey(library, id), .document = EncodePiece(deflated, 0, {})});
    return;
  }
  const Sha256Digest digest = Sha256Of(deflated);
  const std::string spelling = EncodeHex(AsChars(digest).substr(0, kSpellingBytes));
  const std::uint64_t pieces = (deflated.size() + kPieceBytes - 1) / kPieceBytes;
  rows.push_back({.key = ObjectKey(library, id),
                  .document = EncodePiece(deflated, 0, {.pieces = pieces, .spelling = spelling})});
  for (std::uint64_t piece = 1; piece < pieces; ++piece) {
    rows.push_back({.key = ObjectPieceKey(library, id, spelling, piece),
                    .document = EncodePiece(deflated, piece, {})});
  }
}

}  // namespace

Result<std::optional<std::string>> Content::FindCommitText(const store::OpContext& op,
                                                           const LibraryId& library,
                                                           const CommitId& id) const {
  ASSIGN_OR_RETURN(auto row, store_.Get(op, kCommitTable, CommitKey(library, id)));
  return row ? std::optional(std::move(row->document)) : std::nullopt;
}

Result<std::optional<Commit>> Content::FindCommit(const store::OpContext& op,
                                                  const LibraryId& library,
                                                  const CommitId& id) const {
  ASSIGN_OR_RETURN(const auto text, FindCommitText(op, library, id));
  if (!text) {
    return std::nullopt;
  }
  Result<Commit> commit = ParseCommit(*text);
  if (!commit) {
    return Corrupt("commit", id.value());
  }
  return std::optional(*std::move(commit));
}

Result<void> Content::PutCommit(const store::OpContext& op, const LibraryId& library,
                                const CommitId& id, const std::string& text) {
  RETURN_IF_ERROR(condemned_.Pardon(op, library, ContentKind::kCommit, {&id.value(), 1}));
  const store::ImmutableRow row{.key = CommitKey(library, id), .document = text};
  RETURN_IF_ERROR(store_.WriteImmutable(op, kCommitTable, {&row, 1}));
  ASSIGN_OR_RETURN(const auto stored, FindCommitText(op, library, id));
  if (stored != text) {
    return Fail(ErrorCode::kAlreadyExists, "there is another commit " + id.Render());
  }
  return {};
}

Result<bool> Content::HasObject(const store::OpContext& op, const LibraryId& library,
                                const ObjectId& id) const {
  ASSIGN_OR_RETURN(const auto row, store_.Get(op, kObjectTable, ObjectKey(library, id)));
  return row.has_value();
}

Result<std::optional<StoredObject>> Content::FindFirstPiece(const store::OpContext& op,
                                                            const LibraryId& library,
                                                            const ObjectId& id) const {
  ASSIGN_OR_RETURN(auto row, store_.Get(op, kObjectTable, ObjectKey(library, id)));
  if (!row) {
    return std::nullopt;
  }
  ASSIGN_OR_RETURN(auto decoded, store::DecodeRecord<ObjectPiece>(row->document, {}));
  ASSIGN_OR_RETURN(std::string first, DecodeBase64(decoded.record.deflated));
  const std::uint64_t bytes = first.size();
  return StoredObject{.library = library,
                      .id = id,
                      .pieces = decoded.record.pieces,
                      .spelling = std::move(decoded.record.spelling),
                      .first = std::move(first),
                      .bytes = bytes};
}

Result<std::optional<std::string>> Content::FindObject(const store::OpContext& op,
                                                       const LibraryId& library,
                                                       const ObjectId& id) const {
  ASSIGN_OR_RETURN(const std::optional<StoredObject> object, FindFirstPiece(op, library, id));
  if (!object) {
    return std::nullopt;
  }
  ASSIGN_OR_RETURN(std::string whole, ReadObject(op, *object));
  return std::optional(std::move(whole));
}

Result<std::string> Content::ReadObject(const store::OpContext& op,
                                        const StoredObject& object) const {
  std::string whole;
  whole.reserve(object.bytes);
  for (std::uint64_t piece = 0; piece < object.pieces; ++piece) {
    ASSIGN_OR_RETURN(const std::string more, ReadPiece(op, object, piece));
    whole += more;
  }
  return whole;
}

/// All pieces but the last are equally long.
Result<std::optional<StoredObject>> Content::OpenObject(const store::OpContext& op,
                                                        const LibraryId& library,
                                                        const ObjectId& id) const {
  ASSIGN_OR_RETURN(std::optional<StoredObject> object, FindFirstPiece(op, library, id));
  if (object && object->pieces > 1) {
    ASSIGN_OR_RETURN(const std::string last, ReadPiece(op, *object, object->pieces - 1));
    object->bytes = ((object->pieces - 1) * kPieceBytes) + last.size();
  }
  return object;
}

Result<std::string> Content::ReadPiece(const store::OpContext& op, const StoredObject& object,
                                       std::uint64_t piece) const {
  if (piece == 0) {
    return object.first;
  }
  const store::Key key = ObjectPieceKey(object.library, object.id, object.spelling, piece);
  ASSIGN_OR_RETURN(const auto row, store_.Get(op, kObjectTable, key));
  if (!row) {
    return FailPrivately(ErrorCode::kCorrupt, "a further row of an object is missing");
  }
  ASSIGN_OR_RETURN(const auto decoded, store::DecodeRecord<ObjectPiece>(row->document, {}));
  return DecodeBase64(decoded.record.deflated);
}

Result<bool> Content::VouchesForObject(const store::OpContext& op, const LibraryId& library,
                                       const ObjectId& id) const {
  ASSIGN_OR_RETURN(const bool there, HasObject(op, library, id));
  if (!there) {
    return false;
  }
  ASSIGN_OR_RETURN(
      const auto since,
      condemned_.Find(op, {.library = library, .kind = ContentKind::kObject, .id = id.value()}));
  return !since;
}

Result<bool> Content::VouchesForBlock(const store::OpContext& op, const LibraryId& library,
                                      const BlockId& id) const {
  ASSIGN_OR_RETURN(const std::vector<BlockId> missing, FindMissing(op, library, {&id, 1}));
  return missing.empty();
}

Result<std::vector<BlockId>> Content::FindMissing(const store::OpContext& op,
                                                  const LibraryId& library,
                                                  std::span<const BlockId> ids) const {
  std::vector<BlockId> missing;
  for (; !ids.empty(); ids = ids.subspan(std::min(ids.size(), store::kScanRowsMax))) {
    const auto some = ids.first(std::min(ids.size(), store::kScanRowsMax));
    std::vector<store::Key> keys;
    keys.reserve(some.size());
    for (const BlockId& id : some) {
      keys.push_back(BlockKey(library, id));
    }
    ASSIGN_OR_RETURN(const auto rows, store_.GetMany(op, kBlockTable, keys));
    for (std::size_t i = 0; i < some.size(); ++i) {
      ASSIGN_OR_RETURN(const bool there, IsSafe(op, library, some[i], rows[i]));
      if (!there) {
        missing.push_back(some[i]);
      }
    }
  }
  return missing;
}

/// Whether the block with this row will be there for whoever is told so.
Result<bool> Content::IsSafe(const store::OpContext& op, const LibraryId& library,
                             const BlockId& id, const std::optional<store::Row>& row) const {
  if (!row) {
    return false;
  }
  ASSIGN_OR_RETURN(const auto place, store::DecodeRecord<BlockPlace>(row->document, {}));
  ASSIGN_OR_RETURN(
      const auto since,
      condemned_.Find(op, {.library = library, .kind = ContentKind::kBlock, .id = id.value()}));
  return since ? Result<bool>(false) : blobs_.Contains(op, place.record.blob);
}

template <typename Object>
Result<void> Content::PardonObjects(const store::OpContext& op, const LibraryId& library,
                                    std::span<const Object> objects) {
  std::vector<Sha1Id> ids;
  ids.reserve(objects.size());
  for (const Object& object : objects) {
    ids.push_back(object.id.value());
  }
  return condemned_.Pardon(op, library, ContentKind::kObject, ids);
}

/// The first row of an object says that it is there, so it is written last.
Result<void> Content::WriteObjects(const store::OpContext& op,
                                   std::vector<store::ImmutableRow> rows) {
  std::ranges::reverse(rows);
  for (std::size_t i = 0; i < rows.size(); i += kRowsAtOnce) {
    const auto some = std::span(rows).subspan(i, std::min(kRowsAtOnce, rows.size() - i));
    RETURN_IF_ERROR(store_.WriteImmutable(op, kObjectTable, some));
  }
  return {};
}

Result<void> Content::PutObjects(const store::OpContext& op, const LibraryId& library,
                                 std::span<const PackedObject> objects) {
  RETURN_IF_ERROR(PardonObjects(op, library, objects));
  std::vector<store::ImmutableRow> rows;
  for (const PackedObject& object : objects) {
    AppendRows(rows, library, object.id, object.deflated);
  }
  return WriteObjects(op, std::move(rows));
}

Result<void> Content::PutObjects(const store::OpContext& op, const LibraryId& library,
                                 std::span<const NewObject> objects) {
  RETURN_IF_ERROR(PardonObjects(op, library, objects));
  std::vector<store::ImmutableRow> rows;
  for (const NewObject& object : objects) {
    AppendRows(rows, library, object.id, Deflate(object.text));
  }
  return WriteObjects(op, std::move(rows));
}

Result<std::optional<BlockPlace>> Content::FindBlock(const store::OpContext& op,
                                                     const LibraryId& library,
                                                     const BlockId& id) const {
  ASSIGN_OR_RETURN(const auto row, store_.Get(op, kBlockTable, BlockKey(library, id)));
  if (!row) {
    return std::nullopt;
  }
  ASSIGN_OR_RETURN(const auto place, store::DecodeRecord<BlockPlace>(row->document, {}));
  return std::optional(place.record);
}

Result<std::unique_ptr<BlockWriter>> Content::BeginBlock(const store::OpContext& op,
                                                         const LibraryId& library,
                                                         const std::optional<BlockId>& id) {
  ASSIGN_OR_RETURN(std::unique_ptr<blobs::BlobWriter> blob, blobs_.Begin(op));
  return std::make_unique<BlockWriter>(
      BlockWriter::Ground{.condemned = condemned_, .rows = block_rows_, .loose = loose_},
      std::move(blob), library, id);
}

Result<void> Content::PutBlock(const store::OpContext& op, const LibraryId& library,
                               const BlockId& id, std::string_view bytes) {
  ASSIGN_OR_RETURN(const auto writer, BeginBlock(op, library, id));
  RETURN_IF_ERROR(writer->Write(op, bytes));
  return writer->Finish(op);
}

Result<void> Content::Recover(store::Store& store, const store::OpContext& op,
                              std::span<const blobs::NotedBlob> recovered) {
  const std::vector<store::ImmutableRow> rows = RowsOfBlocks(recovered);
  return rows.empty() ? Result<void>() : store.WriteImmutable(op, kBlockTable, rows);
}

Result<blobs::BlobSlice> Content::OpenBlock(const store::OpContext& op,
                                            const BlockPlace& place) const {
  return blobs_.Open(op, place.blob);
}

Result<std::string> Content::ReadBlock(const store::OpContext& op, const BlockPlace& place) const {
  return blobs_.Read(op, place.blob);
}

}  // namespace atrium::files
