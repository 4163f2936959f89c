// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/result.h"
#include "blobs/blobs.h"
#include "files/content.h"
#include "files/content_kind.h"
#include "files/object_id.h"
#include "files/verification.h"
#include "store/store.h"

namespace atrium::files {

/// Looks at every commit, object and block of one library, each by itself: whether it is what its
/// id says. Reads all bytes. One thread.
class RowVerification {
 public:
  struct Parts {
    store::Store& store;
    blobs::Blobs& blobs;
    const Content& content;
  };
  /// All outlive it.
  RowVerification(const Parts& parts, const LibraryId& library, const VerificationOptions& options)
      : parts_(parts), library_(library), options_(options) {}

  /// Adds to `seen`.
  Result<void> Run(Verification& seen, const std::stop_token& stop);

  /// Blocks whose bytes are damaged or missing.
  const std::unordered_set<BlockId>& LostBlocks() const { return lost_; }
  /// How long all blocks are together, as their rows say.
  std::int64_t BlockBytes() const { return block_bytes_; }

 private:
  Result<void> VerifyBucket(ContentKind kind, int bucket, Verification& seen);
  Result<void> Verify(ContentKind kind, const Sha1Id& id, Verification& seen);
  /// Empty: nothing is wrong. An error: it could not be found out.
  Result<std::string> FaultOfCommit(const CommitId& id) const;
  Result<std::string> FaultOfObject(const ObjectId& id) const;
  Result<std::string> FaultOfBlock(const BlockId& id, Verification& seen);
  Result<void> Tell(ContentKind kind, const Sha1Id& id, std::string fault, Verification& seen);
  Result<void> EraseRows(ContentKind kind, const Sha1Id& id);

  const Parts parts_;
  const LibraryId library_;
  const VerificationOptions& options_;
  const store::OpContext op_ = store::OpContext::ForWork("files.verify");
  std::unordered_set<BlockId> lost_{};
  std::int64_t block_bytes_ = 0;
};

}  // namespace atrium::files
