// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/state_verification.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <utility>

#include "base/error.h"
#include "files/commit.h"
#include "files/kept_history.h"
#include "files/keys.h"
#include "files/loose_space.h"
#include "store/batch.h"
#include "store/key_bytes.h"

namespace atrium::files {
namespace {

constexpr std::size_t kMovesAtOnce = 500;
/// What encryption adds to each block: from one byte up to this.
constexpr std::int64_t kPaddingMax = 16;

bool IsFault(const Error& error) {
  return error.code == ErrorCode::kCorrupt || error.code == ErrorCode::kNotFound ||
         error.code == ErrorCode::kInvalidArgument;
}

std::string WordsOf(const Error& error) {
  return error.detail.empty() ? error.client_message : error.detail;
}

/// The commit of a state, as far as the state tells.
Commit CommitOf(const Library& library, const Move& move, const std::optional<CommitId>& parent) {
  return {
      .id = move.commit,
      .root = move.root,
      .library = library.id,
      .creator_name = move.by,
      .description = move.description,
      .ctime = std::chrono::duration_cast<std::chrono::seconds>(move.at.time_since_epoch()).count(),
      .parent = parent,
      .second_parent = move.merged,
      .library_name = library.name,
      .library_description = library.description,
      .lock = library.lock,
      .new_merge = move.merged.has_value(),
      .repaired = true};
}

}  // namespace

Result<std::shared_ptr<const Directory>> PatientReader::LoadDirectory(const ObjectId& id) {
  auto directory = reader_.ReadDirectory(id);
  if (directory || !IsFault(directory.error())) {
    return directory;
  }
  ++holes_;
  fault_ = WordsOf(directory.error());
  return std::make_shared<const Directory>();
}

Result<FileObject> PatientReader::LoadFile(const ObjectId& id) {
  return reader_.ReadFile(id);
}

void StateVerification::Tell(std::string of, std::string id, std::string path,
                             std::string explanation) {
  seen_->Add({.library = id_.Render(),
              .of = std::move(of),
              .id = std::move(id),
              .path = std::move(path),
              .explanation = std::move(explanation)});
}

Result<void> StateVerification::Run(Verification& seen, const std::stop_token& stop) {
  seen_ = &seen;
  ASSIGN_OR_RETURN(const auto library,
                   store::Find(parts_.ground.store, op_, Libraries(), LibraryRowKey(id_)));
  if (!library) {
    return {};
  }
  RETURN_IF_ERROR(VerifyMoves(library->record, stop));
  RETURN_IF_ERROR(VerifyTree(library->record, library->record.root, stop));
  RETURN_IF_ERROR(VerifyCounts(*library));
  return VerifyLoose(library->record);
}

/// No more can be named by no state than there is.
Result<void> StateVerification::VerifyLoose(const Library& library) {
  ASSIGN_OR_RETURN(const LooseCount loose, FindLoose(parts_.ground.store, op_, id_));
  const std::int64_t likely = std::clamp<std::int64_t>(loose.bytes, 0, parts_.block_bytes);
  if (loose.bytes == likely) {
    return {};
  }
  seen_->Add({.library = id_.Render(),
              .of = "library",
              .id = id_.Render(),
              .explanation = "it counts " + std::to_string(loose.bytes) +
                             " bytes of blocks that no state names, and has blocks of " +
                             std::to_string(parts_.block_bytes),
              .remedy = "count anew"});
  if (!options_.Repairs()) {
    return {};
  }
  store::Batch batch;
  RETURN_IF_ERROR(CountLoose(op_, parts_.people, library,
                             {.bytes = likely - loose.bytes, .expect = ExpectationOf(loose)},
                             batch));
  const auto receipt = parts_.ground.store.Commit(op_, std::move(batch));
  seen_->repaired += receipt ? 1 : 0;
  // Somebody counts meanwhile, or there is no space: for the next time.
  const bool may_wait = !receipt && (receipt.error().code == ErrorCode::kConflict ||
                                     receipt.error().code == ErrorCode::kLimitExceeded);
  return receipt || may_wait ? Result<void>() : std::unexpected(receipt.error());
}

Result<void> StateVerification::VerifyMoves(const Library& library, const std::stop_token& stop) {
  ASSIGN_OR_RETURN(const std::uint64_t first,
                   FirstKept(parts_.ground.store, op_, library, parts_.ground.clock.Now()));
  const std::string partition = PartitionOf(id_);
  store::ScanRequest request{
      .table = &kMoveTable,
      .partition = partition,
      .range = {.from = store::KeyBytes().Number(first).Take(),
                .before = store::KeyBytes().Number(library.moves + 1).Take()},
      .limit = kMovesAtOnce};
  std::uint64_t next = first;
  do {
    ASSIGN_OR_RETURN(auto page, store::List<Move>(parts_.ground.store, op_, request));
    for (const store::Stored<Move>& found : page.records) {
      const Move& move = found.record;
      if (move.number != next) {
        Tell("state", std::to_string(next), "", "there is no state of this number");
      }
      next = move.number + 1;
      ++seen_->states;
      RETURN_IF_ERROR(VerifyCommit(library, move));
      RETURN_IF_ERROR(VerifyTree(library, move.root, stop));
      parent_ = move.commit;
    }
    request.after = std::move(page.resume);
  } while (request.after);
  if (next != library.moves + 1) {
    Tell("state", std::to_string(next), "", "the history ends before the head");
  }
  return {};
}

Result<void> StateVerification::VerifyCommit(const Library& library, const Move& move) {
  const auto commit = parts_.content.FindCommit(op_, id_, move.commit);
  if (commit && *commit && (*commit)->root == move.root) {
    return {};
  }
  if (!commit && commit.error().code != ErrorCode::kCorrupt) {
    return std::unexpected(commit.error());
  }
  const bool is_absent = commit && !*commit;
  Defect defect{.library = id_.Render(),
                .of = "commit",
                .id = move.commit.Render(),
                .explanation =
                    is_absent ? "the commit of state " + std::to_string(move.number) + " is missing"
                              : "it is not that of state " + std::to_string(move.number)};
  if (is_absent) {
    defect.remedy = "make the commit anew";
    if (options_.Repairs()) {
      RETURN_IF_ERROR(parts_.content.PutCommit(op_, id_, move.commit,
                                               Render(CommitOf(library, move, parent_))));
      ++seen_->repaired;
    }
  }
  seen_->Add(std::move(defect));
  return {};
}

Result<void> StateVerification::VerifyTree(const Library& library, const ObjectId& root,
                                           const std::stop_token& stop) {
  std::uint64_t holes = reader_.Holes();
  TreeDiff diff(reader_, root_, root, {.removed = RemovedFolders::kSkip, .memory = &folders_});
  std::string path = "/";
  while (true) {
    if (stop.stop_requested()) {
      return FailPrivately(ErrorCode::kUnavailable, "stopped before the end");
    }
    ASSIGN_OR_RETURN(const auto change, diff.Next());
    // Folders are read after they were told.
    if (reader_.Holes() != holes) {
      holes = reader_.Holes();
      Tell("object", "", path, reader_.LastFault());
    }
    if (!change) {
      break;
    }
    path = change->path;
    RETURN_IF_ERROR(VerifyEntry(library, *change));
  }
  root_ = root;
  return {};
}

Result<void> StateVerification::VerifyEntry(const Library& library, const TreeChange& change) {
  if (change.after == nullptr || change.after->IsDirectory() ||
      (change.before != nullptr && change.before->id == change.after->id &&
       change.before->size == change.after->size)) {
    return {};
  }
  ASSIGN_OR_RETURN(std::string fault, FaultOfFile(library, *change.after));
  if (!fault.empty()) {
    Tell("file", change.after->id.Render(), std::string(change.path), std::move(fault));
  }
  return {};
}

Result<std::string> StateVerification::FaultOfFile(const Library& library, const Dirent& entry) {
  const Result<FileObject> file = reader_.ReadFile(entry.id);
  if (!file) {
    return IsFault(file.error()) ? Result<std::string>(WordsOf(file.error()))
                                 : std::unexpected(file.error());
  }
  std::int64_t stored = 0;
  for (const BlockId& block : file->blocks) {
    const auto place = parts_.content.FindBlock(op_, id_, block);
    if (!place && !IsFault(place.error())) {
      return std::unexpected(place.error());
    }
    if (!place || !*place || parts_.lost_blocks.contains(block)) {
      return "block " + block.Render() + " is lost: it heals when the file is sent again";
    }
    stored += (*place)->bytes;
  }
  const auto blocks = static_cast<std::int64_t>(file->blocks.size());
  const std::int64_t least = file->size + (library.lock ? blocks : 0);
  const std::int64_t most = file->size + (library.lock ? blocks * kPaddingMax : 0);
  const bool fits = entry.size == file->size && stored >= least && stored <= most;
  return std::string(fits ? "" : "its size is not that of its content");
}

Result<void> StateVerification::VerifyCounts(const store::Stored<Library>& library) {
  const std::uint64_t holes = reader_.Holes();
  ASSIGN_OR_RETURN(const TreeSums sums, SumTree(reader_, library.record.root));
  if (reader_.Holes() != holes ||
      (sums.Bytes() == library.record.bytes && sums.Files() == library.record.files)) {
    return {};
  }
  seen_->Add({.library = id_.Render(),
              .of = "library",
              .id = id_.Render(),
              .explanation = "it counts " + std::to_string(library.record.files) + " files of " +
                             std::to_string(library.record.bytes) + " bytes and has " +
                             std::to_string(sums.Files()) + " of " + std::to_string(sums.Bytes()),
              .remedy = "count anew"});
  return options_.Repairs() ? Recount(library, sums) : Result<void>();
}

/// What its owner and organisation store is counted along.
Result<void> StateVerification::Recount(const store::Stored<Library>& library,
                                        const TreeSums& sums) {
  Library after = library.record;
  const std::int64_t more = sums.Bytes() - after.bytes;
  after.bytes = sums.Bytes();
  after.files = sums.Files();
  store::Batch batch;
  batch.Replace(Libraries(), library, after);
  if (more != 0) {
    batch.Add(store::Add{.table = &kSpaceTable,
                         .key = SpaceKey(after.owner),
                         .counter = std::string(kBytesCounter),
                         .delta = more});
    RETURN_IF_ERROR(parts_.people.ReserveForOrg(op_, after.org, more, batch));
  }
  const auto receipt = parts_.ground.store.Commit(op_, std::move(batch));
  if (receipt) {
    ++seen_->repaired;
    return {};
  }
  // Somebody moved the head meanwhile, or there is no space: for the next time.
  const bool may_wait = receipt.error().code == ErrorCode::kConflict ||
                        receipt.error().code == ErrorCode::kLimitExceeded;
  return may_wait ? Result<void>() : std::unexpected(receipt.error());
}

}  // namespace atrium::files
