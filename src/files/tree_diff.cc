// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/tree_diff.h"

#include <algorithm>
#include <utility>

namespace atrium::files {
namespace {

const Dirent* EntryAt(const Directory& directory, std::size_t at) {
  return at < directory.Entries().size() ? &directory.Entries()[at] : nullptr;
}

bool IsFolder(const Dirent* entry) {
  return entry != nullptr && entry->IsDirectory();
}

std::unexpected<Error> TooDeep() {
  return Fail(ErrorCode::kLimitExceeded, "folders are nested too deeply");
}

/// The sizes in a tree are what clients say, and need not fit any number.
Result<void> Add(std::int64_t& sum, std::int64_t amount) {
  if (__builtin_add_overflow(sum, amount, &sum)) {
    return Fail(ErrorCode::kLimitExceeded, "size: the files of the tree are too large together");
  }
  return {};
}

/// Adds one to the other, by `combine`.
template <typename Combine>
Result<void> Combined(TreeSums& sums, const TreeSums& other, const Combine& combine) {
  RETURN_IF_ERROR(combine(sums.bytes_added, other.bytes_added));
  RETURN_IF_ERROR(combine(sums.bytes_removed, other.bytes_removed));
  RETURN_IF_ERROR(combine(sums.files_added, other.files_added));
  RETURN_IF_ERROR(combine(sums.files_removed, other.files_removed));
  RETURN_IF_ERROR(combine(sums.folders_added, other.folders_added));
  return combine(sums.folders_removed, other.folders_removed);
}

/// What was added since.
TreeSums Since(TreeSums sums, const TreeSums& before) {
  // Sums only grow, so this ends well.
  static_cast<void>(
      Combined(sums, before, [](std::int64_t& sum, std::int64_t amount) -> Result<void> {
        sum -= amount;
        return {};
      }));
  return sums;
}

/// Which of two entries comes first; both when they are one and the same.
struct Pair {
  const Dirent* before;
  const Dirent* after;
};

Pair FirstOf(const Dirent* before, const Dirent* after) {
  if (before == nullptr || after == nullptr) {
    return {.before = before, .after = after};
  }
  const int order = before->name.compare(after->name);
  if (order < 0) {
    return {.before = nullptr, .after = after};
  }
  if (order > 0 || before->IsDirectory() != after->IsDirectory()) {
    return {.before = before, .after = nullptr};
  }
  return {.before = before, .after = after};
}

}  // namespace

TreeDiff::TreeDiff(ObjectReader& reader, const ObjectId& before, const ObjectId& after,
                   const DiffOptions& options)
    : reader_(reader), options_(options) {
  if (before != after) {
    descent_ = FolderPair{.before = before, .after = after};
  }
}

Result<std::optional<TreeChange>> TreeDiff::Next() {
  if (descent_) {
    RETURN_IF_ERROR(Descend());
  }
  while (!frames_.empty()) {
    Frame& frame = frames_.back();
    TreeChange change = TakeNext(frame, looked_at_);
    RETURN_IF_ERROR(CheckEntries());
    if (change.before == nullptr && change.after == nullptr) {
      Ascend();
      continue;
    }
    path_.resize(frame.path_length);
    path_.append("/").append(change.before != nullptr ? change.before->name : change.after->name);
    change.path = path_;
    RETURN_IF_ERROR(Count(change));
    PlanDescent(change);
    return change;
  }
  return std::nullopt;
}

Result<void> TreeDiff::CheckEntries() const {
  return looked_at_ > options_.entries_max
             ? Fail(ErrorCode::kLimitExceeded, "the tree has too many entries")
             : Result<void>();
}

Result<bool> TreeDiff::Recall(const FolderPair& pair) {
  const WalkedFolder* known = options_.memory != nullptr ? options_.memory->Find(pair) : nullptr;
  if (known == nullptr) {
    return false;
  }
  if (frames_.size() + known->height > kTreeDepthMax) {
    return TooDeep();
  }
  looked_at_ += known->entries;
  RETURN_IF_ERROR(CheckEntries());
  RETURN_IF_ERROR(Combined(sums_, known->sums, Add));
  if (!frames_.empty()) {
    frames_.back().height = std::max(frames_.back().height, known->height + 1);
  }
  return true;
}

/// Only what was walked to its end is remembered.
void TreeDiff::Ascend() {
  const Frame frame = std::move(frames_.back());
  frames_.pop_back();
  if (!frames_.empty()) {
    frames_.back().height = std::max(frames_.back().height, frame.height + 1);
  }
  if (options_.memory != nullptr) {
    options_.memory->Put(frame.pair, {.sums = Since(sums_, frame.sums_before),
                                      .entries = looked_at_ - frame.entries_before,
                                      .height = frame.height});
  }
}

Result<void> TreeDiff::Descend() {
  ASSIGN_OR_RETURN(const bool is_known, Recall(*descent_));
  if (is_known) {
    descent_.reset();
    return {};
  }
  if (frames_.size() >= kTreeDepthMax) {
    return TooDeep();
  }
  ASSIGN_OR_RETURN(std::shared_ptr<const Directory> before,
                   reader_.ReadDirectory(descent_->before));
  ASSIGN_OR_RETURN(std::shared_ptr<const Directory> after, reader_.ReadDirectory(descent_->after));
  frames_.push_back({.before = std::move(before),
                     .after = std::move(after),
                     .path_length = path_.size(),
                     .pair = *descent_,
                     .sums_before = sums_,
                     .entries_before = looked_at_});
  descent_.reset();
  return {};
}

TreeChange TreeDiff::TakeNext(Frame& frame, std::uint64_t& looked_at) {
  while (true) {
    const auto [before, after] =
        FirstOf(EntryAt(*frame.before, frame.before_at), EntryAt(*frame.after, frame.after_at));
    frame.before_at += before != nullptr ? 1 : 0;
    frame.after_at += after != nullptr ? 1 : 0;
    ++looked_at;
    const bool equal = before != nullptr && after != nullptr && *before == *after;
    if (!equal) {
      return {.before = before, .after = after};
    }
  }
}

Result<void> TreeDiff::Count(const TreeChange& change) {
  const auto [path, before, after] = change;
  if (IsFolder(before) || IsFolder(after)) {
    sums_.folders_added += before == nullptr ? 1 : 0;
    sums_.folders_removed += after == nullptr ? 1 : 0;
    return {};
  }
  if (before == nullptr) {
    ++sums_.files_added;
    return Add(sums_.bytes_added, after->size);
  }
  if (after == nullptr) {
    ++sums_.files_removed;
    return Add(sums_.bytes_removed, before->size);
  }
  if (before->id != after->id || before->size != after->size) {
    RETURN_IF_ERROR(Add(sums_.bytes_added, after->size));
    return Add(sums_.bytes_removed, before->size);
  }
  return {};
}

void TreeDiff::PlanDescent(const TreeChange& change) {
  if (!IsFolder(change.before) && !IsFolder(change.after)) {
    return;
  }
  if ((change.after == nullptr && options_.removed == RemovedFolders::kSkip) ||
      (change.before == nullptr && options_.added == AddedFolders::kSkip)) {
    return;
  }
  const FolderPair descent{.before = change.before != nullptr ? change.before->id : ObjectId(),
                           .after = change.after != nullptr ? change.after->id : ObjectId()};
  if (descent.before != descent.after) {
    descent_ = descent;
  }
}

namespace {

Result<TreeSums> Sum(TreeDiff walk) {
  return VisitChanges(std::move(walk), [](const TreeChange&) -> Result<void> { return {}; });
}

}  // namespace

Result<TreeSums> SumTree(ObjectReader& reader, const ObjectId& root, std::uint64_t entries_max) {
  FolderMemory memory;
  return Sum({reader, ObjectId(), root, {.entries_max = entries_max, .memory = &memory}});
}

Result<TreeSums> SumTree(ObjectReader& reader, const ObjectId& root, FolderMemory& memory) {
  return Sum({reader, ObjectId(), root, {.memory = &memory}});
}

}  // namespace atrium::files
