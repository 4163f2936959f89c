// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "calendar/event_feed.h"
#include "calendar/event_tail.h"
#include "calendar/route_parts.h"
#include "calendar/routes.h"

namespace atrium::calendar {
namespace {

using api::Call;
using http::Reply;

/// `Last-Event-ID`, or, as pages without headers say it, `last_event_id`.
std::optional<std::string> LastEventIdOf(const Call& call, const http::Form& query) {
  if (const auto header = call.request.headers.Find("Last-Event-ID"); header && !header->empty()) {
    return std::string(*header);
  }
  const auto parameter = query.Find("last_event_id");
  return parameter && !parameter->empty() ? std::optional<std::string>(*parameter) : std::nullopt;
}

Result<Reply> FollowEvents(Room& room, const std::shared_ptr<EventTails>& tails, const Call& call) {
  ASSIGN_OR_RETURN(const http::Form query, call.request.Query());
  ASSIGN_OR_RETURN(const Visitor visitor, VisitorOf(room, call));
  EventRequest request{.user = visitor.user, .last_event_id = LastEventIdOf(call, query)};
  Reply reply{.content_type = "text/event-stream"};
  const auto named = query.Find("calendar_id");
  if (!named || named->empty()) {
    reply.body = FollowAllCalendars(tails, std::move(request));
    return reply;
  }
  ASSIGN_OR_RETURN(const auto calendars, ReadCalendarIds(*named, 1));
  RETURN_IF_ERROR(Enter(room.ground.store, call.op, visitor, calendars.front(), Need::kRead));
  reply.body = FollowCalendar(tails, std::move(request), calendars.front());
  return reply;
}

}  // namespace

void AddEventRoutes(api::Api& api, Room& room, const http::AccessRule& member) {
  http::Route route =
      api::RouteOf(http::Method::kGet, "/api/events", member, "What changes in calendars, at once");
  route.gives = http::Gives::kStream;
  api.Add(std::move(route), [&room, tails = std::make_shared<EventTails>(room.ground)](
                                const Call& call) { return FollowEvents(room, tails, call); });
}

}  // namespace atrium::calendar
