// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "base/result.h"
#include "files/content.h"
#include "files/library_access.h"
#include "files/objects.h"
#include "files/people.h"
#include "files/records.h"
#include "files/tree_path.h"
#include "store/op_context.h"
#include "store/store.h"

namespace atrium::files {

/// What stands at a path of a library.
struct FoundEntry {
  Entrance entrance{};
  /// Of the root, without a name.
  Dirent entry{};
};

/// How much is in a folder, with all folders in it.
struct FolderSums {
  std::int64_t bytes = 0;
  std::int64_t files = 0;
  std::int64_t folders = 0;
};

inline constexpr std::uint64_t kSummedEntriesMax = 1'000'000;

/// Reads the tree of a library as it is now. kNotFound as Enter(), and, naming the path, when
/// nothing of the kind is there. Any thread.
class FolderReader {
 public:
  FolderReader(store::Store& store, const Content& content) : store_(store), content_(content) {}

  Result<FoundEntry> Find(const store::OpContext& op, const Person& person,
                          const LibraryId& library, const TreePath& path) const;
  Result<FoundEntry> FindFile(const store::OpContext& op, const Person& person,
                              const LibraryId& library, const TreePath& path) const;
  Result<FoundEntry> FindFolder(const store::OpContext& op, const Person& person,
                                const LibraryId& library, const TreePath& path) const;

  Result<std::shared_ptr<const Directory>> ReadFolder(const store::OpContext& op,
                                                      const LibraryId& library,
                                                      const ObjectId& id) const;
  Result<FileObject> ReadFile(const store::OpContext& op, const LibraryId& library,
                              const ObjectId& id) const;
  /// kLimitExceeded for a folder with more entries than that.
  Result<FolderSums> Sum(const store::OpContext& op, const LibraryId& library, const ObjectId& id,
                         std::uint64_t entries_max) const;

 private:
  store::Store& store_;
  const Content& content_;
};

}  // namespace atrium::files
