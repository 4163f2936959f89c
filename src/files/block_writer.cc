// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/block_writer.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "base/bytes.h"
#include "files/condemned.h"
#include "files/keys.h"
#include "store/record.h"

namespace atrium::files {
namespace {

/// The first byte of the notes of this room.
constexpr char kNoteOfBlock = 'f';

}  // namespace

store::ImmutableRow RowOfBlock(const LibraryId& library, const BlockId& id,
                               const BlockPlace& place) {
  return {.key = BlockKey(library, id), .document = store::EncodeRecord(place)};
}

std::string RenderNote(const NotedBlock& noted) {
  std::string note(1, kNoteOfBlock);
  note += AsChars(noted.library.value().bytes);
  note += AsChars(noted.block.value().bytes);
  return note;
}

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

BlockWriter::BlockWriter(store::Store& store, BlobUses& uses,
                         std::unique_ptr<blobs::BlobWriter> blob, const LibraryId& library,
                         const std::optional<BlockId>& id)
    : store_(store), uses_(uses), blob_(std::move(blob)), library_(library), id_(id) {}

Result<void> BlockWriter::Write(std::string_view bytes) {
  sha1_.Update(bytes);
  return blob_->Write(bytes);
}

Result<void> BlockWriter::Finish(const store::OpContext& op) {
  RETURN_IF_ERROR(FinishNamed(op));
  return {};
}

Result<BlockId> BlockWriter::FinishNamed(const store::OpContext& op) {
  const BlockId id(Sha1Id{sha1_.Finish()});
  if (id_ && id != *id_) {
    return Fail(ErrorCode::kInvalidArgument, "the bytes are not those of block " + id_->Render());
  }
  const std::string note = RenderNote({.library = library_, .block = id});
  ASSIGN_OR_RETURN(const blobs::Pin pin, blob_->Finish(op, {.note = note}));
  const store::ImmutableRow row =
      RowOfBlock(library_, id, {.blob = pin.Id(), .bytes = static_cast<std::int64_t>(pin.Bytes())});
  RETURN_IF_ERROR(Condemned(store_).Pardon(op, library_, ContentKind::kBlock, {&id.value(), 1}));
  const BlobUses::Naming naming = uses_.Name(pin.Id());
  RETURN_IF_ERROR(store_.WriteImmutable(op, kBlockTable, {&row, 1}));
  return id;
}

}  // namespace atrium::files
