// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/reachability.h"

#include <string>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "files/kept_history.h"
#include "files/keys.h"
#include "store/key_bytes.h"

namespace atrium::files {
namespace {

constexpr std::size_t kMovesAtOnce = 500;

Result<void> GoOn(const std::stop_token& stop) {
  return stop.stop_requested() ? FailPrivately(ErrorCode::kUnavailable, "stopped before the end")
                               : Result<void>();
}

}  // namespace

void Reachability::Add(const Sha1Id& id) {
  filter_.Add(AsChars(id.bytes));
}

bool Reachability::MayReach(const Sha1Id& id) const {
  return filter_.MayHave(AsChars(id.bytes));
}

Result<void> Reachability::Mark(const Library& library, Instant now, const std::stop_token& stop) {
  ASSIGN_OR_RETURN(const std::uint64_t first, FirstKept(store_, op_, library, now));
  if (!next_ || first < first_) {
    next_ = first;
    root_ = {};
  }
  first_ = first;
  RETURN_IF_ERROR(MarkMoves(stop));
  // Of a library whose history has holes, the head counts all the same.
  Add(library.head.value());
  return MarkTree(library.root, stop);
}

Result<void> Reachability::MarkMoves(const std::stop_token& stop) {
  const std::string partition = PartitionOf(id_);
  store::ScanRequest request{.table = &kMoveTable,
                             .partition = partition,
                             .range = {.from = store::KeyBytes().Number(*next_).Take()},
                             .limit = kMovesAtOnce};
  do {
    ASSIGN_OR_RETURN(auto page, store::List<Move>(store_, op_, request));
    for (const store::Stored<Move>& found : page.records) {
      const Move& move = found.record;
      Add(move.commit.value());
      if (move.merged) {
        Add(move.merged->value());
      }
      RETURN_IF_ERROR(MarkTree(move.root, stop));
      next_ = move.number + 1;
    }
    request.after = std::move(page.resume);
  } while (request.after);
  return {};
}

Result<void> Reachability::MarkTree(const ObjectId& root, const std::stop_token& stop) {
  Add(root.value());
  TreeDiff diff(reader_, root_, root, {.removed = RemovedFolders::kSkip, .memory = &folders_});
  while (true) {
    RETURN_IF_ERROR(GoOn(stop));
    ASSIGN_OR_RETURN(const auto change, diff.Next());
    if (!change) {
      break;
    }
    if (change->after == nullptr) {
      continue;
    }
    Add(change->after->id.value());
    const bool is_known = change->before != nullptr && change->before->id == change->after->id;
    if (!is_known && !change->after->IsDirectory()) {
      RETURN_IF_ERROR(MarkFile(change->after->id));
    }
  }
  root_ = root;
  return {};
}

Result<void> Reachability::MarkFile(const ObjectId& id) {
  if (files_.Find(id) != nullptr) {
    return {};
  }
  ASSIGN_OR_RETURN(const FileObject file, reader_.ReadFile(id));
  for (const BlockId& block : file.blocks) {
    Add(block.value());
  }
  files_.Put(id, {});
  return {};
}

}  // namespace atrium::files
