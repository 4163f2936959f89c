// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/state_changes.h"

#include <algorithm>
#include <map>
#include <optional>

#include "files/kept_history.h"
#include "files/library_access.h"
#include "files/library_reader.h"
#include "files/tree_diff.h"

namespace atrium::files {
namespace {

using store::OpContext;

/// Sorts changes, and finds out which files were renamed.
class Sorter {
 public:
  explicit Sorter(StateChanges& changes) : changes_(changes) {}

  void Note(const TreeChange& change) {
    const bool is_folder =
        change.after != nullptr ? change.after->IsDirectory() : change.before->IsDirectory();
    std::string path(change.path);
    if (change.before != nullptr && change.after != nullptr) {
      if (!is_folder) {
        changes_.changed_files.push_back(std::move(path));
      }
    } else if (is_folder) {
      (change.after != nullptr ? changes_.new_folders : changes_.removed_folders)
          .push_back(std::move(path));
    } else {
      (change.after != nullptr ? came_ : went_)
          .emplace(change.after != nullptr ? change.after->id : change.before->id, std::move(path));
    }
    ++noted_;
  }

  bool IsFull() const { return noted_ >= kToldChangesMax; }

  void Finish() {
    for (auto& [id, path] : went_) {
      const auto same = IsZero(id) ? came_.end() : came_.find(id);
      if (same == came_.end()) {
        changes_.removed_files.push_back(std::move(path));
      } else {
        changes_.renamed_files.emplace_back(std::move(path), std::move(same->second));
        came_.erase(same);
      }
    }
    for (auto& [id, path] : came_) {
      changes_.new_files.push_back(std::move(path));
    }
    std::ranges::sort(changes_.removed_files);
    std::ranges::sort(changes_.renamed_files);
    std::ranges::sort(changes_.new_files);
  }

 private:
  StateChanges& changes_;
  std::multimap<ObjectId, std::string> came_;
  std::multimap<ObjectId, std::string> went_;
  std::size_t noted_ = 0;
};

}  // namespace

Result<StateChanges> ListChanges(const store::Ground& ground, const Content& content,
                                 const OpContext& op, const Person& person,
                                 const std::pair<LibraryId, CommitId>& state) {
  const auto& [library, commit] = state;
  ASSIGN_OR_RETURN(const Entrance entrance,
                   Enter(ground.store, op, person, library, Permission::kRead));
  const Library& now = entrance.library.record;
  StateChanges changes;
  ASSIGN_OR_RETURN(changes.state, LoadState(ground, op, content, now, commit));
  ASSIGN_OR_RETURN(const std::uint64_t first, FirstKept(ground.store, op, now, ground.clock.Now()));
  ASSIGN_OR_RETURN(const auto before,
                   FindMove(ground.store, op, library, changes.state.number - 1));
  if (changes.state.number <= first || !before) {
    return changes;
  }
  LibraryReader reader(content, op, library);
  TreeDiff diff(reader, before->root, changes.state.root,
                {.removed = RemovedFolders::kSkip, .added = AddedFolders::kSkip});
  Sorter sorter(changes);
  while (!sorter.IsFull()) {
    ASSIGN_OR_RETURN(const auto change, diff.Next());
    if (!change) {
      break;
    }
    sorter.Note(*change);
  }
  changes.is_cut_off = sorter.IsFull();
  sorter.Finish();
  return changes;
}

}  // namespace atrium::files
