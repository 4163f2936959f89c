// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "calendar/route_parts.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "api/caller.h"
#include "store/record.h"

namespace atrium::calendar {
namespace {

Visitor VisitorFor(const Person& person) {
  return {
      .org = person.org, .user = person.id, .label = person.email, .time_zone = person.time_zone};
}

Result<Person> PersonNamed(Room& room, const api::Call& call) {
  ASSIGN_OR_RETURN(const http::Form query, call.request.Query());
  const auto named = query.Find("user");
  if (!named) {
    return Fail(ErrorCode::kInvalidArgument, "user: say whose calendars this is about");
  }
  std::optional<Person> person;
  if (const Result<UserId> id = UserId::Parse(*named)) {
    ASSIGN_OR_RETURN(person, room.people.Find(call.op, *id));
  } else {
    ASSIGN_OR_RETURN(const std::string email, room.people.ReadEmail(*named));
    ASSIGN_OR_RETURN(person, room.people.FindByEmail(call.op, email));
  }
  if (!person) {
    return Fail(ErrorCode::kNotFound, "user: there is nobody of that name");
  }
  return *std::move(person);
}

}  // namespace

Result<Visitor> VisitorOf(Room& room, const api::Call& call) {
  const api::Caller& caller = api::CallerOf(call.request);
  if (caller.user) {
    return Visitor{.org = caller.org, .user = *caller.user, .label = caller.email};
  }
  ASSIGN_OR_RETURN(const Person person, PersonNamed(room, call));
  return VisitorFor(person);
}

Result<Visitor> WriterOf(Room& room, const api::Call& call) {
  ASSIGN_OR_RETURN(Visitor visitor, VisitorOf(room, call));
  ASSIGN_OR_RETURN(const auto person, room.people.Find(call.op, visitor.user));
  if (person) {
    visitor.time_zone = person->time_zone;
  }
  return visitor;
}

VersionCheck CheckOf(const api::Call& call) {
  return [&call](store::Version version) { return api::CheckIfMatch(call.request, version); };
}

Result<std::vector<CalendarId>> ReadCalendarIds(std::string_view text, std::size_t most) {
  std::vector<CalendarId> ids;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const Result<CalendarId> id = CalendarId::Parse(text.substr(0, comma));
    if (!id) {
      return Fail(ErrorCode::kInvalidArgument, "calendar_id: not an id");
    }
    if (std::ranges::find(ids, *id) == ids.end()) {
      ids.push_back(*id);
    }
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  if (ids.empty() || ids.size() > most) {
    return Fail(ErrorCode::kInvalidArgument,
                "calendar_id: 1 to " + std::to_string(most) + " of them");
  }
  return ids;
}

http::Reply EntryReply(const store::Stored<Entry>& entry, int status) {
  return api::Tagged(store::EncodeRecord(entry.record, entry.unknown), entry.version, status);
}

http::Reply DoneReply() {
  return {.status = 200, .content_type = "text/plain; charset=utf-8"};
}

}  // namespace atrium::calendar
