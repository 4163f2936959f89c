// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "files/content.h"
#include "files/library_access.h"
#include "files/objects.h"
#include "files/people.h"
#include "files/records.h"
#include "files/tree_path.h"
#include "store/ground.h"

namespace atrium::files {

struct HistoryQuery {
  /// How many of the newest states to pass over.
  std::uint64_t skip = 0;
  /// At most kHistoryPageMax.
  std::size_t limit = 100;
};
inline constexpr std::size_t kHistoryPageMax = 500;

/// States of a library, newest first.
struct HistoryPage {
  std::vector<Move> moves{};
  bool more = false;
};

/// A folder as it was.
struct OldFolder {
  Move state{};
  ObjectId id{};
  std::shared_ptr<const Directory> folder{};
};

/// A file as it was: its entry names the content, which is that of the library.
struct OldFile {
  Move state{};
  Dirent entry{};
};

/// A version of a file, and the state with which it came.
struct FileRevision {
  Move state{};
  Dirent entry{};
  /// Where the file was then.
  std::string path{};
  /// Set when it came to its path with this state: where it was before.
  std::optional<std::string> renamed_from{};
};

struct RevisionQuery {
  TreePath path{};
  /// The state to begin with; nullopt: the head.
  std::optional<CommitId> from{};
  /// At most kRevisionPageMax.
  std::size_t limit = 50;
};
inline constexpr std::size_t kRevisionPageMax = 100;

/// Versions of a file, newest first.
struct RevisionPage {
  /// Where to go on, and under which path; nullopt: these were all.
  struct Next {
    CommitId from{};
    TreePath path{};
  };

  std::vector<FileRevision> revisions{};
  std::optional<Next> next{};
};

/// What libraries were before, as far as it is kept (kept_history.h). All of it is read anew with
/// each call, bounded however long the history is, and needs the right to read alone: kNotFound to
/// who may not see the library. Any thread.
class HistoryService {
 public:
  HistoryService(const store::Ground& ground, const Content& content)
      : ground_(ground), content_(content) {}

  Result<HistoryPage> List(const store::OpContext& op, const Person& person,
                           const LibraryId& library, const HistoryQuery& query) const;

  /// kNotFound when the library was never in that state, when it is not kept, or there was no such
  /// folder.
  Result<OldFolder> LoadFolder(const store::OpContext& op, const Person& person,
                               const LibraryId& library, const CommitId& commit,
                               const TreePath& path) const;
  Result<OldFile> LoadFile(const store::OpContext& op, const Person& person,
                           const LibraryId& library, const CommitId& commit,
                           const TreePath& path) const;

  /// A page ends where the file had another path before: the next one follows it there. It may also
  /// end early, even without any versions, when it had to look at too much. Versions before a time
  /// in which the file was deleted are told as well. kNotFound when the state to begin with has no
  /// such file, unless it was named as a place to go on.
  Result<RevisionPage> ListRevisions(const store::OpContext& op, const Person& person,
                                     const LibraryId& library, const RevisionQuery& query) const;

  struct RevisionSpan {
    std::size_t skip = 0;
    std::size_t limit = 25;
  };
  /// The same over all paths that the file had; `next` as in a page.
  Result<RevisionPage> FollowRevisions(const store::OpContext& op, const Person& person,
                                       const LibraryId& library, const TreePath& path,
                                       const RevisionSpan& span) const;

  /// The version of the file with this content, which some kept state has under this path or one
  /// that it had before. kNotFound otherwise, also for content that is stored: knowing an id opens
  /// nothing.
  Result<OldFile> FindVersion(const store::OpContext& op, const Person& person,
                              const LibraryId& library, const TreePath& path,
                              const ObjectId& content) const;

 private:
  const store::Ground ground_;
  const Content& content_;
};

}  // namespace atrium::files
