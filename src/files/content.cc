// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/content.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "base/bytes.h"
#include "base/hash.h"
#include "files/keys.h"
#include "store/key_bytes.h"

namespace atrium::files {
namespace {

/// How much of an object one row takes: a document of the store holds a little more.
constexpr std::size_t kPieceBytes = std::size_t{60} << 10;
/// How much is put into the store at once.
constexpr std::size_t kRowsAtOnce = 1000;

/// The first byte of a first row tells whether others follow: compressed text begins with another
/// one. Behind it are the spelling and the number of rows. A client and this server compress the
/// same text differently, and rows of both must never come together.
constexpr char kInPieces = 'm';
constexpr std::size_t kSpellingBytes = 8;
constexpr std::size_t kPiecesHead = 1 + kSpellingBytes + sizeof(std::uint64_t);

/// The first byte of the notes of this room.
constexpr char kNoteOfBlock = 'f';

std::unexpected<Error> Corrupt(std::string_view what, const Sha1Id& id) {
  return FailPrivately(ErrorCode::kCorrupt,
                       std::string(what) + " " + id.Render() + " is not as it was stored");
}

void AppendRows(std::vector<store::ImmutableRow>& rows, const LibraryId& library,
                const ObjectId& id, std::string_view deflated) {
  if (deflated.size() <= kPieceBytes) {
    rows.push_back({.key = ObjectKey(library, id), .document = std::string(deflated)});
    return;
  }
  const Sha256Digest digest = Sha256Of(deflated);
  const std::string_view spelling = AsChars(digest).substr(0, kSpellingBytes);
  const std::uint64_t pieces = (deflated.size() + kPieceBytes - 1) / kPieceBytes;
  rows.push_back({.key = ObjectKey(library, id),
                  .document = kInPieces + store::KeyBytes().Raw(spelling).Number(pieces).Take() +
                              std::string(deflated.substr(0, kPieceBytes))});
  for (std::uint64_t piece = 1; piece < pieces; ++piece) {
    rows.push_back({.key = ObjectPieceKey(library, id, spelling, piece),
                    .document = std::string(deflated.substr(piece * kPieceBytes, kPieceBytes))});
  }
}

std::string EncodePlace(const BlockPlace& place) {
  return std::string(place.blob.Bytes()) +
         store::KeyBytes().Number(static_cast<std::uint64_t>(place.bytes)).Take();
}

Result<BlockPlace> DecodePlace(std::string_view document, const BlockId& id) {
  constexpr std::size_t kBytes = sizeof(Sha256Digest);
  store::KeyReader reader(document.substr(std::min(kBytes, document.size())));
  const std::uint64_t bytes = reader.Number();
  if (document.size() < kBytes || reader.Failed()) {
    return Corrupt("the row of block", id.value());
  }
  ASSIGN_OR_RETURN(const blobs::BlobId blob, blobs::BlobId::FromBytes(document.substr(0, kBytes)));
  return BlockPlace{.blob = blob, .bytes = static_cast<std::int64_t>(bytes)};
}

/// What is kept with a blob, to write the row of its block again after a crash.
std::string NoteOf(const LibraryId& library, const BlockId& block) {
  std::string note(1, kNoteOfBlock);
  note += AsChars(library.value().bytes);
  note += AsChars(block.value().bytes);
  return note;
}

struct NotedBlock {
  LibraryId library{};
  BlockId block{};
};

std::optional<NotedBlock> ReadNote(std::string_view note) {
  Uuid library;
  Sha1Id block;
  if (!note.starts_with(kNoteOfBlock) ||
      note.size() != 1 + library.bytes.size() + block.bytes.size()) {
    return std::nullopt;
  }
  const auto bytes = AsBytes(note).subspan(1);
  std::ranges::copy(bytes.first(library.bytes.size()), library.bytes.begin());
  std::ranges::copy(bytes.subspan(library.bytes.size()), block.bytes.begin());
  return NotedBlock{.library = LibraryId(library), .block = BlockId(block)};
}

store::ImmutableRow RowOfBlock(const LibraryId& library, const BlockId& id,
                               const BlockPlace& place) {
  return {.key = BlockKey(library, id), .document = EncodePlace(place)};
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

Result<std::optional<std::string>> Content::FindObject(const store::OpContext& op,
                                                       const LibraryId& library,
                                                       const ObjectId& id) const {
  ASSIGN_OR_RETURN(auto row, store_.Get(op, kObjectTable, ObjectKey(library, id)));
  if (!row) {
    return std::nullopt;
  }
  if (!row->document.starts_with(kInPieces)) {
    return std::optional(std::move(row->document));
  }
  ASSIGN_OR_RETURN(std::string whole, ReadPieces(op, library, id, row->document));
  return std::optional(std::move(whole));
}

Result<std::string> Content::ReadPieces(const store::OpContext& op, const LibraryId& library,
                                        const ObjectId& id, std::string_view first) const {
  if (first.size() < kPiecesHead) {
    return Corrupt("object", id.value());
  }
  const std::string_view spelling = first.substr(1, kSpellingBytes);
  const std::uint64_t pieces = store::KeyReader(first.substr(1 + kSpellingBytes)).Number();
  std::string whole(first.substr(kPiecesHead));
  for (std::uint64_t piece = 1; piece < pieces; ++piece) {
    ASSIGN_OR_RETURN(const auto more,
                     store_.Get(op, kObjectTable, ObjectPieceKey(library, id, spelling, piece)));
    if (!more) {
      return Corrupt("object", id.value());
    }
    whole += more->document;
  }
  return whole;
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
  std::vector<store::ImmutableRow> rows;
  for (const PackedObject& object : objects) {
    AppendRows(rows, library, object.id, object.deflated);
  }
  return WriteObjects(op, std::move(rows));
}

Result<void> Content::PutObjects(const store::OpContext& op, const LibraryId& library,
                                 std::span<const NewObject> objects) {
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
  ASSIGN_OR_RETURN(const BlockPlace place, DecodePlace(row->document, id));
  return std::optional(place);
}

Result<void> Content::PutBlock(const store::OpContext& op, const LibraryId& library,
                               const BlockId& id, std::string_view bytes) {
  if (BlockIdOf(bytes) != id) {
    return Fail(ErrorCode::kInvalidArgument, "the bytes are not those of block " + id.Render());
  }
  ASSIGN_OR_RETURN(const blobs::Pin pin, blobs_.Put(op, bytes, {.note = NoteOf(library, id)}));
  const store::ImmutableRow row =
      RowOfBlock(library, id, {.blob = pin.Id(), .bytes = static_cast<std::int64_t>(pin.Bytes())});
  return store_.WriteImmutable(op, kBlockTable, {&row, 1});
}

Result<void> Content::Recover(const store::OpContext& op,
                              std::span<const blobs::Recovered> recovered) {
  std::vector<store::ImmutableRow> rows;
  for (const blobs::Recovered& one : recovered) {
    if (const std::optional<NotedBlock> noted = ReadNote(one.note)) {
      rows.push_back(RowOfBlock(noted->library, noted->block,
                                {.blob = one.id, .bytes = static_cast<std::int64_t>(one.bytes)}));
    }
  }
  return rows.empty() ? Result<void>() : store_.WriteImmutable(op, kBlockTable, rows);
}

Result<blobs::BlobSlice> Content::OpenBlock(const store::OpContext& op,
                                            const BlockPlace& place) const {
  return blobs_.Open(op, place.blob);
}

Result<std::string> Content::ReadBlock(const store::OpContext& op, const BlockPlace& place) const {
  return blobs_.Read(op, place.blob);
}

}  // namespace atrium::files
