// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/block_rows.h"

#include <algorithm>
#include <cstdint>

#include "base/bytes.h"
#include "files/keys.h"
#include "store/record.h"

namespace atrium::files {
namespace {

/// The first byte of the notes of this room.
constexpr char kNoteOfBlock = 'f';
/// Rows of several requests are written at once.
constexpr store::OpContext kOp = store::OpContext::ForWork("files.blocks");

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

std::vector<store::ImmutableRow> RowsOfBlocks(std::span<const blobs::NotedBlob> noted) {
  std::vector<store::ImmutableRow> rows;
  rows.reserve(noted.size());
  for (const blobs::NotedBlob& blob : noted) {
    if (const std::optional<NotedBlock> block = ReadNote(blob.note)) {
      rows.push_back(RowOfBlock(block->library, block->block,
                                {.blob = blob.id, .bytes = static_cast<std::int64_t>(blob.bytes)}));
    }
  }
  return rows;
}

Result<void> BlockRows::Write(std::span<const blobs::NotedBlob> noted) {
  const BlobUses::Naming naming = uses_.Name(noted);
  return store_.WriteImmutable(kOp, kBlockTable, RowsOfBlocks(noted));
}

}  // namespace atrium::files
