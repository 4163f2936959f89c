// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "files/heads.h"
#include "files/objects.h"
#include "files/path_edits.h"
#include "files/people.h"
#include "files/records.h"
#include "files/tree_path.h"
#include "store/ground.h"

namespace atrium::files {

/// Whose change it is, and of which library.
struct ChangeOf {
  const Person& person;
  LibraryId library{};
};

/// A file whose blocks have arrived.
struct ArrivedFile {
  /// Made with all that is missing of it.
  TreePath folder{};
  std::string name{};
  FileObject content{};
};

/// What has become of an entry.
struct ChangedEntry {
  TreePath folder{};
  Dirent entry{};
};

/// How entries are moved or copied.
struct Relocation {
  std::vector<TreePath> from{};
  TreePath folder{};
  OnTaken taken = OnTaken::kRename;
  /// Leaves out those whose name is taken, whatever `taken` says.
  bool skip_taken = false;
};

/// What people do with the files and folders of a library. Each is one commit, however many entries
/// it is about: all of it happens, or nothing. kNotFound and kPermissionDenied as Enter(), other
/// errors as PathEdits and Heads::Apply().
class FileChanges {
 public:
  FileChanges(const store::Ground& ground, Heads& heads) : ground_(ground), heads_(heads) {}

  Result<Dirent> MakeFolder(const store::OpContext& op, const ChangeOf& of, const TreePath& path,
                            OnTaken taken);
  /// With all that is missing on the way; no error when it is there.
  Result<void> MakeFolders(const store::OpContext& op, const ChangeOf& of, const TreePath& path);
  /// An empty one.
  Result<Dirent> MakeFile(const store::OpContext& op, const ChangeOf& of, const TreePath& path,
                          OnTaken taken);
  Result<Dirent> Rename(const store::OpContext& op, const ChangeOf& of, const TreePath& path,
                        std::string_view name);
  Result<void> Remove(const store::OpContext& op, const ChangeOf& of,
                      std::span<const TreePath> paths);
  /// Where each is now, in this order.
  Result<std::vector<ChangedEntry>> Move(const store::OpContext& op, const ChangeOf& of,
                                         const Relocation& relocation);
  Result<std::vector<ChangedEntry>> Copy(const store::OpContext& op, const ChangeOf& of,
                                         const Relocation& relocation);
  /// Files that were sent. One that replaces another keeps its right to be executed.
  Result<std::vector<ChangedEntry>> Put(const store::OpContext& op, const ChangeOf& of,
                                        std::span<const ArrivedFile> files, OnTaken taken);
  /// New content for a file that is there.
  Result<Dirent> Update(const store::OpContext& op, const ChangeOf& of, const TreePath& path,
                        const FileObject& content);

 private:
  /// Does its edits, and says what the history says of them.
  using Deed = std::function<Result<std::string>(PathEdits&, ObjectWriter&)>;
  Result<void> Apply(const store::OpContext& op, const ChangeOf& of, const Deed& deed);
  Dirent EntryFor(const ChangeOf& of, std::string_view name) const;
  Result<Dirent> PutOne(PathEdits& edits, const TreePath& folder, LooseEntry loose, OnTaken taken);
  using Relocate = Result<Dirent> (PathEdits::*)(const TreePath&, const TreePath&, OnTaken);
  Result<std::vector<ChangedEntry>> RelocateAll(const store::OpContext& op, const ChangeOf& of,
                                                const Relocation& relocation, Relocate relocate);
  std::int64_t Now() const;

  const store::Ground ground_;
  Heads& heads_;
};

}  // namespace atrium::files
