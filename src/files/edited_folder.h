// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "files/object_id.h"
#include "files/objects.h"
#include "files/tree.h"
#include "files/tree_diff.h"

namespace atrium::files {

/// How much there is: in one place, or more (or less) than before.
struct TreeSize {
  std::int64_t bytes = 0;
  std::int64_t files = 0;

  friend bool operator==(const TreeSize&, const TreeSize&) = default;
};

/// kLimitExceeded when the sum fits no number: sizes are what clients say.
Result<void> AddTo(TreeSize& sum, const TreeSize& amount);
Result<void> SubtractFrom(TreeSize& sum, const TreeSize& amount);

/// A folder of a tree that is being changed: what was read of it, what has become of it, and those
/// folders in it that were looked into. Ids of entries lag behind until Write.
class EditedFolder {
 public:
  /// An entry on its way from one folder to another, with what was already looked into. Nothing
  /// inside: the id in the entry says it all.
  struct Branch {
    Dirent entry{};
    std::unique_ptr<EditedFolder> inside{};
  };

  static Result<std::unique_ptr<EditedFolder>> Open(ObjectReader& reader, const ObjectId& id);

  const Directory& Now() const { return edited_ ? *edited_ : *loaded_; }

  /// The folder of that name in this one; null when there is no such name or it is a file's.
  Result<EditedFolder*> Enter(ObjectReader& reader, std::string_view name);

  /// Adds the entry or replaces the one of its name, with all that is in it.
  Result<void> Put(Branch branch);

  /// Takes the entry out. There is such a name.
  Branch Take(std::string_view name);

  /// The entry, which stays. There is such a name.
  Branch CopyOf(std::string_view name) const;

  /// Everything in this folder.
  Result<TreeSize> Size(ObjectReader& reader, FolderMemory& memory) const;

  /// Writes what has changed, and gives folders whose content has changed the time `now`. The id of
  /// this folder.
  Result<ObjectId> Write(ObjectWriter& writer, std::int64_t now);

 private:
  using Folders = std::map<std::string, std::unique_ptr<EditedFolder>, std::less<>>;

  EditedFolder(const ObjectId& id, std::shared_ptr<const Directory> loaded)
      : id_(id), loaded_(std::move(loaded)) {}

  std::unique_ptr<EditedFolder> Clone() const;
  Directory& Edit();

  ObjectId id_;
  std::shared_ptr<const Directory> loaded_;
  /// Set by the first change.
  std::optional<Directory> edited_;
  Folders entered_;
};

/// Of the entry alone or, when it is a folder, of everything in it.
Result<TreeSize> SizeOf(ObjectReader& reader, const EditedFolder::Branch& branch);

}  // namespace atrium::files
