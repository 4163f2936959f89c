// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "calendar/entries.h"

#include <array>
#include <set>

#include "base/json_peek.h"
#include "calendar/entry_rules.h"
#include "calendar/entry_writes.h"
#include "calendar/keys.h"
#include "calendar/occurrences.h"
#include "store/store.h"

namespace atrium::calendar {
namespace {

std::unexpected<Error> NoSuchEntry() {
  return Fail(ErrorCode::kNotFound, "there is no such entry");
}

/// Where the entry of a document is; nullopt: in the trash.
Result<std::optional<CalendarId>> CalendarOf(std::string_view document) {
  std::array<JsonPeek, 2> place{{{.name = "calendarId"}, {.name = "deletedAt"}}};
  const Result<void> found = PeekJson(document, place);
  if (!found || !place[0].text) {
    return FailPrivately(ErrorCode::kCorrupt, "a stored entry does not say where it is");
  }
  if (place[1].text) {
    return std::nullopt;
  }
  ASSIGN_OR_RETURN(const CalendarId calendar, CalendarId::Parse(*place[0].text));
  return std::optional(calendar);
}

Result<void> CheckTarget(const EntryTarget& target) {
  if (target.scope != Scope::kAll && !target.occurrence) {
    return Fail(ErrorCode::kInvalidArgument, "occurrence: needed to change a part of a series");
  }
  return {};
}

Result<void> CheckStays(const Entry& entry, const EntryFields& fields) {
  if (fields.calendar_id && *fields.calendar_id != entry.calendar_id) {
    return Fail(ErrorCode::kInvalidArgument, "calendar_id: an entry is moved by its own request");
  }
  return {};
}

bool IsStale(const Entry& entry, const EntryFields& fields) {
  return fields.updated_at && *fields.updated_at <= entry.updated_at;
}

std::string RenderAll(const std::vector<store::Stored<Entry>>& entries) {
  std::string json = R"({"entries":[)";
  for (const store::Stored<Entry>& one : entries) {
    json += (json.back() == '[' ? "" : ",") + store::EncodeRecord(one.record, one.unknown);
  }
  return json + "]}";
}

Result<void> CheckTask(const Entry& entry) {
  if (!entry.is_task) {
    return Fail(ErrorCode::kInvalidArgument, "the entry is not a task");
  }
  return {};
}

}  // namespace

/// What becomes of an entry: another state, the trash, a second entry for the rest of a series, or
/// nothing.
struct EntryService::Edit {
  std::optional<Entry> after{};
  std::optional<Entry> rest{};
  bool is_deletion = false;
  /// What a client is told that asks again, when it is not the entry.
  std::optional<store::Answer> answer{};
};

/// A batch that holds its commit to the calendars it writes into: none of them goes meanwhile.
struct EntryService::Draft {
  store::Batch batch{};
  std::set<CalendarId> held{};
  bool is_empty = true;

