// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/kept_history.h"

#include <algorithm>
#include <chrono>
#include <string>

#include "files/keys.h"

namespace atrium::files {
namespace {

using store::OpContext;
using store::Store;

Result<std::uint64_t> OldestMove(Store& store, const OpContext& op, const Library& library) {
  const std::string partition = PartitionOf(library.id);
  ASSIGN_OR_RETURN(
      const auto page,
      store::List<Move>(store, op, {.table = &kMoveTable, .partition = partition, .limit = 1}));
  return page.records.empty() ? library.moves : page.records.front().record.number;
}

/// The move by which that commit came in.
Result<std::optional<Move>> FindPublished(Store& store, const OpContext& op,
                                          const LibraryId& library, const CommitId& commit) {
  ASSIGN_OR_RETURN(const auto found, store::FindBy(store, op, Moves(), kMovesByCommit,
                                                   PublishedKey(library, commit)));
  return found ? std::optional(found->record) : std::nullopt;
}

/// A merge is found by what was merged.
Result<std::optional<Move>> FindState(Store& store, const OpContext& op, const Content& content,
                                      const LibraryId& library, const CommitId& commit) {
  ASSIGN_OR_RETURN(std::optional<Move> move, FindPublished(store, op, library, commit));
  if (!move) {
    ASSIGN_OR_RETURN(const auto merge, content.FindCommit(op, library, commit));
    if (merge && merge->second_parent) {
      ASSIGN_OR_RETURN(move, FindPublished(store, op, library, *merge->second_parent));
    }
  }
  return move && move->commit == commit ? move : std::nullopt;
}

}  // namespace

Result<std::optional<Move>> FindMove(Store& store, const OpContext& op, const LibraryId& library,
                                     std::uint64_t number) {
  ASSIGN_OR_RETURN(const auto found, store::Find(store, op, Moves(), MoveKey(library, number)));
  return found ? std::optional(found->record) : std::nullopt;
}

Result<std::uint64_t> MoveAt(Store& store, const OpContext& op, const Library& library,
                             Instant at) {
  ASSIGN_OR_RETURN(std::uint64_t low, OldestMove(store, op, library));
  std::uint64_t high = std::max(library.moves, low);
  while (low < high) {
    const std::uint64_t middle = high - ((high - low) / 2);
    ASSIGN_OR_RETURN(const auto move, FindMove(store, op, library.id, middle));
    // One that is gone is older than all that are there.
    if (!move || move->at <= at) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

Result<std::uint64_t> FirstKept(Store& store, const OpContext& op, const Library& library,
                                Instant now) {
  std::uint64_t first = library.kept_from.value_or(1);
  if (library.keep_days) {
    ASSIGN_OR_RETURN(const std::uint64_t then,
                     MoveAt(store, op, library, now - std::chrono::days(*library.keep_days)));
    first = std::max(first, then);
  }
  return std::min(first, library.moves);
}

Result<Move> LoadState(const store::Ground& ground, const OpContext& op, const Content& content,
                       const Library& library, const CommitId& commit) {
  ASSIGN_OR_RETURN(const auto move, FindState(ground.store, op, content, library.id, commit));
  ASSIGN_OR_RETURN(const std::uint64_t first,
                   FirstKept(ground.store, op, library, ground.clock.Now()));
  if (!move || move->number < first) {
    return Fail(ErrorCode::kNotFound, "commit: the library has no such state");
  }
  return *move;
}

}  // namespace atrium::files
