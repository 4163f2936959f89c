// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "blobs/blobs.h"
#include "files/blob_uses.h"
#include "files/object_id.h"
#include "files/records.h"
#include "store/store.h"
#include "store/write_set.h"

namespace atrium::files {

/// Which block of which library a blob is.
struct NotedBlock {
  LibraryId library{};
  BlockId block{};
};

/// What is kept with the blob of a block, to write its row again after a crash.
std::string RenderNote(const NotedBlock& noted);
/// nullopt for the note of something else.
std::optional<NotedBlock> ReadNote(std::string_view note);

/// The row by which a block is reached in its library.
store::ImmutableRow RowOfBlock(const LibraryId& library, const BlockId& id,
                               const BlockPlace& place);
/// Of all blocks among them; notes of something else are passed over.
std::vector<store::ImmutableRow> RowsOfBlocks(std::span<const blobs::NotedBlob> noted);

/// Writes the rows of blocks whose blobs have just come. Any thread.
class BlockRows final : public blobs::NotedRows {
 public:
  /// Both outlive it.
  BlockRows(store::Store& store, BlobUses& uses) : store_(store), uses_(uses) {}

  Result<void> Write(std::span<const blobs::NotedBlob> noted) override;

 private:
  store::Store& store_;
  BlobUses& uses_;
};

}  // namespace atrium::files
