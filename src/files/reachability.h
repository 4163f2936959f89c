// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>

#include "base/instant.h"
#include "base/result.h"
#include "files/content.h"
#include "files/id_filter.h"
#include "files/library_reader.h"
#include "files/object_id.h"
#include "files/records.h"
#include "files/tree_diff.h"
#include "files/walk_memory.h"
#include "store/store.h"

namespace atrium::files {

/// What the kept states of one library name: commits, objects and blocks. Walks each state where it
/// differs from the one before, so that a long history costs little more than its head. Whatever
/// cannot be read is an error: who does not know everything that is named must not remove anything.
/// One thread.
class Reachability {
 public:
  /// All outlive it.
  Reachability(store::Store& store, const Content& content, const LibraryId& library,
               IdFilter& filter)
      : store_(store), content_(content), id_(library), filter_(filter) {}

  /// Marks what is named by states that are kept now; again after the library has changed, then
  /// only what is new.
  Result<void> Mark(const Library& library, Instant now, const std::stop_token& stop);

  /// Never false for what is named; one in a hundred of the rest is taken for named, too.
  bool MayReach(const Sha1Id& id) const;

  /// The first state that is kept, as of the last marking.
  std::uint64_t FirstKeptMove() const { return first_; }

 private:
  Result<void> MarkMoves(const std::stop_token& stop);
  Result<void> MarkTree(const ObjectId& root, const std::stop_token& stop);
  Result<void> MarkFile(const ObjectId& file);
  void Add(const Sha1Id& id);

  store::Store& store_;
  const Content& content_;
  const LibraryId id_;
  IdFilter& filter_;
  const store::OpContext op_ = store::OpContext::ForWork("files.collect");
  LibraryReader reader_{content_, op_, id_, kPatientWalkBytesMax};
  std::uint64_t first_ = 0;
  /// What is marked up to before this move.
  std::optional<std::uint64_t> next_{};
  /// Of the tree that was marked last.
  ObjectId root_{};
  // What is marked with all that it names.
  struct Marked {};
  FolderMemory folders_{};
  WalkMemory<ObjectId, Marked> files_{};
};

}  // namespace atrium::files
