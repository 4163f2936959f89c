// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "calendar/free_busy.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "almanac/recurrence.h"
#include "almanac/zone.h"
#include "calendar/agenda.h"
#include "calendar/calendars.h"
#include "calendar/keys.h"
#include "store/record.h"
#include "store/store.h"

namespace atrium::calendar {
namespace {

/// Clocks differ by up to 26 hours.
constexpr int kZoneDays = 2;
/// Of all people together.
constexpr std::size_t kTimesMax = 50'000;

std::unexpected<Error> TooMuch() {
  return Fail(ErrorCode::kLimitExceeded, "there is too much in these days: ask for fewer");
}

Result<void> Check(const FreeBusyQuery& query) {
  if (query.users.empty() || query.users.size() > kBusyPeople) {
    return Fail(ErrorCode::kInvalidArgument, "users: 1 to 50 of them");
  }
  if (query.to <= query.from || query.to - query.from > kBusyDays) {
    return Fail(ErrorCode::kInvalidArgument, "to: up to 62 days after from");
  }
  return {};
}

/// Looks at one person after another, with one budget for all of them.
class Finder {
 public:
  Finder(const store::Ground& ground, const store::OpContext& op, const FreeBusyQuery& query)
      : ground_(ground), op_(op), query_(query) {}

  Result<BusyPerson> Find(const Person& person) {
    BusyPerson found{.user = person.id, .email = person.email};
    const Result<almanac::Zone> own = almanac::Zone::Find(person.time_zone);
    const almanac::Zone zone = own ? *own : almanac::Zone::Utc();
    ASSIGN_OR_RETURN(const std::vector<CalendarId> calendars, CalendarsOf(person));
    for (const CalendarId& calendar : calendars) {
      RETURN_IF_ERROR(AddCalendar(calendar, zone, found.busy));
    }
    found.busy = Joined(std::move(found.busy));
    times_ += found.busy.size();
    return found;
  }

 private:
  Result<std::vector<CalendarId>> CalendarsOf(const Person& person) const {
    const std::string partition = PartitionOf(person.id);
    ASSIGN_OR_RETURN(const auto page, store::List<Membership>(ground_.store, op_,
                                                              {.table = &kCalendarsByUser,
                                                               .partition = partition,
                                                               .limit = kCalendarsOfOne}));
    std::vector<CalendarId> calendars;
    for (const store::Stored<Membership>& one : page.records) {
      if (one.record.role != MemberRole::kOwner || one.record.status != MemberStatus::kActive) {
        continue;
      }
      const CalendarId& id = one.record.calendar_id;
      ASSIGN_OR_RETURN(const auto calendar,
                       store::Find(ground_.store, op_, Calendars(), CalendarKey(id)));
      if (calendar && !calendar->record.deleted_at) {
        calendars.push_back(id);
      }
    }
    return calendars;
  }

  Result<void> AddCalendar(const CalendarId& calendar, const almanac::Zone& zone,
                           std::vector<BusyTime>& busy) {
    const AgendaQuery wanted{.calendar = calendar,
                             .days = {.from = zone.In(query_.from).date + -kZoneDays,
                                      .to = zone.In(query_.to).date + kZoneDays}};
    return EachInAgenda(ground_.store, op_, wanted, budget_, [&](const BareOccurrence& one) {
      return AddOccurrence(one.entry, zone, busy);
    });
  }

  Result<void> AddOccurrence(const Entry& occurrence, const almanac::Zone& zone,
                             std::vector<BusyTime>& busy) const {
    if (occurrence.is_task || occurrence.transparent) {
      return {};
    }
    ASSIGN_OR_RETURN(const TimeSpan span, TimeSpanOf(occurrence, zone));
    const BusyTime time{.start = std::max(span.start, query_.from),
                        .end = std::min(span.end, query_.to)};
    if (time.start < time.end) {
      busy.push_back(time);
    }
    return times_ + busy.size() <= kTimesMax ? Result<void>() : Condense(busy);
  }

  /// Half of the room must be left then, or it would be done again and again.
  Result<void> Condense(std::vector<BusyTime>& busy) const {
    busy = Joined(std::move(busy));
    return times_ + busy.size() <= kTimesMax / 2 ? Result<void>() : TooMuch();
  }

  const store::Ground& ground_;
  const store::OpContext& op_;
  const FreeBusyQuery& query_;
  almanac::ExpansionBudget budget_ = BudgetForAgenda();
  /// Of those who were looked at.
  std::size_t times_ = 0;
};

Result<std::optional<Person>> FindPerson(const People& people, const store::OpContext& op,
                                         std::string_view named) {
  if (const Result<UserId> id = UserId::Parse(named)) {
    return people.Find(op, *id);
  }
  const Result<std::string> email = people.ReadEmail(named);
  return email ? people.FindByEmail(op, *email) : std::nullopt;
}

}  // namespace

std::vector<BusyTime> Joined(std::vector<BusyTime> times) {
  std::ranges::sort(times, {}, &BusyTime::start);
  std::vector<BusyTime> joined;
  for (const BusyTime& time : times) {
    if (!joined.empty() && time.start <= joined.back().end) {
      joined.back().end = std::max(joined.back().end, time.end);
    } else {
      joined.push_back(time);
    }
  }
  return joined;
}

Result<FreeBusy> FindFreeBusy(const store::Ground& ground, const People& people,
                              const store::OpContext& op, const Visitor& visitor,
                              const FreeBusyQuery& query) {
  RETURN_IF_ERROR(Check(query));
  FreeBusy found;
  Finder finder(ground, op, query);
  for (const std::string& named : query.users) {
    ASSIGN_OR_RETURN(const std::optional<Person> person, FindPerson(people, op, named));
    if (!person || person->org != visitor.org) {
      found.unknown.push_back(named);
      continue;
    }
    ASSIGN_OR_RETURN(BusyPerson one, finder.Find(*person));
    found.people.push_back(std::move(one));
  }
  return found;
}

}  // namespace atrium::calendar
