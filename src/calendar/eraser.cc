// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "calendar/eraser.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "calendar/calendars.h"
#include "calendar/entry_memory.h"
#include "calendar/entry_writes.h"
#include "calendar/keys.h"
#include "calendar/work_names.h"
#include "store/key_bytes.h"
#include "store/op_context.h"
#include "store/store.h"

namespace atrium::calendar {
namespace {

constexpr std::size_t kPage = 100;
constexpr std::size_t kAll = 1000;

Result<void> Stopped() {
  return FailPrivately(ErrorCode::kUnavailable, "stopped before the end");
}

/// What somebody else took away first is gone all the same.
Result<void> Tolerate(const Result<store::Receipt>& receipt) {
  if (!receipt && receipt.error().code != ErrorCode::kConflict) {
    return std::unexpected(receipt.error());
  }
  return {};
}

}  // namespace

Result<void> Eraser::EraseEntries(jobs::JobContext& context, const CalendarId& calendar,
                                  const store::Table& index) {
  const std::string partition = PartitionOf(calendar);
  while (true) {
    ASSIGN_OR_RETURN(const auto page,
                     store::List<Entry>(ground_.store, store::OpContext::ForWork(kEraseJob),
                                        {.table = &index, .partition = partition, .limit = kPage}));
    if (page.records.empty()) {
      return {};
    }
    for (const store::Stored<Entry>& listed : page.records) {
      if (context.ShouldStop()) {
        return Stopped();
      }
      ASSIGN_OR_RETURN(const auto entry,
                       store::Find(ground_.store, store::OpContext::ForWork(kEraseJob), Entries(),
                                   EntryKey(listed.record.id)));
      if (!entry) {
        continue;
      }
      store::Batch batch;
      WriteErased(batch, *entry);
      RETURN_IF_ERROR(
          Tolerate(ground_.store.Commit(store::OpContext::ForWork(kEraseJob), std::move(batch))));
    }
  }
}

Result<void> Eraser::EraseFeeds(const CalendarId& calendar) {
  const std::string partition = PartitionOf(calendar);
  ASSIGN_OR_RETURN(
      const auto page,
      store::List<Feed>(ground_.store, store::OpContext::ForWork(kEraseJob),
                        {.table = &kFeedsByCalendar, .partition = partition, .limit = kAll}));
  for (const store::Stored<Feed>& listed : page.records) {
    ASSIGN_OR_RETURN(const auto feed,
                     store::Find(ground_.store, store::OpContext::ForWork(kEraseJob), Feeds(),
                                 FeedKey(listed.record.hash)));
    if (feed) {
      store::Batch batch;
      batch.Erase(Feeds(), *feed);
      RETURN_IF_ERROR(
          Tolerate(ground_.store.Commit(store::OpContext::ForWork(kEraseJob), std::move(batch))));
    }
  }
  return {};
}

Result<void> Eraser::EraseMembers(const CalendarId& calendar) {
  const std::string partition = PartitionOf(calendar);
  ASSIGN_OR_RETURN(
      const auto page,
      store::List<Membership>(ground_.store, store::OpContext::ForWork(kEraseJob),
                              {.table = &kMemberTable, .partition = partition, .limit = kAll}));
  for (const store::Stored<Membership>& member : page.records) {
    store::Batch batch;
    batch.Erase(Members(), member);
    RETURN_IF_ERROR(
        Tolerate(ground_.store.Commit(store::OpContext::ForWork(kEraseJob), std::move(batch))));
  }
  return {};
}

Result<void> Eraser::EraseViews(const CalendarId& calendar) {
  const std::string partition = PartitionOf(calendar);
  ASSIGN_OR_RETURN(
      const auto page,
      store::List<ViewSettings>(ground_.store, store::OpContext::ForWork(kEraseJob),
                                {.table = &kViewTable, .partition = partition, .limit = kAll}));
  for (const store::Stored<ViewSettings>& view : page.records) {
    store::Batch batch;
    batch.Erase(Views(), view);
    RETURN_IF_ERROR(
        Tolerate(ground_.store.Commit(store::OpContext::ForWork(kEraseJob), std::move(batch))));
  }
  return {};
}

/// The calendar itself with its counters: from here on there is nothing to come back to.
Result<void> Eraser::EraseRest(const CalendarId& calendar) {
  ASSIGN_OR_RETURN(const auto found,
                   store::Find(ground_.store, store::OpContext::ForWork(kEraseJob), Calendars(),
                               CalendarKey(calendar)));
  if (!found) {
    return {};
  }
  ASSIGN_OR_RETURN(const auto subscription,
                   store::Find(ground_.store, store::OpContext::ForWork(kEraseJob), Subscriptions(),
                               SubscriptionKey(calendar)));
  store::Batch batch;
  batch.Erase(Calendars(), *found);
  batch.Add(store::Erase{.table = &kCalendarCounts, .key = CalendarKey(calendar)});
  if (subscription) {
    batch.Erase(Subscriptions(), *subscription);
  }
  RETURN_IF_ERROR(ground_.store.Commit(store::OpContext::ForWork(kEraseJob), std::move(batch)));
  return {};
}

Result<void> Eraser::EraseOne(jobs::JobContext& context, const store::Stored<Calendar>& calendar) {
  const CalendarId& id = calendar.record.id;
  RETURN_IF_ERROR(EraseEntries(context, id, kEntriesByTime));
  RETURN_IF_ERROR(EraseEntries(context, id, kEntryTrash));
  RETURN_IF_ERROR(EraseFeeds(id));
  RETURN_IF_ERROR(EraseViews(id));
  RETURN_IF_ERROR(EraseMembers(id));
  return EraseRest(id);
}

Result<std::size_t> Eraser::EraseDue(jobs::JobContext& context) {
  const std::string before = store::KeyBytes().Time(ground_.clock.Now()).Take();
  std::size_t erased = 0;
  ASSIGN_OR_RETURN(const store::Page page,
                   store::CollectPage(ground_.store, store::OpContext::ForWork(kEraseJob),
                                      {.table = &kCalendarsToErase,
                                       .partition = kEverybody,
                                       .range = {.before = store::PrefixEnd(before)},
                                       .limit = kAll}));
  for (const store::KeyedRow& row : page.rows) {
    ASSIGN_OR_RETURN(const store::Key key, store::DecodePointer(row.row.document));
    ASSIGN_OR_RETURN(
        const auto calendar,
        store::Find(ground_.store, store::OpContext::ForWork(kEraseJob), Calendars(), key));
    if (!calendar || !calendar->record.erase_at ||
        *calendar->record.erase_at > ground_.clock.Now()) {
      continue;
    }
    RETURN_IF_ERROR(EraseOne(context, *calendar));
    ++erased;
    context.Report(std::to_string(erased) + " calendars");
  }
  return erased;
}

Result<bool> Eraser::HasOtherOwner(const Membership& member) {
  const std::string partition = PartitionOf(member.calendar_id);
  ASSIGN_OR_RETURN(
      const auto page,
      store::List<Membership>(ground_.store, store::OpContext::ForWork(kReleaseTheGoneJob),
                              {.table = &kMemberTable, .partition = partition, .limit = kAll}));
  return std::ranges::any_of(page.records, [&](const store::Stored<Membership>& one) {
    return one.record.role == MemberRole::kOwner && one.record.status == MemberStatus::kActive &&
           one.record.user_id != member.user_id;
  });
}

/// Takes out one member whose account is gone. An only owner takes the calendar along.
Result<bool> Eraser::Release(const store::Stored<Membership>& member) {
  const bool is_owner =
      member.record.role == MemberRole::kOwner && member.record.status == MemberStatus::kActive;
  const Instant now = ground_.clock.Now();
  Membership removed = member.record;
  removed.status = MemberStatus::kRemoved;
  removed.updated_at = now;
  store::Batch batch;
  batch.Replace(Members(), member, removed);
  if (is_owner) {
    ASSIGN_OR_RETURN(const bool is_shared, HasOtherOwner(member.record));
    ASSIGN_OR_RETURN(const auto calendar,
                     store::Find(ground_.store, store::OpContext::ForWork(kReleaseTheGoneJob),
                                 Calendars(), CalendarKey(member.record.calendar_id)));
    if (is_shared) {
      CountOwners(batch, member.record.calendar_id, -1);
    } else if (calendar && !calendar->record.deleted_at) {
      Calendar orphan = calendar->record;
      orphan.is_default = false;
      orphan.default_of.reset();
      orphan.deleted_at = now;
      orphan.erase_at = now + kTrashKept;
      batch.Replace(Calendars(), *calendar, orphan);
    }
  }
  const Result<store::Receipt> receipt =
      ground_.store.Commit(store::OpContext::ForWork(kReleaseTheGoneJob), std::move(batch));
  RETURN_IF_ERROR(Tolerate(receipt));
  return receipt.has_value();
}

Result<bool> Eraser::ReleaseIfGone(const store::Stored<Membership>& member) {
  if (!member.record.user_id || member.record.status == MemberStatus::kRemoved) {
    return false;
  }
  ASSIGN_OR_RETURN(const auto person, people_.Find(store::OpContext::ForWork(kReleaseTheGoneJob),
                                                   *member.record.user_id));
  return person ? Result<bool>(false) : Release(member);
}

Result<Eraser::MemberPage> Eraser::WalkMembers(std::optional<std::string> after) {
  MemberPage page;
  Result<void> outcome;
  store::FunctionSink sink([&](const store::RowView& row) {
    auto stored = store::DecodeRecord<Membership>(row.document, row.version);
    if (stored) {
      page.members.push_back(*std::move(stored));
    } else if (outcome) {
      outcome = std::unexpected(std::move(stored).error());
    }
  });
  ASSIGN_OR_RETURN(store::WalkEnd end,
                   ground_.store.Walk(store::OpContext::ForWork(kReleaseTheGoneJob),
                                      {.table = &kMemberTable, .after = std::move(after)}, sink));
  RETURN_IF_ERROR(outcome);
  page.resume = std::move(end.resume);
  return page;
}

Result<std::size_t> Eraser::ReleaseTheGone(jobs::JobContext& context) {
  std::size_t released = 0;
  std::optional<std::string> after;
  do {
    ASSIGN_OR_RETURN(MemberPage page, WalkMembers(std::move(after)));
    for (const store::Stored<Membership>& member : page.members) {
      if (context.ShouldStop()) {
        return released;
      }
      ASSIGN_OR_RETURN(const bool is_released, ReleaseIfGone(member));
      released += is_released ? 1 : 0;
    }
    after = std::move(page.resume);
  } while (after);
  context.Report(std::to_string(released) + " members");
  return released;
}

}  // namespace atrium::calendar
