// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/heads.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "files/keys.h"
#include "files/library_reader.h"
#include "files/merge.h"
#include "files/space.h"
#include "store/store.h"

namespace atrium::files {
namespace {

std::int64_t SecondsOf(Instant at) {
  return std::chrono::duration_cast<std::chrono::seconds>(at.time_since_epoch()).count();
}

Move MoveTo(const Library& library, const Commit& commit, const std::string& by) {
  return {.library = library.id,
          .number = library.moves,
          .commit = commit.id,
          .merged = commit.second_parent,
          .root = commit.root,
          .at = library.updated_at,
          .by = by,
          .description = commit.description,
          .bytes = library.bytes,
          .files = library.files};
}

/// Whether the head may be this very commit. Clients learn name and lock of a library from its
/// head, so one that is behind must not bring the old ones back.
bool Follows(const Commit& commit, const Library& library) {
  return commit.parent == library.head && commit.library_name == library.name &&
         commit.lock == library.lock;
}

/// The only limits that a commit meets are those of space.
Error Explained(Error error) {
  if (error.code == ErrorCode::kLimitExceeded) {
    error.client_message = NoSpaceLeft().error().client_message;
  }
  return error;
}

}  // namespace

Result<store::Stored<Library>> Heads::FindLive(const store::OpContext& op,
                                               const LibraryId& id) const {
  ASSIGN_OR_RETURN(auto library, store::Find(ground_.store, op, Libraries(), LibraryRowKey(id)));
  if (!library || library->record.deleted_at) {
    return Fail(ErrorCode::kNotFound, "there is no such library");
  }
  return *std::move(library);
}

Result<bool> Heads::WasPublished(const store::OpContext& op, const Library& library,
                                 const CommitId& commit) const {
  if (library.head == commit) {
    return true;
  }
  ASSIGN_OR_RETURN(const auto row,
                   ground_.store.Get(op, kMovesByCommit, PublishedKey(library.id, commit)));
  return row.has_value();
}

Commit Heads::CommitFor(const Author& author, const Library& library, const Change& change) const {
  Commit commit{.root = change.root,
                .library = library.id,
                .creator_name = author.email,
                .description = change.description,
                .ctime = SecondsOf(ground_.clock.Now()),
                .library_name = library.name,
                .library_description = library.description,
                .lock = library.lock};
  if (!IsZero(library.head)) {
    commit.parent = library.head;
  }
  commit.id = FreshCommitIdOf(commit, ground_.ids.NewUuid());
  return commit;
}

Result<LooseSpace::Release> Heads::Reserve(const store::OpContext& op, const Library& after,
                                           const Verdict& verdict, store::Batch& batch) const {
  if (verdict.sums.Bytes() > 0 && after.quota_bytes && after.bytes > *after.quota_bytes) {
    return NoSpaceLeft();
  }
  LooseSpace::Release release;
  if (LooseSpace* const loose = content_.Loose()) {
    ASSIGN_OR_RETURN(release, loose->PlanRelease(op, after, verdict.named_bytes));
    LooseSpace::AddTo(batch, release);
  }
  const std::int64_t bytes = verdict.sums.Bytes() - release.settled;
  if (bytes == 0) {
    return release;
  }
  ASSIGN_OR_RETURN(const auto owner, people_.Find(op, after.owner));
  store::Add space{.table = &kSpaceTable,
                   .key = SpaceKey(after.owner),
                   .counter = std::string(kBytesCounter),
                   .delta = bytes};
  if (owner && owner->quota_bytes) {
    space.at_most = *owner->quota_bytes;
  }
  batch.Add(std::move(space));
  RETURN_IF_ERROR(people_.ReserveForOrg(op, after.org, bytes, batch));
  return release;
}

Library Heads::Advanced(const Step& step) const {
  Library after = step.after;
  after.head = step.commit.id;
  after.root = step.commit.root;
  ++after.moves;
  after.bytes += step.verdict.sums.Bytes();
  after.files += step.verdict.sums.Files();
  // What is kept of the history is looked up by time, so that must not go back with the clock.
  after.updated_at = std::max(step.before.record.updated_at, ground_.clock.Now());
  after.updated_by = step.author.email;
  return after;
}

Result<store::Stored<Library>> Heads::Advance(const store::OpContext& op, const Step& step,
                                              store::Batch batch) {
  Library after = Advanced(step);
  batch.Replace(Libraries(), step.before, after);
  batch.Create(Moves(), MoveTo(after, step.commit, step.author.email));
  batch.Add(HoldSweeps(after.id, step.verdict));
  ASSIGN_OR_RETURN(const LooseSpace::Release release, Reserve(op, after, step.verdict, batch));
  people_.WriteDown(batch, step.author.user,
                    {.org = after.org,
                     .action = step.action,
                     .library = after.id,
                     .detail = after.head.Render()});
  Result<store::Receipt> receipt = ground_.store.Commit(op, std::move(batch));
  if (!receipt) {
    return std::unexpected(Explained(std::move(receipt).error()));
  }
  if (LooseSpace* const loose = content_.Loose()) {
    loose->Apply(release);
  }
  return store::Stored<Library>{
      .record = std::move(after), .version = receipt->version, .unknown = step.before.unknown};
}

Result<store::Stored<Library>> Heads::Begin(const store::OpContext& op, const Author& author,
                                            const Library& library) {
  const Commit commit = CommitFor(author, library, {.description = "Created library"});
  RETURN_IF_ERROR(content_.PutCommit(op, library.id, commit.id, Render(commit)));
  const Library begun =
      Advanced({.author = author, .before = {}, .after = library, .commit = commit, .verdict = {}});
  store::Batch batch;
  batch.Create(Libraries(), begun);
  batch.Create(Moves(), MoveTo(begun, commit, author.email));
  people_.WriteDown(
      batch, author.user,
      {.org = begun.org, .action = "library.create", .library = begun.id, .detail = begun.name});
  ASSIGN_OR_RETURN(const store::Receipt receipt, ground_.store.Commit(op, std::move(batch)));
  return store::Stored<Library>{.record = begun, .version = receipt.version};
}

Result<Commit> Heads::Merge(const store::OpContext& op, const Author& author,
                            const Library& library, const Commit& theirs) {
  LibraryReader reader(content_, op, library.id);
  CollectedObjects objects;
  MergeInput input{.head = library.root,
                   .remote = theirs.root,
                   .author = author.email,
                   .now = SecondsOf(ground_.clock.Now())};
  if (theirs.parent) {
    ASSIGN_OR_RETURN(const auto base, FindState(op, library.id, *theirs.parent));
    input.base = base ? base->root.value_or(ObjectId()) : ObjectId();
  }
  Result<MergeOutcome> tried = MergeTrees(reader, objects, input);
  if (!tried && tried.error().code == ErrorCode::kNotFound && !IsZero(input.base)) {
    // Of a state that is not kept any more, the commit may have outlived the tree. Without it
    // nothing counts as deleted.
    input.base = ObjectId();
    tried = MergeTrees(reader, objects, input);
  }
  ASSIGN_OR_RETURN(const MergeOutcome merged, std::move(tried));
  RETURN_IF_ERROR(content_.PutObjects(op, library.id, objects.Objects()));
  Commit commit =
      CommitFor(author, library, {.root = merged.root, .description = "Auto merge by system"});
  commit.second_parent = theirs.id;
  commit.new_merge = true;
  commit.conflict = merged.conflict;
  return commit;
}

Result<std::optional<Heads::KnownState>> Heads::FindState(const store::OpContext& op,
                                                          const LibraryId& library,
                                                          const CommitId& id) const {
  ASSIGN_OR_RETURN(const auto commit, content_.FindCommit(op, library, id));
  ASSIGN_OR_RETURN(const auto row,
                   ground_.store.Get(op, kMovesByCommit, PublishedKey(library, id)));
  bool is_known = row.has_value();
  if (!is_known && commit && commit->second_parent) {
    // A merge that was made here is found by what was merged.
    ASSIGN_OR_RETURN(const auto move, store::FindBy(ground_.store, op, Moves(), kMovesByCommit,
                                                    PublishedKey(library, *commit->second_parent)));
    is_known = move && move->record.commit == id;
  }
  if (!is_known) {
    return std::nullopt;
  }
  KnownState state;
  if (commit) {
    ASSIGN_OR_RETURN(const bool there, IsZero(commit->root)
                                           ? Result<bool>(true)
                                           : content_.HasObject(op, library, commit->root));
    state.root = there ? std::optional(commit->root) : std::nullopt;
  }
  return state;
}

Result<Publication> Heads::TryPublish(const store::OpContext& op, const Author& author,
                                      const Commit& theirs) {
  ASSIGN_OR_RETURN(const store::Stored<Library> found, FindLive(op, theirs.library));
  const Library& library = found.record;
  ASSIGN_OR_RETURN(const bool was_published, WasPublished(op, library, theirs.id));
  if (was_published) {
    return Publication{.head = library.head};
  }
  // Looked at before it is merged, so that a merge never meets a tree with holes.
  ASSIGN_OR_RETURN(Verdict verdict, Inspect(ground_.store, op, content_, library, theirs.root));
  if (!verdict.missing.empty()) {
    return Publication{.head = library.head, .missing = std::move(verdict.missing)};
  }
  Commit commit = theirs;
  // Of a client's commit, only what was merged here counts as brought in.
  commit.second_parent.reset();
  if (!Follows(theirs, library)) {
    ASSIGN_OR_RETURN(commit, Merge(op, author, library, theirs));
    RETURN_IF_ERROR(content_.PutCommit(op, library.id, commit.id, Render(commit)));
    ASSIGN_OR_RETURN(verdict, Inspect(ground_.store, op, content_, library, commit.root));
    if (!verdict.missing.empty()) {
      return FailPrivately(ErrorCode::kConflict, "content was removed while it was merged");
    }
  }
  ASSIGN_OR_RETURN(const auto moved, Advance(op,
                                             {.author = author,
                                              .before = found,
                                              .after = library,
                                              .commit = commit,
                                              .verdict = verdict},
                                             {}));
  return Publication{.head = moved.record.head};
}

Result<Publication> Heads::Publish(const store::OpContext& op, const Author& author,
                                   const LibraryId& library, const CommitId& id) {
  ASSIGN_OR_RETURN(const auto commit, content_.FindCommit(op, library, id));
  if (!commit) {
    return Fail(ErrorCode::kNotFound, "there is no commit " + id.Render());
  }
  if (commit->library != library || commit->id != id) {
    return Fail(ErrorCode::kInvalidArgument, "the commit says that it is another one");
  }
  ASSIGN_OR_RETURN(const HeadQueue::Turn turn, queue_.Await(op, library));
  return store::RetryConflicts([&] { return TryPublish(op, author, *commit); });
}

Result<store::Stored<Library>> Heads::TryApply(const store::OpContext& op, const Author& author,
                                               const LibraryId& id, const Edit& edit) {
  ASSIGN_OR_RETURN(store::Stored<Library> found, FindLive(op, id));
  LibraryReader reader(content_, op, id);
  CollectedObjects objects;
  ASSIGN_OR_RETURN(const Change change, edit(reader, objects, found.record));
  if (change.root == found.record.root) {
    return found;
  }
  RETURN_IF_ERROR(content_.PutObjects(op, id, objects.Objects()));
  ASSIGN_OR_RETURN(const Verdict verdict,
                   Inspect(ground_.store, op, content_, found.record, change.root));
  if (!verdict.missing.empty()) {
    return Fail(ErrorCode::kRefusedByState,
                "the content of \"" + verdict.missing.front() + "\" is missing: send it again");
  }
  const Commit commit = CommitFor(author, found.record, change);
  RETURN_IF_ERROR(content_.PutCommit(op, id, commit.id, Render(commit)));
  return Advance(op,
                 {.author = author,
                  .before = found,
                  .after = found.record,
                  .commit = commit,
                  .verdict = verdict},
                 {});
}

Result<store::Stored<Library>> Heads::Apply(const store::OpContext& op, const Author& author,
                                            const LibraryId& id, const Edit& edit) {
  ASSIGN_OR_RETURN(const HeadQueue::Turn turn, queue_.Await(op, id));
  return store::RetryConflicts([&] { return TryApply(op, author, id, edit); });
}

Result<store::Stored<Library>> Heads::TryRevise(const store::OpContext& op, const Author& author,
                                                const LibraryId& id, const Revision& revision) {
  ASSIGN_OR_RETURN(const store::Stored<Library> found, FindLive(op, id));
  Library after = found.record;
  store::Batch batch;
  RETURN_IF_ERROR(revision.revise(after, batch));
  const Commit commit =
      CommitFor(author, after, {.root = after.root, .description = revision.description});
  RETURN_IF_ERROR(content_.PutCommit(op, id, commit.id, Render(commit)));
  ASSIGN_OR_RETURN(const Verdict verdict,
                   Inspect(ground_.store, op, content_, found.record, after.root));
  return Advance(op,
                 {.author = author,
                  .before = found,
                  .after = after,
                  .commit = commit,
                  .verdict = verdict,
                  .action = revision.action},
                 std::move(batch));
}

Result<store::Stored<Library>> Heads::Revise(const store::OpContext& op, const Author& author,
                                             const LibraryId& id, const Revision& revision) {
  ASSIGN_OR_RETURN(const HeadQueue::Turn turn, queue_.Await(op, id));
  return store::RetryConflicts([&] { return TryRevise(op, author, id, revision); });
}

}  // namespace atrium::files
