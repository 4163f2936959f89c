// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "files/content.h"
#include "files/heads.h"
#include "files/library_access.h"
#include "files/path_edits.h"
#include "files/people.h"
#include "files/tree_path.h"
#include "store/ground.h"

namespace atrium::files {

/// What is to become as it was in some state of the library.
struct RevertOrder {
  LibraryId library{};
  CommitId commit{};
  TreePath path{};
  /// What happens to what is at the path now. What is replaced stays in the history.
  OnTaken taken = OnTaken::kReplace;
};

/// How many entries are restored at once.
inline constexpr std::size_t kRestoredAtOnce = 1000;

struct RestoredEntry {
  std::string path{};
  /// With its name of now, which is another when the old one was taken.
  Dirent entry{};
};

struct RefusedEntry {
  std::string path{};
  std::string reason{};
};

struct RestoreReport {
  std::vector<RestoredEntry> restored{};
  std::vector<RefusedEntry> refused{};
};

/// Brings back what libraries were before. Each call is one new state on top of all others, made
/// anew when somebody else changes the library meanwhile: nothing is undone that nobody named, and
/// what was replaced can be brought back itself. Needs the right to write. kNotFound when the state
/// is not kept (kept_history.h) or has no such entry; kRefusedByState when its content is gone;
/// kLimitExceeded when it does not fit the quota.
class RevertService {
 public:
  RevertService(const store::Ground& ground, Content& content, Heads& heads)
      : ground_(ground), content_(content), heads_(heads) {}

  /// A file or a folder with everything in it. Folders on the way that are gone are made.
  /// kAlreadyExists when something of another kind is there now, unless the old one is to be
  /// renamed.
  Result<Dirent> RevertEntry(const store::OpContext& op, const Person& person,
                             const RevertOrder& order);

  /// Brings back entries that were deleted, each under a free name, in one state. Those that cannot
  /// be brought back are told, and do not hold up the others.
  Result<RestoreReport> Restore(const store::OpContext& op, const Person& person,
                                const LibraryId& library, const CommitId& commit,
                                const std::vector<std::string>& paths);

  /// The whole library. Its name, password and settings stay as they are.
  Result<store::Stored<Library>> RevertLibrary(const store::OpContext& op, const Person& person,
                                               const LibraryId& library, const CommitId& commit);

 private:
  Result<Move> EnterState(const store::OpContext& op, const Person& person,
                          const LibraryId& library, const CommitId& commit) const;

  const store::Ground ground_;
  Content& content_;
  Heads& heads_;
};

}  // namespace atrium::files
