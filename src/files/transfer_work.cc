// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/transfer_work.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "api/caller.h"
#include "files/content_copy.h"
#include "files/keys.h"
#include "files/library_access.h"
#include "files/library_reader.h"
#include "files/tree_path.h"
#include "http/route.h"
#include "store/batch.h"
#include "store/warrant.h"

namespace atrium::files {
namespace {

/// How often content that was swept away meanwhile is copied again.
constexpr int kAttempts = 3;
/// For how long it is known for sure whether entries were placed before a server ended: claims are
/// kept a little longer.
constexpr std::chrono::hours kInterruptedMax = store::kClaimsKept - std::chrono::hours(4);

/// What the store says of itself, which is no answer about the transfer.
bool IsPassing(ErrorCode code) {
  return code == ErrorCode::kUnavailable || code == ErrorCode::kDeadlineExceeded ||
         code == ErrorCode::kOutcomeUnknown || code == ErrorCode::kConflict;
}

OnTaken OnTakenOf(TakenPolicy policy) {
  switch (policy) {
    case TakenPolicy::kReplace:
      return OnTaken::kReplace;
    case TakenPolicy::kRename:
      return OnTaken::kRename;
    case TakenPolicy::kSkip:
      return OnTaken::kRefuse;
  }
  return OnTaken::kRefuse;
}

std::string Describe(std::string_view verb, const std::vector<TransferItem>& items) {
  std::string text = std::string(verb) + " \"" + items.front().name + "\"";
  if (items.size() > 1) {
    text += " and " + std::to_string(items.size() - 1) + " more";
  }
  return text + ".";
}

Result<TreePath> PathOf(const std::string& folder, const std::string& name) {
  ASSIGN_OR_RETURN(const TreePath parsed, TreePath::Parse(folder));
  return parsed.Child(name);
}

std::int64_t SecondsOf(Instant at) {
  return std::chrono::duration_cast<std::chrono::seconds>(at.time_since_epoch()).count();
}

/// Its new name. Leaves out what is not to take the place of something else.
Result<std::string> NameOf(TakenPolicy policy, const Result<Dirent>& placed) {
  if (placed) {
    return placed->name;
  }
  if (policy == TakenPolicy::kSkip && placed.error().code == ErrorCode::kAlreadyExists) {
    return std::string();
  }
  return std::unexpected(placed.error());
}

/// Whether the commit of a named step has happened, now or before.
Result<void> Settle(const Result<store::Stored<Library>>& moved, const store::OnceOnly& once) {
  if (!moved && !once.GetReplay()) {
    return std::unexpected(moved.error());
  }
  return {};
}

std::unexpected<Error> Stopped() {
  return FailPrivately(ErrorCode::kUnavailable, "a transfer was interrupted");
}

/// That what asked for a transfer has not ended. `people` outlives it.
class ParentWarrant final : public store::Warrant {
 public:
  ParentWarrant(const People& people, const Transfer& transfer)
      : people_(&people), parent_(transfer.parent) {}

  Result<void> StillHolds(const store::OpContext& op) const override {
    if (!parent_) {
      return {};
    }
    ASSIGN_OR_RETURN(const bool stands, people_->StillStands(op, *parent_, http::Staleness::kNone));
    return stands ? Result<void>()
                  : Fail(ErrorCode::kPermissionDenied,
                         "the session or token that asked for it has ended");
  }
  std::shared_ptr<const store::Warrant> Keep() const override {
    return std::make_shared<ParentWarrant>(*this);
  }

