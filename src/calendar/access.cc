// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "calendar/access.h"

#include <cstdlib>
#include <string>
#include <utility>

#include "calendar/keys.h"

namespace atrium::calendar {
namespace {

std::unexpected<Error> NoSuchCalendar() {
  return Fail(ErrorCode::kNotFound, "there is no such calendar");
}

MemberRole RoleFor(Need need) {
  switch (need) {
    case Need::kRead:
      return MemberRole::kReader;
    case Need::kWriteEntries:
    case Need::kDescribe:
      return MemberRole::kWriter;
    case Need::kOwn:
      return MemberRole::kOwner;
  }
  std::abort();  // Unreachable: -Wswitch keeps the list above complete.
}

Result<void> CheckRole(const Seat& seat, Need need) {
  if (seat.member.record.role < RoleFor(need)) {
    return Fail(ErrorCode::kPermissionDenied, RoleFor(need) == MemberRole::kOwner
                                                  ? "this needs an owner of the calendar"
                                                  : "this needs a writer of the calendar");
  }
  if (need == Need::kWriteEntries && seat.calendar.record.source == CalendarSource::kFeed) {
    return Fail(ErrorCode::kPermissionDenied, "the entries of this calendar come from a feed");
  }
  return {};
}

Result<Seat> FindSeat(store::Store& store, const store::OpContext& op, const Visitor& visitor,
                      const CalendarId& calendar) {
  ASSIGN_OR_RETURN(auto member,
                   store::Find(store, op, Members(), MemberKey(calendar, visitor.user)));
  if (!member || member->record.status != MemberStatus::kActive) {
    return NoSuchCalendar();
  }
  ASSIGN_OR_RETURN(auto found, store::Find(store, op, Calendars(), CalendarKey(calendar)));
  if (!found || found->record.org != visitor.org) {
    return NoSuchCalendar();
  }
  return Seat{.calendar = *std::move(found), .member = *std::move(member)};
}

}  // namespace

Result<Seat> Enter(store::Store& store, const store::OpContext& op, const Visitor& visitor,
                   const CalendarId& calendar, Need need) {
  ASSIGN_OR_RETURN(Seat seat, FindSeat(store, op, visitor, calendar));
  if (seat.calendar.record.deleted_at) {
    return NoSuchCalendar();
  }
  RETURN_IF_ERROR(CheckRole(seat, need));
  return seat;
}

Result<Seat> EnterTrashed(store::Store& store, const store::OpContext& op, const Visitor& visitor,
                          const CalendarId& calendar) {
  ASSIGN_OR_RETURN(Seat seat, FindSeat(store, op, visitor, calendar));
  if (!seat.calendar.record.deleted_at) {
    return Fail(ErrorCode::kRefusedByState, "the calendar is not in the trash");
  }
  RETURN_IF_ERROR(CheckRole(seat, Need::kOwn));
  return seat;
}

ReadersSeats::ReadersSeats(const store::Ground& ground)
    : store_(ground.store), seats_(ground.store, ground.clock, {&kCalendarTable, &kMemberTable}) {}

Result<std::shared_ptr<const Seat>> ReadersSeats::Enter(const store::OpContext& op,
                                                        const Visitor& visitor,
                                                        const CalendarId& calendar) {
  std::string name;
  for (const Uuid& part : {calendar.value(), visitor.user.value(), visitor.org.value()}) {
    name.append(AsChars(part.bytes));
  }
  return seats_.Get(name, [&]() -> Result<store::Conclusions<Seat>::Conclusion> {
    ASSIGN_OR_RETURN(Seat seat, calendar::Enter(store_, op, visitor, calendar, Need::kRead));
    return store::Conclusions<Seat>::Conclusion{.value =
                                                    std::make_shared<const Seat>(std::move(seat))};
  });
}

}  // namespace atrium::calendar
