// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/folder_reader.h"

#include <optional>
#include <string>
#include <utility>

#include "files/library_reader.h"
#include "files/path_edits.h"
#include "files/tree_diff.h"

namespace atrium::files {

Result<FoundEntry> FolderReader::Find(const store::OpContext& op, const Person& person,
                                      const LibraryId& library, const TreePath& path) const {
  ASSIGN_OR_RETURN(Entrance entrance, Enter(store_, op, person, library, Permission::kRead));
  LibraryReader reader(content_, op, library);
  ASSIGN_OR_RETURN(std::optional<Dirent> entry,
                   FindEntry(reader, entrance.library.record.root, path));
  if (!entry) {
    return Fail(ErrorCode::kNotFound, "path: there is no " + path.Render());
  }
  return FoundEntry{.entrance = std::move(entrance), .entry = *std::move(entry)};
}

Result<FoundEntry> FolderReader::FindFile(const store::OpContext& op, const Person& person,
                                          const LibraryId& library, const TreePath& path) const {
  ASSIGN_OR_RETURN(FoundEntry found, Find(op, person, library, path));
  if (found.entry.IsDirectory()) {
    return Fail(ErrorCode::kNotFound, "path: there is no file " + path.Render());
  }
  return found;
}

Result<FoundEntry> FolderReader::FindFolder(const store::OpContext& op, const Person& person,
                                            const LibraryId& library, const TreePath& path) const {
  ASSIGN_OR_RETURN(FoundEntry found, Find(op, person, library, path));
  if (!found.entry.IsDirectory()) {
    return Fail(ErrorCode::kNotFound, "path: there is no folder " + path.Render());
  }
  return found;
}

Result<std::shared_ptr<const Directory>> FolderReader::ReadFolder(const store::OpContext& op,
                                                                  const LibraryId& library,
                                                                  const ObjectId& id) const {
  return LibraryReader(content_, op, library).ReadDirectory(id);
}

Result<FileObject> FolderReader::ReadFile(const store::OpContext& op, const LibraryId& library,
                                          const ObjectId& id) const {
  return LibraryReader(content_, op, library).ReadFile(id);
}

Result<FolderSums> FolderReader::Sum(const store::OpContext& op, const LibraryId& library,
                                     const ObjectId& id, std::uint64_t entries_max) const {
  LibraryReader reader(content_, op, library);
  ASSIGN_OR_RETURN(const TreeSums sums, SumTree(reader, id, entries_max));
  return FolderSums{.bytes = sums.Bytes(), .files = sums.Files(), .folders = sums.folders_added};
}

}  // namespace atrium::files