 private:
  const People* people_;
  std::optional<api::CredentialRef> parent_;
};

}  // namespace

store::OpContext TransferWork::Terms(const Job& job, store::OnceOnly& once) const {
  store::OpContext op = op_;
  op.once = &once;
  op.warrant = &job.warrant;
  return op;
}

store::OnceOnly TransferWork::Once(const Transfer& transfer, std::string_view step) const {
  const std::string key = transfer.id.Render() + ":" + std::string(step);
  return store::OnceOnly({.principal = "files.transfer", .key = key, .digest = step},
                         parts_.ground.clock);
}

Result<TransferWork::Row> TransferWork::Write(const Row& row, Transfer after) const {
  after.updated_at = parts_.ground.clock.Now();
  store::Batch batch;
  batch.Replace(Transfers(), row, after);
  ASSIGN_OR_RETURN(const store::Receipt receipt, parts_.ground.store.Commit(op_, std::move(batch)));
  return Row{.record = std::move(after), .version = receipt.version, .unknown = row.unknown};
}

/// The step may have written its row before it failed.
Result<TransferWork::Row> TransferWork::Fail(const TransferId& id, const Error& error,
                                             const TransferSigns& signs) const {
  ASSIGN_OR_RETURN(Row row, store::Load(parts_.ground.store, op_, Transfers(), TransferKey(id)));
  if (!IsOpen(row.record)) {
    return row;
  }
  Transfer after = row.record;
  after.state = signs.cancelled ? TransferState::kCancelled : TransferState::kFailed;
  after.total = signs.total;
  after.done = signs.done;
  after.reason = error.client_message.empty() ? "it could not be done" : error.client_message;
  return Write(row, std::move(after));
}

Result<TransferWork::Row> TransferWork::Finish(Row row, TransferSigns& signs,
                                               const std::stop_token& stop) {
  while (IsOpen(row.record)) {
    ASSIGN_OR_RETURN(row, Step(row, signs, stop));
  }
  return row;
}

Result<TransferWork::Row> TransferWork::Step(const Row& row, TransferSigns& signs,
                                             const std::stop_token& stop) {
  const auto step = [&]() -> Result<Row> {
    ASSIGN_OR_RETURN(const auto person, parts_.people.Find(op_, row.record.user));
    if (!person) {
      return atrium::Fail(ErrorCode::kPermissionDenied, "the account is gone");
    }
    RETURN_IF_ERROR(CheckDoors(row.record, *person));
    const ParentWarrant warrant(parts_.people, row.record);
    RETURN_IF_ERROR(warrant.StillHolds(op_));
    const Job job{.row = row, .person = *person, .warrant = warrant, .signs = signs, .stop = stop};
    return row.record.state == TransferState::kWaiting ? Place(job) : RemoveMoved(job);
  };
  Result<Row> outcome = step();
  if (!outcome && !IsPassing(outcome.error().code)) {
    return Fail(row.record.id, outcome.error(), signs);
  }
  return outcome;
}

Result<void> TransferWork::CheckDoors(const Transfer& transfer, const Person& person) const {
  const Permission needed =
      transfer.kind == TransferKind::kMove ? Permission::kWrite : Permission::kRead;
  ASSIGN_OR_RETURN(const Entrance from,
                   Enter(parts_.ground.store, op_, person, transfer.from, needed));
  ASSIGN_OR_RETURN(const Entrance to,
                   Enter(parts_.ground.store, op_, person, transfer.to, Permission::kWrite));
  if (transfer.from != transfer.to && (from.library.record.lock || to.library.record.lock)) {
    return atrium::Fail(ErrorCode::kRefusedByState,
                        "content of encrypted libraries stays in its library");
  }
  return {};
}

Result<void> TransferWork::CheckMayPlace(const Job& job) const {
  if (job.signs.cancelled) {
    return atrium::Fail(ErrorCode::kRefusedByState, "it was cancelled");
  }
  if (parts_.ground.clock.Now() - job.row.record.updated_at > kInterruptedMax) {
    return atrium::Fail(ErrorCode::kRefusedByState,
                        "it was interrupted for too long: look whether it is there already");
  }
  return {};
}

Result<TransferWork::Row> TransferWork::Place(const Job& job) {
  store::OnceOnly once = Once(job.row.record, "place");
  ASSIGN_OR_RETURN(const auto before, once.FindReplay(parts_.ground.store, op_));
  Row row = job.row;
  if (!before) {
    RETURN_IF_ERROR(CheckMayPlace(job));
    ASSIGN_OR_RETURN(row, row.record.from == row.record.to ? PlaceWithin(job, row, once)
                                                           : PlaceAcross(job, row, once));
  }
  Transfer after = row.record;
  after.total = std::max<std::int64_t>(job.signs.total, after.total);
  after.done = after.total;
  const bool is_whole = after.kind == TransferKind::kCopy || after.from == after.to;
  after.state = is_whole ? TransferState::kDone : TransferState::kPlaced;
  return Write(row, std::move(after));
}

Result<TransferWork::Row> TransferWork::PlaceWithin(const Job& job, Row row,
                                                    store::OnceOnly& once) {
  Transfer& transfer = row.record;
  ASSIGN_OR_RETURN(const TreePath folder, TreePath::Parse(transfer.to_folder));
  job.signs.total = static_cast<std::int64_t>(transfer.items.size());
  const auto edit = [&](ObjectReader& reader, ObjectWriter& writer,
                        const Library& library) -> Result<Change> {
    ASSIGN_OR_RETURN(PathEdits edits,
                     PathEdits::Begin(reader, library.root, SecondsOf(parts_.ground.clock.Now())));
    const OnTaken taken = OnTakenOf(transfer.taken);
    for (TransferItem& item : transfer.items) {
      ASSIGN_OR_RETURN(const TreePath path, PathOf(transfer.from_folder, item.name));
      ASSIGN_OR_RETURN(item.placed, NameOf(transfer.taken, transfer.kind == TransferKind::kMove
                                                               ? edits.Move(path, folder, taken)
                                                               : edits.Copy(path, folder, taken)));
    }
    ASSIGN_OR_RETURN(const EditedTree tree, edits.Finish(writer));
    return Change{.root = tree.root,
                  .description = Describe(transfer.kind == TransferKind::kMove ? "Moved" : "Copied",
                                          transfer.items)};
  };
  const store::OpContext op = Terms(job, once);
  RETURN_IF_ERROR(Settle(
      parts_.heads.Apply(op, {.user = job.person.id, .email = job.person.email}, transfer.to, edit),
      once));
  return row;
}

Result<std::vector<LooseEntry>> TransferWork::LoadEntries(const Transfer& transfer) const {
  ASSIGN_OR_RETURN(const auto library, store::Load(parts_.ground.store, op_, Libraries(),
                                                   LibraryRowKey(transfer.from)));
  LibraryReader reader(parts_.content, op_, transfer.from);
  std::vector<LooseEntry> entries;
  for (const TransferItem& item : transfer.items) {
    ASSIGN_OR_RETURN(const TreePath path, PathOf(transfer.from_folder, item.name));
    ASSIGN_OR_RETURN(LooseEntry entry, LoadLooseEntry(reader, library.record.root, path));
    entries.push_back(std::move(entry));
  }
  return entries;
}

Result<void> TransferWork::CopyContent(const Job& job, const std::vector<LooseEntry>& entries) {
  const Transfer& transfer = job.row.record;
  job.signs.done = 0;
  ContentCopy copy({.store = parts_.ground.store, .content = parts_.content, .blobs = parts_.blobs},
                   op_, transfer.from, transfer.to);
  const auto file_done = [&]() -> Result<void> {
    ++job.signs.done;
    if (job.signs.cancelled) {
      return atrium::Fail(ErrorCode::kRefusedByState, "it was cancelled");
    }
    return job.stop.stop_requested() ? Stopped() : Result<void>();
  };
  for (const LooseEntry& entry : entries) {
    RETURN_IF_ERROR(copy.Copy(entry.entry, file_done));
  }
  return {};
}

Result<void> TransferWork::PutEntries(const Job& job, const std::vector<LooseEntry>& entries,
                                      Row& row, store::OnceOnly& once) {
  Transfer& transfer = row.record;
  ASSIGN_OR_RETURN(const TreePath folder, TreePath::Parse(transfer.to_folder));
  const auto edit = [&](ObjectReader& reader, ObjectWriter& writer,
                        const Library& library) -> Result<Change> {
    ASSIGN_OR_RETURN(PathEdits edits,
                     PathEdits::Begin(reader, library.root, SecondsOf(parts_.ground.clock.Now())));
    for (std::size_t i = 0; i < entries.size(); ++i) {
      ASSIGN_OR_RETURN(
          transfer.items[i].placed,
          NameOf(transfer.taken, edits.Put(folder, entries[i], OnTakenOf(transfer.taken))));
    }
    ASSIGN_OR_RETURN(const EditedTree tree, edits.Finish(writer));
    return Change{.root = tree.root, .description = Describe("Added", transfer.items)};
  };
  const store::OpContext op = Terms(job, once);
  return Settle(
      parts_.heads.Apply(op, {.user = job.person.id, .email = job.person.email}, transfer.to, edit),
      once);
}

Result<TransferWork::Row> TransferWork::PlaceAcross(const Job& job, Row row,
                                                    store::OnceOnly& once) {
  for (int attempt = 1;; ++attempt) {
    ASSIGN_OR_RETURN(const std::vector<LooseEntry> entries, LoadEntries(row.record));
    Transfer noted = row.record;
    noted.total = 0;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      noted.items[i].id = entries[i].entry.id;
      noted.items[i].is_folder = entries[i].entry.IsDirectory();
      noted.total += entries[i].size.files;
    }
    job.signs.total = noted.total;
    RETURN_IF_ERROR(CopyContent(job, entries));
    // Before they are placed: a move removes what is written down here, and nothing else.
    ASSIGN_OR_RETURN(row, Write(row, std::move(noted)));
    const Result<void> placed = PutEntries(job, entries, row, once);
    const bool was_swept = !placed && placed.error().code == ErrorCode::kRefusedByState;
    if (!was_swept || attempt == kAttempts) {
      RETURN_IF_ERROR(placed);
      return row;
    }
  }
}

