// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/memory_budget.h"
#include "base/result.h"
#include "blobs/blobs.h"
#include "blobs/replay.h"
#include "files/blob_uses.h"
#include "files/block_rows.h"
#include "files/block_writer.h"
#include "files/commit.h"
#include "files/condemned.h"
#include "files/loose_space.h"
#include "files/object_id.h"
#include "files/packing.h"
#include "files/records.h"
#include "files/tree.h"
#include "files/tree_memory.h"
#include "store/store.h"

namespace atrium::files {

/// Where the compressed bytes of an object are, in pieces that are short.
struct StoredObject {
  LibraryId library{};
  ObjectId id{};
  /// How many there are, which of the ways to compress the text they are, and the first of them.
  std::uint64_t pieces = 1;
  std::string spelling{};
  std::string first{};
  /// Of all pieces together.
  std::uint64_t bytes = 0;
};

/// What is content-addressed in libraries: commits and objects as rows, blocks as blobs with a row
/// that says in which library they may be had. Nothing here moves a head, so a repetition is
/// harmless and a crash leaves garbage at most. Any thread.
class Content {
 public:
  /// `loose` counts what comes; null: nobody does. All outlive it.
  Content(store::Store& store, blobs::Blobs& blobs, LooseSpace* loose = nullptr)
      : store_(store), blobs_(blobs), loose_(loose) {}
  Content(const Content&) = delete;
  Content& operator=(const Content&) = delete;

  /// nullopt when there is none, here and below.
  Result<std::optional<std::string>> FindCommitText(const store::OpContext& op,
                                                    const LibraryId& library,
                                                    const CommitId& id) const;
  Result<std::optional<Commit>> FindCommit(const store::OpContext& op, const LibraryId& library,
                                           const CommitId& id) const;
  /// kAlreadyExists when another text has this id: clients give the same to two commits of one
  /// second that differ in their parents alone.
  Result<void> PutCommit(const store::OpContext& op, const LibraryId& library, const CommitId& id,
                         const std::string& text);

  Result<bool> HasObject(const store::OpContext& op, const LibraryId& library,
                         const ObjectId& id) const;
  /// Whether a client can rely on it for kGrace: it is there and not condemned. For a block, its
  /// bytes are there as well, as far as anybody knows. A client that is told no sends it again, and
  /// so heals what was damaged.
  Result<bool> VouchesForObject(const store::OpContext& op, const LibraryId& library,
                                const ObjectId& id) const;
  Result<bool> VouchesForBlock(const store::OpContext& op, const LibraryId& library,
                               const BlockId& id) const;
  /// Those of them that it does not vouch for.
  Result<std::vector<BlockId>> FindMissing(const store::OpContext& op, const LibraryId& library,
                                           std::span<const BlockId> ids) const;
  /// Compressed.
  Result<std::optional<std::string>> FindObject(const store::OpContext& op,
                                                const LibraryId& library, const ObjectId& id) const;
  /// Opens the same object for reading in pieces, since it can be long.
  Result<std::optional<StoredObject>> OpenObject(const store::OpContext& op,
                                                 const LibraryId& library,
                                                 const ObjectId& id) const;
  /// Compressed. kCorrupt when it is not there any more.
  Result<std::string> ReadObject(const store::OpContext& op, const StoredObject& object) const;
  Result<std::string> ReadPiece(const store::OpContext& op, const StoredObject& object,
                                std::uint64_t piece) const;
  /// The caller has verified that each has its id.
  Result<void> PutObjects(const store::OpContext& op, const LibraryId& library,
                          std::span<const PackedObject> objects);
  Result<void> PutObjects(const store::OpContext& op, const LibraryId& library,
                          std::span<const NewObject> objects);

  Result<std::optional<BlockPlace>> FindBlock(const store::OpContext& op, const LibraryId& library,
                                              const BlockId& id) const;
  /// For bytes that arrive in pieces, and of which somebody may have said what they are. The
  /// content outlives the writer.
  Result<std::unique_ptr<BlockWriter>> BeginBlock(const store::OpContext& op,
                                                  const LibraryId& library,
                                                  const std::optional<BlockId>& id);
  /// The same for bytes that are all there.
  Result<void> PutBlock(const store::OpContext& op, const LibraryId& library, const BlockId& id,
                        std::string_view bytes);
  /// After a crash: writes the rows of blocks whose blobs outlived them. Passes over notes that are
  /// not of libraries.
  static Result<void> Recover(store::Store& store, const store::OpContext& op,
                              std::span<const blobs::NotedBlob> recovered);

  Result<blobs::BlobSlice> OpenBlock(const store::OpContext& op, const BlockPlace& place) const;
  Result<std::string> ReadBlock(const store::OpContext& op, const BlockPlace& place) const;

  /// For who gives a blob that is pinned to a library.
  BlockRows& Rows() { return block_rows_; }
  /// What counts blocks that no state names yet; null: nothing does.
  LooseSpace* Loose() const { return loose_; }
  /// For who reads trees.
  MemoryBudget& MemoryForTrees() const { return memory_for_trees_; }
  /// For who sweeps blobs.
  BlobUses& Uses() { return uses_; }

 private:
  Result<bool> IsSafe(const store::OpContext& op, const LibraryId& library, const BlockId& id,
                      const std::optional<store::Row>& row) const;
  /// Without knowing how long it is.
  Result<std::optional<StoredObject>> FindFirstPiece(const store::OpContext& op,
                                                     const LibraryId& library,
                                                     const ObjectId& id) const;
  template <typename Object>
  Result<void> PardonObjects(const store::OpContext& op, const LibraryId& library,
                             std::span<const Object> objects);
  Result<void> WriteObjects(const store::OpContext& op, std::vector<store::ImmutableRow> rows);

  store::Store& store_;
  blobs::Blobs& blobs_;
  LooseSpace* const loose_;
  Condemned condemned_{store_};
  BlobUses uses_{};
  BlockRows block_rows_{store_, uses_};
  mutable MemoryBudget memory_for_trees_{kTreesBytesMax};
};

}  // namespace atrium::files
