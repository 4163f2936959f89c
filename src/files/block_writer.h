// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "base/hash.h"
#include "base/result.h"
#include "blobs/blobs.h"
#include "files/condemned.h"
#include "files/loose_space.h"
#include "files/object_id.h"
#include "files/records.h"
#include "store/op_context.h"

namespace atrium::files {

/// Takes the bytes of one block as they come, and finds out both its names on the way. One thread
/// at a time. Dropped without Finish() it leaves nothing.
class BlockWriter {
 public:
  /// What it stands on. All of it outlives the writer, as the origin of `blob` does.
  struct Ground {
    Condemned& condemned;
    blobs::NotedRows& rows;
    /// Counts blocks that have not come before; null: nobody does.
    LooseSpace* loose = nullptr;
  };
  /// Without an id, the bytes say what it is.
  BlockWriter(const Ground& ground, std::unique_ptr<blobs::BlobWriter> blob,
              const LibraryId& library, const std::optional<BlockId>& id);

  /// Space that was held for bytes which are to be written next.
  void Lend(LooseSpace::Hold space) { space_.Merge(std::move(space)); }

  /// Bytes count from here on, before they lie on the disk: kLimitExceeded when there is no space
  /// for them, and for more than a blob holds. After an error only the destructor may be called.
  Result<void> Write(const store::OpContext& op, std::string_view bytes);
  /// kInvalidArgument, and nothing is kept, when the bytes have another id; kLimitExceeded when
  /// there is no space for them. Durable. Once, and last.
  Result<void> Finish(const store::OpContext& op);
  /// The same for who does not know the id.
  Result<BlockId> FinishNamed(const store::OpContext& op);

 private:
  Result<void> HoldSpace(const store::OpContext& op);

  const Ground on_;
  std::unique_ptr<blobs::BlobWriter> blob_;
  const LibraryId library_;
  const std::optional<BlockId> id_;
  Sha1 sha1_;
  std::int64_t bytes_ = 0;
  /// Up to where space was asked for.
  std::int64_t asked_for_ = 0;
  LooseSpace::Hold space_{};
};

}  // namespace atrium::files