/// Of those that may have been left out, what is there now decides.
Result<std::vector<TransferItem>> TransferWork::ItemsToRemove(const Transfer& transfer) const {
  if (transfer.taken != TakenPolicy::kSkip) {
    return transfer.items;
  }
  ASSIGN_OR_RETURN(const auto library,
                   store::Load(parts_.ground.store, op_, Libraries(), LibraryRowKey(transfer.to)));
  LibraryReader reader(parts_.content, op_, transfer.to);
  std::vector<TransferItem> items;
  for (const TransferItem& item : transfer.items) {
    ASSIGN_OR_RETURN(const TreePath path, PathOf(transfer.to_folder, item.name));
    ASSIGN_OR_RETURN(const auto entry, FindEntry(reader, library.record.root, path));
    if (entry && entry->id == item.id && entry->IsDirectory() == item.is_folder) {
      items.push_back(item);
    }
  }
  return items;
}

Result<TransferWork::Row> TransferWork::RemoveMoved(const Job& job) {
  const Transfer& transfer = job.row.record;
  ASSIGN_OR_RETURN(const std::vector<TransferItem> items, ItemsToRemove(transfer));
  std::string left;
  const auto edit = [&](ObjectReader& reader, ObjectWriter& writer,
                        const Library& library) -> Result<Change> {
    left.clear();
    ASSIGN_OR_RETURN(PathEdits edits,
                     PathEdits::Begin(reader, library.root, SecondsOf(parts_.ground.clock.Now())));
    for (const TransferItem& item : items) {
      ASSIGN_OR_RETURN(const TreePath path, PathOf(transfer.from_folder, item.name));
      ASSIGN_OR_RETURN(const auto entry, edits.Find(path));
      if (entry && entry->id == item.id && entry->IsDirectory() == item.is_folder) {
        RETURN_IF_ERROR(edits.Remove(path));
      } else if (entry) {
        left = item.name;
      }
    }
    ASSIGN_OR_RETURN(const EditedTree tree, edits.Finish(writer));
    return Change{.root = tree.root, .description = Describe("Removed", transfer.items)};
  };
  store::OnceOnly once = Once(transfer, "remove");
  const store::OpContext op = Terms(job, once);
  if (!items.empty()) {
    RETURN_IF_ERROR(
        Settle(parts_.heads.Apply(op, {.user = job.person.id, .email = job.person.email},
                                  transfer.from, edit),
               once));
  }
  Transfer after = transfer;
  after.state = left.empty() ? TransferState::kDone : TransferState::kFailed;
  after.reason = left.empty() ? "" : "\"" + left + "\" was changed meanwhile, and was only copied";
  return Write(job.row, std::move(after));
}

}  // namespace atrium::files
