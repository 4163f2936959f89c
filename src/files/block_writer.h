// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/hash.h"
#include "base/result.h"
#include "blobs/blobs.h"
#include "files/blob_uses.h"
#include "files/object_id.h"
#include "files/records.h"
#include "store/store.h"
#include "store/write_set.h"

namespace atrium::files {

/// Takes the bytes of one block as they come, and finds out both its names on the way. One thread
/// at a time. Dropped without Finish() it leaves nothing.
class BlockWriter {
 public:
  /// Store, uses and the origin of `blob` outlive the writer. Without an id, the bytes say what it
  /// is.
  BlockWriter(store::Store& store, BlobUses& uses, std::unique_ptr<blobs::BlobWriter> blob,
              const LibraryId& library, const std::optional<BlockId>& id);

  /// kLimitExceeded for more than a blob holds. After an error only the destructor may be called.
  Result<void> Write(std::string_view bytes);
  /// kInvalidArgument, and nothing is kept, when the bytes have another id. Durable. Once, and
  /// last.
  Result<void> Finish(const store::OpContext& op);
  /// The same for who does not know the id.
  Result<BlockId> FinishNamed(const store::OpContext& op);

 private:
  store::Store& store_;
  BlobUses& uses_;
  std::unique_ptr<blobs::BlobWriter> blob_;
  const LibraryId library_;
  const std::optional<BlockId> id_;
  Sha1 sha1_;
};

/// The row by which a block is reached in its library.
store::ImmutableRow RowOfBlock(const LibraryId& library, const BlockId& id,
                               const BlockPlace& place);

/// Which block of which library a blob is.
struct NotedBlock {
  LibraryId library{};
  BlockId block{};
};

/// What is kept with the blob of a block, to write its row again after a crash.
std::string RenderNote(const NotedBlock& noted);
/// nullopt for the note of something else.
std::optional<NotedBlock> ReadNote(std::string_view note);

}  // namespace atrium::files
