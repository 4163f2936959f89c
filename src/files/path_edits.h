// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "files/edited_folder.h"
#include "files/object_id.h"
#include "files/objects.h"
#include "files/tree.h"
#include "files/tree_path.h"

namespace atrium::files {

/// What to do when a name is taken already, be it in another spelling that looks alike
/// (name_twins.h).
enum class OnTaken : std::uint8_t {
  kRefuse,   ///< kAlreadyExists.
  kReplace,  ///< Takes the place of an entry of its own kind, with the spelling of that.
  kRename,   ///< "name (1).ext".
};

struct EditedTree {
  ObjectId root{};
  /// How much more there is than before; negative: less.
  TreeSize growth{};
};

/// An entry of some tree with the size of everything in it, to be put into another tree.
struct LooseEntry {
  Dirent entry{};
  TreeSize size{};
};

/// The entry at the path; nullopt when there is none. The root is a folder without a name.
Result<std::optional<Dirent>> FindEntry(ObjectReader& reader, const ObjectId& root,
                                        const TreePath& path);

/// The same with its size, for copies to other trees. kNotFound, naming the path, when there is
/// none.
Result<LooseEntry> LoadLooseEntry(ObjectReader& reader, const ObjectId& root, const TreePath& path);

/// Changes of one tree that become one commit: any number of them, each seeing those before it.
/// Nothing is written before Finish, so one that fails leaves no trace. What is moved or removed is
/// not read, except to count it, and only folders on the way are held in memory.
///
/// Errors name the path: kNotFound when a folder on the way or the entry is not there,
/// kAlreadyExists when a name is taken, kInvalidArgument for names that are not valid (new ones
/// have no control characters) and for what cannot be done to the root.
class PathEdits {
 public:
  /// The reader outlives it. Folders whose content changes get the time `now`, in seconds since
  /// 1970; so do new ones.
  static Result<PathEdits> Begin(ObjectReader& reader, const ObjectId& root, std::int64_t now);

  /// What the tree has at the path after the changes so far. The id of a changed folder is not yet
  /// that of its new content.
  Result<std::optional<Dirent>> Find(const TreePath& path);

  /// Puts the entry of a file, or anything from another tree whose objects are here already, into
  /// an existing folder. The entry as it is now: its name may be another.
  Result<Dirent> Put(const TreePath& folder, LooseEntry loose, OnTaken taken);

  /// Makes one folder in an existing one. An existing folder is not replaced: kReplace leaves it as
  /// it is.
  Result<Dirent> MakeFolder(const TreePath& path, OnTaken taken);

  /// Makes whatever is missing of the path, with the spelling of what is there. The path as it is
  /// then spelled.
  Result<TreePath> MakeFolders(const TreePath& path);

  /// The entry under its new name.
  Result<Dirent> Rename(const TreePath& path, std::string_view name);

  /// What was removed.
  Result<Dirent> Remove(const TreePath& path);

  /// Both within this tree. Moving a folder into itself, or to the place of the folder that it is
  /// in, is kInvalidArgument; moving something to where it is changes nothing.
  Result<Dirent> Move(const TreePath& from, const TreePath& folder, OnTaken taken);
  Result<Dirent> Copy(const TreePath& from, const TreePath& folder, OnTaken taken);

  /// How much more there is than at the beginning.
  const TreeSize& Growth() const { return growth_; }

  /// Writes the changed folders. An empty root has the zero id.
  Result<EditedTree> Finish(ObjectWriter& writer);

 private:
  using Branch = EditedFolder::Branch;

  PathEdits(ObjectReader& reader, std::unique_ptr<EditedFolder> root, std::int64_t now)
      : reader_(&reader), root_(std::move(root)), now_(now) {}

  Result<EditedFolder*> FolderAt(const TreePath& path);
  /// The folder that holds the entry, which is there.
  Result<EditedFolder*> HolderOf(const TreePath& path);
  Result<EditedFolder*> MakeFolderIn(EditedFolder& folder, std::string_view name);
  /// The name under which the entry goes there.
  Result<std::string> SettleName(const EditedFolder& folder, const Dirent& entry,
                                 const TreePath& where, OnTaken taken);
  Result<void> RefuseToReplaceHolder(const TreePath& from, const TreePath& folder, OnTaken taken);
  Result<Dirent> PutBranch(const TreePath& where, Branch branch, const TreeSize& size,
                           OnTaken taken);

  ObjectReader* reader_;
  std::unique_ptr<EditedFolder> root_;
  std::int64_t now_;
  TreeSize growth_;
};

}  // namespace atrium::files
