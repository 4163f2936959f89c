// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "files/object_id.h"
#include "files/objects.h"
#include "files/tree.h"
#include "files/walk_memory.h"

namespace atrium::files {

/// One entry in which two trees differ. Everything lives until the next change is asked for.
struct TreeChange {
  /// "/folder/name".
  std::string_view path{};
  /// Null: it was added.
  const Dirent* before = nullptr;
  /// Null: it was removed. Both are there: it has changed, and is of the same kind as before.
  const Dirent* after = nullptr;
};

/// What differs between two trees, in numbers.
struct TreeSums {
  std::int64_t bytes_added = 0;
  std::int64_t bytes_removed = 0;
  /// A file whose content has changed counts in bytes alone.
  std::int64_t files_added = 0;
  std::int64_t files_removed = 0;
  std::int64_t folders_added = 0;
  std::int64_t folders_removed = 0;

  std::int64_t Bytes() const { return bytes_added - bytes_removed; }
  std::int64_t Files() const { return files_added - files_removed; }

  friend bool operator==(const TreeSums&, const TreeSums&) = default;
};

enum class RemovedFolders : std::uint8_t {
  kWalk,  ///< Everything in them is told, too.
  kSkip,  ///< Their own removal is enough; sums of what was removed are too small then.
};

enum class AddedFolders : std::uint8_t {
  kWalk,  ///< Everything in them is told, too.
  kSkip,  ///< The folder itself is enough; sums of what was added are too small then.
};

/// One folder as two trees have it; zero: it is in one of them alone.
struct FolderPair {
  ObjectId before{};
  ObjectId after{};

  friend bool operator==(const FolderPair&, const FolderPair&) = default;
};

struct FolderPairHash {
  std::size_t operator()(const FolderPair& pair) const noexcept {
    const std::hash<ObjectId> hash;
    // Most walks have nothing but the one or the other.
    return hash(pair.before) ^ (hash(pair.after) << 1U);
  }
};

/// What a walk has found in such a folder, with all folders in it.
struct WalkedFolder {
  TreeSums sums{};
  /// How many entries were looked at, one for the end of each folder among them.
  std::uint64_t entries = 0;
  /// How many levels there are, itself among them.
  std::size_t height = 1;
};

/// Which folders were walked. Several walks may share one, with the same options and reader.
using FolderMemory = WalkMemory<FolderPair, WalkedFolder, FolderPairHash>;

struct DiffOptions {
  RemovedFolders removed = RemovedFolders::kWalk;
  AddedFolders added = AddedFolders::kWalk;
  /// Of entries that are passed over because they are known, each counts, too.
  std::uint64_t entries_max = kWalkedEntriesMax;
  /// What is in a folder is told once, wherever the folder is: for walks that do not need all paths
  /// of an entry. Sums are those of the whole tree all the same, and the walk costs as much as
  /// there are objects. Null: everything is told in each place. Outlives the walk.
  FolderMemory* memory = nullptr;
};

/// Walks two trees side by side and tells where they differ, one entry at a time, so that a long
/// answer can be given in pieces. Passes over folders with equal ids, and holds no more than the
/// directories between the root and where it is, which the reader bounds, and what the memory has.
///
/// Folders come before what is in them, names in the order of directories. A folder that was added
/// or removed is told, and everything in it; a folder whose content has changed is told as changed.
/// An entry that is of another kind than before was removed and added. Entries that differ in mode
/// or time alone have changed; their ids are equal. The root has no entry, so its own id is for the
/// caller to compare.
class TreeDiff {
 public:
  /// The reader outlives the walk. A zero id is a tree without anything.
  TreeDiff(ObjectReader& reader, const ObjectId& before, const ObjectId& after,
           const DiffOptions& options = {});

  /// nullopt: that was all. When the reader fails, the same may be asked again. kLimitExceeded when
  /// the tree is deeper than kTreeDepthMax or has more entries than the options allow.
  Result<std::optional<TreeChange>> Next();

  /// Of the changes told so far.
  const TreeSums& Sums() const { return sums_; }

 private:
  struct Frame {
    std::shared_ptr<const Directory> before;
    std::shared_ptr<const Directory> after;
    std::size_t before_at = 0;
    std::size_t after_at = 0;
    std::size_t path_length = 0;
    FolderPair pair{};
    /// How sums and entries were before it.
    TreeSums sums_before{};
    std::uint64_t entries_before = 0;
    std::size_t height = 1;
  };

  Result<void> Descend();
  /// Whether the folder is known, and was counted.
  Result<bool> Recall(const FolderPair& pair);
  Result<void> CheckEntries() const;
  void Ascend();
  /// The next difference in this frame; neither entry: there is none.
  static TreeChange TakeNext(Frame& frame, std::uint64_t& looked_at);
  Result<void> Count(const TreeChange& change);
  void PlanDescent(const TreeChange& change);

  ObjectReader& reader_;
  DiffOptions options_;
  /// A folder that is to be entered before anything else.
  std::optional<FolderPair> descent_;
  std::vector<Frame> frames_;
  std::string path_;
  std::uint64_t looked_at_ = 0;
  TreeSums sums_;
};

/// Calls `visit(change)`, which answers Result<void>, for each change, and adds them up.
template <typename Visit>
Result<TreeSums> VisitChanges(TreeDiff diff, Visit&& visit) {
  while (true) {
    ASSIGN_OR_RETURN(const std::optional<TreeChange> change, diff.Next());
    if (!change) {
      return diff.Sums();
    }
    RETURN_IF_ERROR(visit(*change));
  }
}

/// What is in a tree, as additions. Reads each folder once.
Result<TreeSums> SumTree(ObjectReader& reader, const ObjectId& root,
                         std::uint64_t entries_max = kWalkedEntriesMax);
/// The same for many trees that share folders.
Result<TreeSums> SumTree(ObjectReader& reader, const ObjectId& root, FolderMemory& memory);

}  // namespace atrium::files
