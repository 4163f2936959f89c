// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/json_write.h"
#include "calendar/copier.h"
#include "calendar/route_parts.h"
#include "calendar/routes.h"
#include "http/content_type.h"
#include "http/json_body.h"
#include "store/once_only.h"

namespace atrium::calendar {
namespace {

using api::Call;
using api::RouteOf;
using http::Method;
using http::Reply;

/// A calendar as a list shows it: with the caller's part in it.
struct CalendarView : Calendar {
  MemberRole role = MemberRole::kReader;
  MemberStatus status = MemberStatus::kActive;
  ViewFields settings{};
  std::uint64_t version = 0;
};
BOOST_DESCRIBE_STRUCT(CalendarView, (Calendar), (role, status, settings, version))

Result<CalendarView> ViewOf(Room& room, const Call& call, const Visitor& visitor,
                            const MyCalendar& mine) {
  CalendarView view;
  ASSIGN_OR_RETURN(view.settings,
                   room.calendars.FindView(call.op, visitor.user, mine.calendar.record.id));
  static_cast<Calendar&>(view) = mine.calendar.record;
  view.role = mine.member.role;
  view.status = mine.member.status;
  view.version = mine.calendar.version.number;
  return view;
}

struct CalendarList {
  std::vector<CalendarView> calendars{};
  std::optional<std::string> after{};
};
BOOST_DESCRIBE_STRUCT(CalendarList, (), (calendars, after))

struct CopyBody {
  std::optional<std::string> name{};
};
BOOST_DESCRIBE_STRUCT(CopyBody, (), (name))

Reply CalendarReply(const store::Stored<Calendar>& calendar, int status = 200) {
  return api::Tagged(store::EncodeRecord(calendar.record, calendar.unknown), calendar.version,
                     status);
}

void ReadText(const http::Form& form, std::string_view name, std::optional<std::string>& out) {
  if (const auto text = form.Find(name)) {
    out = std::string(*text);
  }
}

Result<CalendarFields> ReadCalendarFields(const http::Request& request) {
  const Result<http::ContentType> type =
      http::ParseContentType(request.headers.Get("Content-Type"));
  if (type && type->Is("application/json")) {
    return http::JsonBody<CalendarFields>(request);
  }
  ASSIGN_OR_RETURN(const http::Form form, request.FormBody());
  CalendarFields fields;
  ReadText(form, "name", fields.name);
  ReadText(form, "color", fields.color);
  ReadText(form, "description", fields.description);
  return fields;
}

Result<Reply> List(Room& room, const Call& call) {
  ASSIGN_OR_RETURN(const Visitor visitor, VisitorOf(room, call));
  ASSIGN_OR_RETURN(const api::PageQuery page, api::ReadPageQuery(call.request));
  RETURN_IF_ERROR(room.calendars.EnsureDefault(store::Unnamed(call.op), visitor));
  ASSIGN_OR_RETURN(const MyCalendars mine,
                   room.calendars.ListMine(call.op, visitor, page.limit, page.after));
  CalendarList list;
  for (const MyCalendar& one : mine.calendars) {
    ASSIGN_OR_RETURN(CalendarView view, ViewOf(room, call, visitor, one));
    list.calendars.push_back(std::move(view));
  }
  if (mine.resume) {
    list.after = api::RenderAfter(*mine.resume);
  }
  return http::JsonReply(ToJson(list));
}

Result<Reply> ListActive(Room& room, const Call& call) {
  ASSIGN_OR_RETURN(const Visitor visitor, VisitorOf(room, call));
  RETURN_IF_ERROR(room.calendars.EnsureDefault(store::Unnamed(call.op), visitor));
  ASSIGN_OR_RETURN(const MyCalendars mine,
                   room.calendars.ListMine(call.op, visitor, kCalendarsOfOne, std::nullopt));
  std::vector<CalendarView> views;
  for (const MyCalendar& one : mine.calendars) {
    if (one.member.status == MemberStatus::kActive) {
      ASSIGN_OR_RETURN(CalendarView view, ViewOf(room, call, visitor, one));
      views.push_back(std::move(view));
    }
  }
  return http::JsonReply(ToJson(views));
}

Result<Reply> ListTrash(Room& room, const Call& call) {
  ASSIGN_OR_RETURN(const Visitor visitor, VisitorOf(room, call));
  ASSIGN_OR_RETURN(const auto mine, room.calendars.ListTrash(call.op, visitor));
  CalendarList list;
  for (const MyCalendar& one : mine) {
    ASSIGN_OR_RETURN(CalendarView view, ViewOf(room, call, visitor, one));
    list.calendars.push_back(std::move(view));
  }
  return http::JsonReply(ToJson(list));
}

Result<Reply> Create(Room& room, const Call& call) {
  ASSIGN_OR_RETURN(const CalendarFields fields, ReadCalendarFields(call.request));
  if (!fields.name) {
    return Fail(ErrorCode::kInvalidArgument, "name: required");
  }
  ASSIGN_OR_RETURN(const Visitor visitor, VisitorOf(room, call));
  ASSIGN_OR_RETURN(const auto calendar, room.calendars.Create(call.op, visitor, fields));
  return CalendarReply(calendar, 201);
}

Result<Reply> Show(Room& room, const Call& call, const CalendarId& id) {
  ASSIGN_OR_RETURN(const Visitor visitor, VisitorOf(room, call));
  ASSIGN_OR_RETURN(const Seat seat, Enter(room.ground.store, call.op, visitor, id, Need::kRead));
  return CalendarReply(seat.calendar);
}

Result<Reply> Update(Room& room, const Call& call, const CalendarId& id) {
  ASSIGN_OR_RETURN(const CalendarFields fields, ReadCalendarFields(call.request));
  ASSIGN_OR_RETURN(const Visitor visitor, VisitorOf(room, call));
  ASSIGN_OR_RETURN(const auto calendar,
                   room.calendars.Update(call.op, visitor, id, fields, CheckOf(call)));
  return CalendarReply(calendar);
}

Result<Reply> Delete(Room& room, const Call& call, const CalendarId& id) {
  ASSIGN_OR_RETURN(const http::Form query, call.request.Query());
  const bool permanent = query.Find("permanent") == "true";
  ASSIGN_OR_RETURN(const Visitor visitor, VisitorOf(room, call));
  RETURN_IF_ERROR(room.calendars.Delete(
      call.op, visitor, id, permanent ? Trashing::kErase : Trashing::kKeep, CheckOf(call)));
  return DoneReply();
}

Result<Reply> Restore(Room& room, const Call& call, const CalendarId& id) {
  ASSIGN_OR_RETURN(const Visitor visitor, VisitorOf(room, call));
  ASSIGN_OR_RETURN(const auto calendar, room.calendars.Restore(call.op, visitor, id));
  return CalendarReply(calendar);
}

Result<Reply> Copy(Room& room, const Call& call, const CalendarId& id) {
  CopyBody body;
  if (!call.request.body.empty()) {
    ASSIGN_OR_RETURN(body, http::JsonBody<CopyBody>(call.request));
  }
  ASSIGN_OR_RETURN(const Visitor visitor, VisitorOf(room, call));
  ASSIGN_OR_RETURN(const auto copy, CopyCalendar(room, call.op, visitor, id, body.name));
  return CalendarReply(copy, 201);
}

Result<Reply> ShowView(Room& room, const Call& call, const CalendarId& id) {
  ASSIGN_OR_RETURN(const Visitor visitor, VisitorOf(room, call));
  ASSIGN_OR_RETURN(const ViewSettings view, room.calendars.LoadView(call.op, visitor, id));
  return http::JsonReply(ToJson(view));
}

Result<Reply> SaveView(Room& room, const Call& call, const CalendarId& id) {
  ASSIGN_OR_RETURN(const ViewFields fields, http::JsonBody<ViewFields>(call.request));
  ASSIGN_OR_RETURN(const Visitor visitor, VisitorOf(room, call));
  ASSIGN_OR_RETURN(const ViewSettings view, room.calendars.SaveView(call.op, visitor, id, fields));
  return http::JsonReply(ToJson(view));
}

}  // namespace

void AddCalendarRoutes(api::Api& api, Room& room, const http::AccessRule& member) {
  api.Add(api::ListRoute("/api/calendars", member, "One's calendars, page by page"),
          [&room](const Call& call) { return List(room, call); });
  api.Add(api::ListRoute("/api/calendars/me", member, "One's calendars as an array"),
          [&room](const Call& call) { return ListActive(room, call); });
  api.Add(api::ListRoute("/api/calendars/trash", member, "Calendars that can be restored"),
          [&room](const Call& call) { return ListTrash(room, call); });
  api.Add(RouteOf(Method::kPost, "/api/calendars", member, "Make a calendar"),
          [&room](const Call& call) { return Create(room, call); });
  const std::string one = "/api/calendars/{calendar}";
  api.Add(RouteOf(Method::kGet, one, member, "A calendar"),
          [&room](const Call& call, const CalendarId& id) { return Show(room, call, id); });
  api.Add(RouteOf(Method::kPut, one, member, "Change name, colour, description"),
          [&room](const Call& call, const CalendarId& id) { return Update(room, call, id); });
  api.Add(RouteOf(Method::kDelete, one, member, "Put a calendar into the trash"),
          [&room](const Call& call, const CalendarId& id) { return Delete(room, call, id); });
  api.Add(RouteOf(Method::kPost, one + "/restore", member, "Take it out of the trash"),
          [&room](const Call& call, const CalendarId& id) { return Restore(room, call, id); });
  http::Route copy = RouteOf(Method::kPost, one + "/copy", member, "A calendar like it");
  copy.rate = http::RateClass::kCostly;
  api.Add(std::move(copy),
          [&room](const Call& call, const CalendarId& id) { return Copy(room, call, id); });
  api.Add(RouteOf(Method::kGet, one + "/settings", member, "How one sees it"),
          [&room](const Call& call, const CalendarId& id) { return ShowView(room, call, id); });
  api.Add(RouteOf(Method::kPut, one + "/settings", member, "Change how one sees it"),
          [&room](const Call& call, const CalendarId& id) { return SaveView(room, call, id); });
}

}  // namespace atrium::calendar
