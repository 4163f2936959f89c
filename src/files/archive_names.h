// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "files/object_id.h"
#include "files/tree.h"
#include "files/tree_diff.h"

namespace atrium::files {

/// The name as every program that unpacks archives takes it for the name of one entry: backslashes,
/// which some take for slashes, the colon of a drive, and control characters become "_".
std::string SafeInArchive(std::string_view name);

/// Paths of a tree as they go into an archive. A name that had to change gives way to those beside
/// it that it then is like: "a_b (1)". One walk, in the order of TreeDiff.
class ArchiveNames {
 public:
  /// The reader outlives it.
  ArchiveNames(ObjectReader& reader, const ObjectId& root);

  /// Of an entry of the tree, without a slash at the beginning.
  Result<std::string> PathOf(const TreeChange& change);

 private:
  struct Folder {
    std::string path{};
    std::string safe_path{};
    ObjectId id{};
    /// Names that were made up.
    std::set<std::string, std::less<>> given{};
  };

  Result<std::string> NameIn(Folder& folder, const std::string& name);

  ObjectReader& reader_;
  /// From the root to the folder of the last entry.
  std::vector<Folder> folders_;
};

}  // namespace atrium::files
