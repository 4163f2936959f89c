// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "calendar/entry_memory.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/json_read.h"
#include "calendar/entries.h"
#include "calendar/entry_writes.h"
#include "calendar/keys.h"
#include "calendar/work_names.h"
#include "store/list_within.h"
#include "store/op_context.h"
#include "store/store.h"

namespace atrium::calendar {
namespace {

std::unexpected<Error> NoSuchEntry() {
  return Fail(ErrorCode::kNotFound, "there is no such entry");
}

Result<EntryTrace> ReadTrace(std::string_view document) {
  return FromJson<EntryTrace>(document,
                              {.unknown = OnUnknown::kIgnore, .missing = OnMissing::kKeepDefault});
}

/// `traces` and the states they led to, the newest first. Each but the newest led to what the next
/// one found.
std::vector<EntryChange> ChangesOf(std::vector<EntryTrace> traces, Entry now) {
  std::vector<EntryChange> changes;
  for (EntryTrace& trace : traces) {
    EntryChange& change = changes.emplace_back();
    static_cast<EntryAct&>(change) = trace;
    change.entry = std::move(now);
    now = std::move(trace.before).value_or(Entry());
  }
  return changes;
}

}  // namespace

Result<EntryMemory::Found> EntryMemory::LoadAny(const store::OpContext& op, const Visitor& visitor,
                                                const EntryId& id, Need need) const {
  ASSIGN_OR_RETURN(auto entry, store::Find(ground_.store, op, Entries(), EntryKey(id)));
  if (!entry) {
    return NoSuchEntry();
  }
  const Result<Seat> seat = Enter(ground_.store, op, visitor, entry->record.calendar_id, need);
  if (!seat) {
    return seat.error().code == ErrorCode::kNotFound ? Result<Found>(NoSuchEntry())
                                                     : std::unexpected(seat.error());
  }
  return *std::move(entry);
}

Result<std::vector<EntryTrace>> EntryMemory::Traces(const store::OpContext& op,
                                                    const EntryId& id) const {
  const std::string partition = PartitionOf(id);
  std::vector<EntryTrace> traces;
  std::optional<Error> broken;
  store::FunctionSink sink([&](const store::RowView& row) {
    Result<EntryTrace> trace = ReadTrace(row.document);
    if (trace) {
      traces.push_back(*std::move(trace));
    } else {
      broken = std::move(trace).error();
    }
  });
  RETURN_IF_ERROR(ground_.store.Scan(op,
                                     {.table = &kEntryHistory,
                                      .partition = partition,
                                      .limit = kHistoryKept,
                                      .direction = store::Direction::kBackward},
                                     sink));
  if (broken) {
    return std::unexpected(*std::move(broken));
  }
  return traces;
}

Result<std::vector<EntryChange>> EntryMemory::History(const store::OpContext& op,
                                                      const Visitor& visitor,
                                                      const EntryId& id) const {
  return store::RetryConflicts([&]() -> Result<std::vector<EntryChange>> {
    ASSIGN_OR_RETURN(Found entry, LoadAny(op, visitor, id, Need::kRead));
    ASSIGN_OR_RETURN(std::vector<EntryTrace> traces, Traces(op, id));
    if (traces.empty() || traces.front().number != entry.record.sequence) {
      return FailPrivately(ErrorCode::kConflict, "the entry is being changed");
    }
    return ChangesOf(std::move(traces), std::move(entry.record));
  });
}

/// As it was after the change of that number; nullopt when that is not remembered.
Result<std::optional<Entry>> EntryMemory::StateAfter(const store::OpContext& op, const Entry& now,
                                                     std::uint32_t number) const {
  if (number == now.sequence) {
    return now;
  }
  if (number > now.sequence || now.sequence - number >= kHistoryKept) {
    return std::nullopt;
  }
  ASSIGN_OR_RETURN(const auto row,
                   ground_.store.Get(op, kEntryHistory, HistoryKey(now.id, number + 1)));
  if (!row) {
    return std::nullopt;
  }
  ASSIGN_OR_RETURN(EntryTrace trace, ReadTrace(row->document));
  return std::move(trace.before);
}

Result<void> EntryMemory::CheckUid(const store::OpContext& op, const Entry& entry) const {
  if (entry.uid.empty()) {
    return {};
  }
  ASSIGN_OR_RETURN(const auto taken,
                   ground_.store.Get(op, kEntryUids, UidKey(entry.calendar_id, entry.uid)));
  if (taken) {
    return Fail(ErrorCode::kAlreadyExists, "the calendar has another entry of the same uid now");
  }
  return {};
}

Result<EntryMemory::Found> EntryMemory::Become(const store::OpContext& op, const Visitor& visitor,
                                               const Found& now, Entry then) {
  const bool comes_back = now.record.deleted_at && !then.deleted_at;
  const bool moves = then.calendar_id != now.record.calendar_id;
  if (comes_back || moves) {
    RETURN_IF_ERROR(CheckUid(op, then));
  }
  ASSIGN_OR_RETURN(const auto calendar,
                   store::Find(ground_.store, op, Calendars(), CalendarKey(then.calendar_id)));
  if (!calendar || calendar->record.deleted_at) {
    return NoSuchEntry();
  }
  store::Batch batch;
  Entry stored = WriteChanged(batch, AuthorFor(visitor), ground_.clock.Now(),
                              {.before = now,
                               .after = std::move(then),
                               .deed = comes_back ? EntryDeed::kRestored
                                       : moves    ? EntryDeed::kMoved
                                                  : EntryDeed::kReverted});
  batch.Check(Calendars(), *calendar);
  ASSIGN_OR_RETURN(const store::Receipt receipt, ground_.store.Commit(op, std::move(batch)));
  return Found{.record = std::move(stored), .version = receipt.version};
}

/// Back to another calendar goes who may write there.
Result<void> EntryMemory::CheckWayBack(const store::OpContext& op, const Visitor& visitor,
                                       const Entry& now, const Entry& then) const {
  if (then.calendar_id == now.calendar_id) {
    return {};
  }
  const Result<Seat> seat =
      Enter(ground_.store, op, visitor, then.calendar_id, Need::kWriteEntries);
  if (seat) {
    return {};
  }
  const bool may_not = seat.error().code == ErrorCode::kNotFound ||
                       seat.error().code == ErrorCode::kPermissionDenied;
  return may_not ? Result<void>(Fail(ErrorCode::kRefusedByState,
                                     "it came from a calendar in which you cannot write"))
                 : std::unexpected(seat.error());
}

Result<EntryMemory::Found> EntryMemory::Revert(const store::OpContext& op, const Visitor& visitor,
                                               const EntryId& id, std::uint32_t number,
                                               const VersionCheck& check) {
  return store::RetryConflicts([&]() -> Result<Found> {
    ASSIGN_OR_RETURN(const Found now, LoadAny(op, visitor, id, Need::kWriteEntries));
    RETURN_IF_ERROR(check(now.version));
    ASSIGN_OR_RETURN(std::optional<Entry> then, StateAfter(op, now.record, number));
    if (!then) {
      return Fail(ErrorCode::kNotFound, "number: this change is not remembered");
    }
    if (then->deleted_at) {
      return Fail(ErrorCode::kInvalidArgument, "number: the entry was deleted then");
    }
    then->calendar_id = now.record.calendar_id;
    return Become(op, visitor, now, *std::move(then));
  });
}

Result<EntryMemory::Found> EntryMemory::Undo(const store::OpContext& op, const Visitor& visitor,
                                             const EntryId& id, const VersionCheck& check) {
  return store::RetryConflicts([&]() -> Result<Found> {
    ASSIGN_OR_RETURN(const Found now, LoadAny(op, visitor, id, Need::kWriteEntries));
    RETURN_IF_ERROR(check(now.version));
    if (now.record.sequence == 0) {
      return Fail(ErrorCode::kRefusedByState, "there is nothing to undo");
    }
    ASSIGN_OR_RETURN(std::optional<Entry> then,
                     StateAfter(op, now.record, now.record.sequence - 1));
    if (!then) {
      return Fail(ErrorCode::kRefusedByState, "what was before is not remembered");
    }
    if (then->deleted_at) {
      then->deleted_at = ground_.clock.Now();
    }
    RETURN_IF_ERROR(CheckWayBack(op, visitor, now.record, *then));
    return Become(op, visitor, now, *std::move(then));
  });
}

Result<EntryMemory::Found> EntryMemory::Restore(const store::OpContext& op, const Visitor& visitor,
                                                const EntryId& id, const VersionCheck& check) {
  return store::RetryConflicts([&]() -> Result<Found> {
    ASSIGN_OR_RETURN(const Found now, LoadAny(op, visitor, id, Need::kWriteEntries));
    RETURN_IF_ERROR(check(now.version));
    if (!now.record.deleted_at) {
      return Fail(ErrorCode::kRefusedByState, "the entry is not in the trash");
    }
    Entry then = now.record;
    then.deleted_at.reset();
    return Become(op, visitor, now, std::move(then));
  });
}

Result<EntryMemory::TrashPage> EntryMemory::Trash(const store::OpContext& op,
                                                  const Visitor& visitor,
                                                  const CalendarId& calendar, std::size_t limit,
                                                  std::optional<std::string> after) const {
  RETURN_IF_ERROR(Enter(ground_.store, op, visitor, calendar, Need::kRead));
  const std::string partition = PartitionOf(calendar);
  ASSIGN_OR_RETURN(auto page, store::ListWithin<Entry>(ground_.store, op,
                                                       {.table = &kEntryTrash,
                                                        .partition = partition,
                                                        .limit = limit,
                                                        .after = std::move(after)}));
  return TrashPage{.entries = std::move(page.records), .resume = std::move(page.resume)};
}

Result<bool> EntryMemory::PurgeOne(const store::Key& key, Instant before) {
  ASSIGN_OR_RETURN(
      const auto entry,
      store::Find(ground_.store, store::OpContext::ForWork(kPurgeTrashJob), Entries(), key));
  if (!entry || !entry->record.deleted_at || *entry->record.deleted_at >= before) {
    return false;
  }
  store::Batch batch;
  WriteErased(batch, *entry);
  const Result<store::Receipt> receipt =
      ground_.store.Commit(store::OpContext::ForWork(kPurgeTrashJob), std::move(batch));
  // Somebody who took it out of the trash meanwhile was quicker.
  if (!receipt && receipt.error().code != ErrorCode::kConflict) {
    return std::unexpected(receipt.error());
  }
  return receipt.has_value();
}

Result<std::size_t> EntryMemory::Purge(jobs::JobContext& context) {
  const Instant before = ground_.clock.Now() - kTrashKept;
  std::size_t purged = 0;
  std::optional<std::string> after;
  do {
    std::vector<std::string> pointers;
    store::FunctionSink sink(
        [&](const store::RowView& row) { pointers.emplace_back(row.document); });
    ASSIGN_OR_RETURN(
        store::WalkEnd end,
        ground_.store.Walk(store::OpContext::ForWork(kPurgeTrashJob),
                           {.table = &kEntriesToErase, .after = std::move(after)}, sink));
    for (const std::string& pointer : pointers) {
      if (context.ShouldStop()) {
        return purged;
      }
      ASSIGN_OR_RETURN(const store::Key key, store::DecodePointer(pointer));
      ASSIGN_OR_RETURN(const bool is_gone, PurgeOne(key, before));
      purged += is_gone ? 1 : 0;
    }
    after = std::move(end.resume);
  } while (after);
  context.Report(std::to_string(purged) + " entries");
  return purged;
}

}  // namespace atrium::calendar
