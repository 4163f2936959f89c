// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "calendar/calendars.h"

#include <algorithm>
#include <utility>

#include "base/utf8.h"
#include "calendar/entry_memory.h"
#include "calendar/entry_rules.h"
#include "calendar/keys.h"
#include "store/store.h"

namespace atrium::calendar {
namespace {

constexpr std::size_t kNameLength = 100;
constexpr std::size_t kDescriptionLength = 1000;
constexpr std::string_view kUsualColor = "#3B82F6";

Result<void> Check(const Calendar& calendar) {
  RETURN_IF_ERROR(CheckLine("name", calendar.name, kNameLength));
  RETURN_IF_ERROR(CheckColor(calendar.color));
  if (!calendar.description.empty()) {
    RETURN_IF_ERROR(CheckLine("description", calendar.description, kDescriptionLength));
  }
  return {};
}

void Apply(const CalendarFields& fields, Calendar& calendar) {
  calendar.name = fields.name.value_or(std::move(calendar.name));
  calendar.color = fields.color.value_or(std::move(calendar.color));
  calendar.description = fields.description.value_or(std::move(calendar.description));
}

/// "Ada's Calendar", cut where it would be too long for a name.
std::string DefaultName(std::string_view person) {
  constexpr std::string_view kEnding = "'s Calendar";
  return std::string(TruncateUtf8(person, kNameLength - kEnding.size())).append(kEnding);
}

Instant After(Instant now, Instant before) {
  return std::max(now, before + std::chrono::milliseconds(1));
}

/// What is in the trash already can still be told to go at once.
Result<Seat> EnterToDelete(store::Store& store, const store::OpContext& op, const Visitor& visitor,
                           const CalendarId& id, Trashing trashing) {
  Result<Seat> seat = Enter(store, op, visitor, id, Need::kOwn);
  const bool may_be_trashed = !seat && seat.error().code == ErrorCode::kNotFound;
  return may_be_trashed && trashing == Trashing::kErase ? EnterTrashed(store, op, visitor, id)
                                                        : seat;
}

Membership OwnerOf(const Calendar& calendar, const Visitor& visitor) {
  return {.calendar_id = calendar.id,
          .user_id = visitor.user,
          .email = visitor.label,
          .role = MemberRole::kOwner,
          .status = MemberStatus::kActive,
          .created_at = calendar.created_at,
          .updated_at = calendar.created_at};
}

}  // namespace

void CountOwners(store::Batch& batch, const CalendarId& calendar, int delta) {
  batch.Add(store::Add{.table = &kCalendarCounts,
                       .key = CalendarKey(calendar),
                       .counter = std::string(kOwnersCounter),
                       .delta = delta,
                       .at_least = 1});
}

Result<CalendarService::Found> CalendarService::Add(const store::OpContext& op,
                                                    const Visitor& visitor,
                                                    const Calendar& calendar,
                                                    const Alongside& alongside) {
  RETURN_IF_ERROR(Check(calendar));
  store::Batch batch;
  batch.Create(Calendars(), calendar);
  batch.Create(Members(), OwnerOf(calendar, visitor));
  CountOwners(batch, calendar.id, 1);
  if (alongside) {
    alongside(batch, calendar);
  }
  ASSIGN_OR_RETURN(const store::Receipt receipt, ground_.store.Commit(op, std::move(batch)));
  return Found{.record = calendar, .version = receipt.version};
}

Result<CalendarService::Found> CalendarService::Create(const store::OpContext& op,
                                                       const Visitor& visitor,
                                                       const CalendarFields& fields,
                                                       CalendarSource source,
                                                       const Alongside& alongside) {
  const Instant now = ground_.clock.Now();
  Calendar calendar{.id = CalendarId(ground_.ids.NewUuid()),
                    .org = visitor.org,
                    .color = std::string(kUsualColor),
                    .source = source,
                    .created_at = now,
                    .updated_at = now};
  Apply(fields, calendar);
  return Add(op, visitor, calendar, alongside);
}

Result<CalendarService::Found> CalendarService::EnsureDefault(const store::OpContext& op,
                                                              const Visitor& visitor) {
  return store::RetryConflicts([&]() -> Result<Found> {
    ASSIGN_OR_RETURN(auto found, store::FindBy(ground_.store, op, Calendars(), kDefaultCalendars,
                                               DefaultCalendarKey(visitor.user)));
    if (found) {
      return *std::move(found);
    }
    ASSIGN_OR_RETURN(const auto person, people_.Find(op, visitor.user));
    const std::string name = person && !person->name.empty() ? person->name : visitor.label;
    const Instant now = ground_.clock.Now();
    const Calendar calendar{.id = CalendarId(ground_.ids.NewUuid()),
                            .org = visitor.org,
                            .name = DefaultName(name),
                            .color = std::string(kUsualColor),
                            .is_default = true,
                            .default_of = visitor.user,
                            .created_at = now,
                            .updated_at = now};
    return Add(op, visitor, calendar, {});
  });
}

Result<CalendarService::Found> CalendarService::Update(const store::OpContext& op,
                                                       const Visitor& visitor, const CalendarId& id,
                                                       const CalendarFields& fields,
                                                       const VersionCheck& check) {
  return store::RetryConflicts([&]() -> Result<Found> {
    ASSIGN_OR_RETURN(const Seat seat, Enter(ground_.store, op, visitor, id, Need::kDescribe));
    RETURN_IF_ERROR(check(seat.calendar.version));
    Calendar calendar = seat.calendar.record;
    calendar.updated_at = After(ground_.clock.Now(), calendar.updated_at);
    Apply(fields, calendar);
    RETURN_IF_ERROR(Check(calendar));
    store::Batch batch;
    batch.Replace(Calendars(), seat.calendar, calendar);
    ASSIGN_OR_RETURN(const store::Receipt receipt, ground_.store.Commit(op, std::move(batch)));
    return Found{.record = std::move(calendar), .version = receipt.version};
  });
}

Result<void> CalendarService::Delete(const store::OpContext& op, const Visitor& visitor,
                                     const CalendarId& id, Trashing trashing,
                                     const VersionCheck& check) {
  return store::RetryConflicts([&]() -> Result<void> {
    ASSIGN_OR_RETURN(const Seat seat, EnterToDelete(ground_.store, op, visitor, id, trashing));
    RETURN_IF_ERROR(check(seat.calendar.version));
    if (seat.calendar.record.is_default) {
      return Fail(ErrorCode::kRefusedByState, "the default calendar stays");
    }
    const Instant now = ground_.clock.Now();
    Calendar calendar = seat.calendar.record;
    calendar.deleted_at = now;
    calendar.erase_at = trashing == Trashing::kErase ? now : now + kTrashKept;
    calendar.updated_at = After(now, calendar.updated_at);
    store::Batch batch;
    batch.Replace(Calendars(), seat.calendar, calendar);
    batch.SetAnswer({.status = 200, .body = ""});
    RETURN_IF_ERROR(ground_.store.Commit(op, std::move(batch)));
    return {};
  });
}

Result<CalendarService::Found> CalendarService::Restore(const store::OpContext& op,
                                                        const Visitor& visitor,
                                                        const CalendarId& id) {
  return store::RetryConflicts([&]() -> Result<Found> {
    ASSIGN_OR_RETURN(const Seat seat, EnterTrashed(ground_.store, op, visitor, id));
    Calendar calendar = seat.calendar.record;
    const Instant now = ground_.clock.Now();
    if (calendar.erase_at && *calendar.erase_at <= now) {
      return Fail(ErrorCode::kRefusedByState, "the calendar is being erased");
    }
    calendar.deleted_at.reset();
    calendar.erase_at.reset();
    calendar.updated_at = After(now, calendar.updated_at);
    store::Batch batch;
    batch.Replace(Calendars(), seat.calendar, calendar);
    ASSIGN_OR_RETURN(const store::Receipt receipt, ground_.store.Commit(op, std::move(batch)));
    return Found{.record = std::move(calendar), .version = receipt.version};
  });
}

Result<std::vector<MyCalendar>> CalendarService::Join(
    const store::OpContext& op, const std::vector<store::Stored<Membership>>& members) const {
  std::vector<MyCalendar> mine;
  for (const store::Stored<Membership>& member : members) {
    ASSIGN_OR_RETURN(auto calendar, store::Find(ground_.store, op, Calendars(),
                                                CalendarKey(member.record.calendar_id)));
    if (calendar) {
      mine.push_back({.calendar = *std::move(calendar), .member = member.record});
    }
  }
  return mine;
}

Result<MyCalendars> CalendarService::ListMine(const store::OpContext& op, const Visitor& visitor,
                                              std::size_t limit,
                                              std::optional<std::string> after) const {
  const std::string partition = PartitionOf(visitor.user);
  ASSIGN_OR_RETURN(auto page, store::List<Membership>(ground_.store, op,
                                                      {.table = &kCalendarsByUser,
                                                       .partition = partition,
                                                       .limit = limit,
                                                       .after = std::move(after)}));
  ASSIGN_OR_RETURN(std::vector<MyCalendar> joined, Join(op, page.records));
  std::erase_if(joined,
                [](const MyCalendar& one) { return one.calendar.record.deleted_at.has_value(); });
  return MyCalendars{.calendars = std::move(joined), .resume = std::move(page.resume)};
}

Result<std::vector<MyCalendar>> CalendarService::ListTrash(const store::OpContext& op,
                                                           const Visitor& visitor) const {
  const std::string partition = PartitionOf(visitor.user);
  ASSIGN_OR_RETURN(const auto page, store::List<Membership>(ground_.store, op,
                                                            {.table = &kCalendarsByUser,
                                                             .partition = partition,
                                                             .limit = kCalendarsOfOne}));
  ASSIGN_OR_RETURN(std::vector<MyCalendar> joined, Join(op, page.records));
  std::erase_if(joined, [](const MyCalendar& one) {
    return !one.calendar.record.deleted_at || one.member.role != MemberRole::kOwner;
  });
  return joined;
}

Result<ViewFields> CalendarService::FindView(const store::OpContext& op, const UserId& user,
                                             const CalendarId& id) const {
  ASSIGN_OR_RETURN(const auto found, store::Find(ground_.store, op, Views(), ViewKey(id, user)));
  const ViewSettings view = found ? found->record : ViewSettings{};
  return ViewFields{
      .view_mode = view.view_mode, .show_tasks = view.show_tasks, .entry_style = view.entry_style};
}

Result<ViewSettings> CalendarService::LoadView(const store::OpContext& op, const Visitor& visitor,
                                               const CalendarId& id) const {
  RETURN_IF_ERROR(Enter(ground_.store, op, visitor, id, Need::kRead));
  ASSIGN_OR_RETURN(const auto view,
                   store::Find(ground_.store, op, Views(), ViewKey(id, visitor.user)));
  return view ? view->record : ViewSettings{.calendar_id = id, .user_id = visitor.user};
}

Result<ViewSettings> CalendarService::SaveView(const store::OpContext& op, const Visitor& visitor,
                                               const CalendarId& id, const ViewFields& fields) {
  return store::RetryConflicts([&]() -> Result<ViewSettings> {
    RETURN_IF_ERROR(Enter(ground_.store, op, visitor, id, Need::kRead));
    ASSIGN_OR_RETURN(const auto found,
                     store::Find(ground_.store, op, Views(), ViewKey(id, visitor.user)));
    const Instant now = ground_.clock.Now();
    ViewSettings view =
        found ? found->record
              : ViewSettings{.calendar_id = id, .user_id = visitor.user, .created_at = now};
    view.view_mode = fields.view_mode.value_or(view.view_mode);
    view.show_tasks = fields.show_tasks.value_or(view.show_tasks);
    view.entry_style = fields.entry_style.value_or(view.entry_style);
    view.updated_at = now;
    store::Batch batch;
    if (found) {
      batch.Replace(Views(), *found, view);
    } else {
      batch.Create(Views(), view);
    }
    batch.SetAnswer({.status = 200, .body = store::EncodeRecord(view)});
    RETURN_IF_ERROR(ground_.store.Commit(op, std::move(batch)));
    return view;
  });
}

}  // namespace atrium::calendar