  void Hold(const Seat& seat) {
    if (held.insert(seat.calendar.record.id).second) {
      batch.Check(Calendars(), seat.calendar);
    }
  }
};

Author AuthorFor(const Visitor& visitor) {
  return {.user = visitor.user, .label = visitor.label};
}

Result<void> EntryService::CheckSeat(const store::OpContext& op, const Visitor& visitor,
                                     const CalendarId& calendar, Need need) const {
  const auto check = [&]() -> Result<void> {
    if (need == Need::kRead) {
      RETURN_IF_ERROR(readers_.Enter(op, visitor, calendar));
    } else {
      RETURN_IF_ERROR(Enter(ground_.store, op, visitor, calendar, need));
    }
    return {};
  };
  const Result<void> checked = check();
  return !checked && checked.error().code == ErrorCode::kNotFound ? Result<void>(NoSuchEntry())
                                                                  : checked;
}

Result<EntryService::Found> EntryService::Load(const store::OpContext& op, const Visitor& visitor,
                                               const EntryId& id, Need need) const {
  ASSIGN_OR_RETURN(auto entry, store::Find(ground_.store, op, Entries(), EntryKey(id)));
  if (!entry || entry->record.deleted_at) {
    return NoSuchEntry();
  }
  RETURN_IF_ERROR(CheckSeat(op, visitor, entry->record.calendar_id, need));
  return *std::move(entry);
}

Result<store::Row> EntryService::LoadDocument(const store::OpContext& op, const Visitor& visitor,
                                              const EntryId& id) const {
  ASSIGN_OR_RETURN(auto row, ground_.store.Get(op, kEntryTable, EntryKey(id)));
  if (!row) {
    return NoSuchEntry();
  }
  ASSIGN_OR_RETURN(const std::optional<CalendarId> calendar, CalendarOf(row->document));
  if (!calendar) {
    return NoSuchEntry();
  }
  RETURN_IF_ERROR(CheckSeat(op, visitor, *calendar, Need::kRead));
  return *std::move(row);
}

Result<EntryService::Found> EntryService::CommitOne(const store::OpContext& op, store::Batch batch,
                                                    Entry entry) {
  ASSIGN_OR_RETURN(const store::Receipt receipt, ground_.store.Commit(op, std::move(batch)));
  return Found{.record = std::move(entry), .version = receipt.version};
}

Result<Entry> EntryService::AddCreation(const store::OpContext& op, const Visitor& visitor,
                                        const EntryFields& fields, Draft& draft) {
  if (!fields.calendar_id) {
    return Fail(ErrorCode::kInvalidArgument, "calendar_id: required");
  }
  ASSIGN_OR_RETURN(const Seat seat,
                   Enter(ground_.store, op, visitor, *fields.calendar_id, Need::kWriteEntries));
  ASSIGN_OR_RETURN(Entry entry, Compose(fields, visitor.time_zone));
  entry.id = EntryId(ground_.ids.NewTimeUuid());
  entry.calendar_id = *fields.calendar_id;
  entry = WriteNew(draft.batch, AuthorFor(visitor), ground_.clock.Now(), std::move(entry));
  draft.Hold(seat);
  draft.is_empty = false;
  return entry;
}

Result<EntryService::Found> EntryService::Create(const store::OpContext& op, const Visitor& visitor,
                                                 const EntryFields& fields) {
  return store::RetryConflicts([&]() -> Result<Found> {
    Draft draft;
    ASSIGN_OR_RETURN(Entry entry, AddCreation(op, visitor, fields, draft));
    return CommitOne(op, std::move(draft.batch), std::move(entry));
  });
}

Result<EntryService::Found> EntryService::ChangeOne(
    const store::OpContext& op, const Visitor& visitor, const EntryTarget& target,
    const VersionCheck& check, const std::function<Result<Edit>(const Entry&)>& decide) {
  RETURN_IF_ERROR(CheckTarget(target));
  return store::RetryConflicts([&]() -> Result<Found> {
    ASSIGN_OR_RETURN(Found found, Load(op, visitor, target.id, Need::kWriteEntries));
    RETURN_IF_ERROR(check(found.version));
    ASSIGN_OR_RETURN(Edit edit, decide(found.record));
    if (!edit.after && !edit.rest && !edit.is_deletion) {
      return found;
    }
    const Author author = AuthorFor(visitor);
    const Instant now = ground_.clock.Now();
    store::Batch batch;
    Entry stored =
        edit.is_deletion
            ? WriteDeleted(batch, author, now, found)
            : WriteChanged(batch, author, now, {.before = found, .after = *std::move(edit.after)});
    if (edit.rest) {
      edit.rest->id = EntryId(ground_.ids.NewTimeUuid());
      edit.rest->uid.clear();
      RETURN_IF_ERROR(Hold(op, edit.rest->calendar_id, batch));
      stored = WriteNew(batch, author, now, *std::move(edit.rest));
      batch.SetAnswer({.status = 200, .body = store::EncodeRecord(stored)});
    }
    if (edit.answer) {
      batch.SetAnswer(*std::move(edit.answer));
    }
    return CommitOne(op, std::move(batch), std::move(stored));
  });
}

/// What is new in a calendar must not outlive it.
Result<void> EntryService::Hold(const store::OpContext& op, const CalendarId& calendar,
                                store::Batch& batch) const {
  ASSIGN_OR_RETURN(const auto found,
                   store::Find(ground_.store, op, Calendars(), CalendarKey(calendar)));
  if (!found || found->record.deleted_at) {
    return NoSuchEntry();
  }
  batch.Check(Calendars(), *found);
  return {};
}

Result<EntryService::Found> EntryService::Update(const store::OpContext& op, const Visitor& visitor,
                                                 const EntryTarget& target,
                                                 const EntryFields& fields,
                                                 const VersionCheck& check) {
  const auto decide = [&](const Entry& entry) -> Result<Edit> {
    RETURN_IF_ERROR(CheckStays(entry, fields));
    if (IsStale(entry, fields)) {
      return Edit{};
    }
    if (target.scope == Scope::kThis) {
      ASSIGN_OR_RETURN(Entry after,
                       ChangeThis(entry, *target.occurrence, fields, visitor.time_zone));
      return Edit{.after = std::move(after)};
    }
    if (target.scope == Scope::kFollowing) {
      ASSIGN_OR_RETURN(Split split, SplitAt(entry, *target.occurrence));
      ASSIGN_OR_RETURN(Entry rest,
                       ChangeAll(split.after, target.occurrence, fields, visitor.time_zone));
      return split.before ? Edit{.after = std::move(split.before), .rest = std::move(rest)}
                          : Edit{.after = std::move(rest)};
    }
    ASSIGN_OR_RETURN(Entry after, ChangeAll(entry, target.occurrence, fields, visitor.time_zone));
    return Edit{.after = std::move(after)};
  };
  return ChangeOne(op, visitor, target, check, decide);
}

Result<void> EntryService::Delete(const store::OpContext& op, const Visitor& visitor,
                                  const EntryTarget& target, const VersionCheck& check) {
  const auto decide = [&](const Entry& entry) -> Result<Edit> {
    std::optional<Entry> rest;
    if (target.scope == Scope::kThis) {
      ASSIGN_OR_RETURN(rest, DropThis(entry, *target.occurrence));
    } else if (target.scope == Scope::kFollowing) {
      ASSIGN_OR_RETURN(Split split, SplitAt(entry, *target.occurrence));
      rest = std::move(split.before);
    }
    const bool is_deletion = !rest;
    return Edit{.after = std::move(rest),
                .is_deletion = is_deletion,
                .answer = store::Answer{.status = 200}};
  };
  RETURN_IF_ERROR(ChangeOne(op, visitor, target, check, decide));
  return {};
}

Result<EntryService::Found> EntryService::Toggle(const store::OpContext& op, const Visitor& visitor,
                                                 const EntryTarget& target,
                                                 const VersionCheck& check) {
  const auto decide = [&](const Entry& entry) -> Result<Edit> {
    RETURN_IF_ERROR(CheckTask(entry));
    if (!target.occurrence) {
      Entry after = entry;
      after.completed = !entry.completed;
      return Edit{.after = std::move(after)};
    }
    ASSIGN_OR_RETURN(const Occurrence one, OccurrenceAt(entry, *target.occurrence));
    ASSIGN_OR_RETURN(Entry after,
                     ChangeThis(entry, *target.occurrence, {.completed = !one.entry.completed},
                                visitor.time_zone));
    return Edit{.after = std::move(after)};
  };
  return ChangeOne(op, visitor, target, check, decide);
}

Result<EntryService::Found> EntryService::Move(const store::OpContext& op, const Visitor& visitor,
                                               const EntryId& id, const CalendarId& to,
                                               const VersionCheck& check) {
  return store::RetryConflicts([&]() -> Result<Found> {
    ASSIGN_OR_RETURN(Found found, Load(op, visitor, id, Need::kWriteEntries));
    RETURN_IF_ERROR(check(found.version));
    ASSIGN_OR_RETURN(const Seat seat, Enter(ground_.store, op, visitor, to, Need::kWriteEntries));
    if (found.record.calendar_id == to) {
      return found;
    }
    if (!found.record.uid.empty()) {
      ASSIGN_OR_RETURN(const auto taken,
                       ground_.store.Get(op, kEntryUids, UidKey(to, found.record.uid)));
      if (taken) {
        return Fail(ErrorCode::kAlreadyExists, "the other calendar has an entry of the same uid");
      }
    }
    Entry moved = found.record;
    moved.calendar_id = to;
    store::Batch batch;
    Entry stored =
        WriteChanged(batch, AuthorFor(visitor), ground_.clock.Now(),
                     {.before = found, .after = std::move(moved), .deed = EntryDeed::kMoved});
    batch.Check(Calendars(), seat.calendar);
    return CommitOne(op, std::move(batch), std::move(stored));
  });
}

Result<EntryService::Found> EntryService::AddOrder(const store::OpContext& op,
                                                   const Visitor& visitor, const EntryOrder& order,
                                                   Draft& draft) {
  if (order.deed == EntryOrder::Deed::kCreate) {
    ASSIGN_OR_RETURN(Entry entry, AddCreation(op, visitor, order.fields, draft));
    return Found{.record = std::move(entry)};
  }
  ASSIGN_OR_RETURN(Found found, Load(op, visitor, order.id, Need::kWriteEntries));
  const Author author = AuthorFor(visitor);
  const Instant now = ground_.clock.Now();
  if (order.deed == EntryOrder::Deed::kDelete) {
    draft.is_empty = false;
    return Found{.record = WriteDeleted(draft.batch, author, now, found)};
  }
  RETURN_IF_ERROR(CheckStays(found.record, order.fields));
  if (IsStale(found.record, order.fields)) {
    return found;
  }
  ASSIGN_OR_RETURN(Entry after,
                   ChangeAll(found.record, std::nullopt, order.fields, visitor.time_zone));
  draft.is_empty = false;
  return Found{.record = WriteChanged(draft.batch, author, now,
                                      {.before = found, .after = std::move(after)})};
}

/// Those that have no version yet get that of the commit.
Result<std::vector<EntryService::Found>> EntryService::CommitAll(const store::OpContext& op,
                                                                 Draft draft,
                                                                 std::vector<Found> changed) {
  if (draft.is_empty) {
    return changed;
  }
  draft.batch.SetAnswer({.status = 200, .body = RenderAll(changed)});
  Result<store::Receipt> receipt = ground_.store.Commit(op, std::move(draft.batch));
  if (!receipt) {
    Error error = std::move(receipt).error();
    if (error.code == ErrorCode::kLimitExceeded) {
      error.client_message = "changes: too much at once; send fewer of them";
    }
    return std::unexpected(std::move(error));
  }
  for (Found& one : changed) {
    if (one.version == store::Version{}) {
      one.version = receipt->version;
    }
  }
  return changed;
}

Result<std::vector<EntryService::Found>> EntryService::ApplyAll(
    const store::OpContext& op, const Visitor& visitor, const std::vector<EntryOrder>& orders) {
  if (orders.empty() || orders.size() > kOrdersMax) {
    return Fail(ErrorCode::kInvalidArgument, "changes: 1 to 10 of them");
  }
  std::set<EntryId> named;
  for (const EntryOrder& order : orders) {
    if (order.deed != EntryOrder::Deed::kCreate && !named.insert(order.id).second) {
      return Fail(ErrorCode::kInvalidArgument, "changes: an entry is named twice");
    }
  }
  return store::RetryConflicts([&]() -> Result<std::vector<Found>> {
    Draft draft;
    std::vector<Found> changed;
    for (std::size_t i = 0; i < orders.size(); ++i) {
      Result<Found> entry = AddOrder(op, visitor, orders[i], draft);
      if (!entry) {
        Error error = std::move(entry).error();
        error.client_message = "changes/" + std::to_string(i) + ": " + error.client_message;
        return std::unexpected(std::move(error));
      }
      changed.push_back(*std::move(entry));
    }
    return CommitAll(op, std::move(draft), std::move(changed));
  });
}

}  // namespace atrium::calendar
