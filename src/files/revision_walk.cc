// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/revision_walk.h"

#include <utility>

#include "files/keys.h"
#include "files/path_edits.h"
#include "files/tree_diff.h"

namespace atrium::files {
namespace {

constexpr std::size_t kStatesAtOnce = 100;
/// How much of a change is looked through for where a file came from.
constexpr std::uint64_t kRenameEntriesMax = 50'000;

}  // namespace

RevisionWalk::RevisionWalk(const store::Ground& ground, const Content& content,
                           const store::OpContext& op, const Bounds& bounds)
    : ground_(ground),
      op_(op),
      bounds_(bounds),
      reader_(content, op, bounds.library),
      end_(ground.clock.Steady() + kRevisionTime) {}

Result<std::optional<Move>> RevisionWalk::TakeState() {
  if (ahead_.empty() && next_number_ >= bounds_.first) {
    const std::string partition = PartitionOf(bounds_.library);
    ASSIGN_OR_RETURN(
        auto found,
        store::List<Move>(ground_.store, op_,
                          {.table = &kMoveTable,
                           .partition = partition,
                           .range = {.from = MoveKey(bounds_.library, bounds_.first).sort,
                                     .before = MoveKey(bounds_.library, next_number_ + 1).sort},
                           .limit = kStatesAtOnce,
                           .direction = store::Direction::kBackward}));
    for (store::Stored<Move>& move : found.records) {
      ahead_.push_back(std::move(move.record));
    }
    next_number_ = ahead_.empty() ? 0 : ahead_.back().number - 1;
  }
  if (ahead_.empty()) {
    return std::nullopt;
  }
  Move state = std::move(ahead_.front());
  ahead_.pop_front();
  return std::optional(std::move(state));
}

Result<std::optional<Dirent>> RevisionWalk::FileIn(const Move& state) {
  ++looked_at_;
  ASSIGN_OR_RETURN(auto entry, FindEntry(reader_, state.root, path_));
  return entry && !entry->IsDirectory() ? entry : std::nullopt;
}

bool RevisionWalk::IsTired() const {
  return looked_at_ >= kRevisionStatesMax || ground_.clock.Steady() >= end_;
}

void RevisionWalk::Tell(const Move& state) {
  page_.revisions.push_back({.state = state, .entry = *current_, .path = path_.Render()});
}

Result<std::optional<std::string>> RevisionWalk::FindRename(const Move& newer, const Move& older) {
  // Empty files all look the same.
  if (IsZero(current_->id)) {
    return std::nullopt;
  }
  TreeDiff diff(reader_, older.root, newer.root,
                {.added = AddedFolders::kSkip, .entries_max = kRenameEntriesMax});
  while (true) {
    const Result<std::optional<TreeChange>> change = diff.Next();
    if (!change && change.error().code == ErrorCode::kLimitExceeded) {
      return std::nullopt;
    }
    RETURN_IF_ERROR(change);
    if (!*change) {
      return std::nullopt;
    }
    const Dirent* before = (*change)->before;
    if ((*change)->after == nullptr && !before->IsDirectory() && before->id == current_->id) {
      return std::optional(std::string((*change)->path));
    }
  }
}

Result<void> RevisionWalk::TellRename(const Move& newer, const Move& older) {
  ASSIGN_OR_RETURN(page_.revisions.back().renamed_from, FindRename(newer, older));
  if (page_.revisions.back().renamed_from) {
    page_.next = RevisionPage::Next{.from = older.commit};
    ASSIGN_OR_RETURN(page_.next->path, TreePath::Parse(*page_.revisions.back().renamed_from));
  }
  return {};
}

Result<bool> RevisionWalk::Compare(const Move& newer, const Move& older) {
  if (newer.root == older.root) {
    return true;
  }
  ASSIGN_OR_RETURN(const auto before, FileIn(older));
  if (current_ && (!before || before->id != current_->id)) {
    Tell(newer);
    if (!before) {
      RETURN_IF_ERROR(TellRename(newer, older));
    }
  }
  current_ = before;
  return !page_.next && page_.revisions.size() < bounds_.limit;
}

Result<RevisionPage> RevisionWalk::Run(std::uint64_t start, const TreePath& path) {
  path_ = path;
  next_number_ = start;
  ASSIGN_OR_RETURN(std::optional<Move> newer, TakeState());
  if (!newer) {
    return page_;
  }
  ASSIGN_OR_RETURN(current_, FileIn(*newer));
  while (true) {
    ASSIGN_OR_RETURN(std::optional<Move> older, TakeState());
    if (!older) {
      if (current_) {
        Tell(*newer);
      }
      return std::move(page_);
    }
    ASSIGN_OR_RETURN(const bool more, Compare(*newer, *older));
    if (!more || IsTired()) {
      if (!page_.next) {
        page_.next = RevisionPage::Next{.from = older->commit, .path = path_};
      }
      return std::move(page_);
    }
    newer = std::move(older);
  }
}

}  // namespace atrium::files
