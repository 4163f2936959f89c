// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "calendar/event_tail.h"
#include "calendar/records.h"
#include "http/body.h"

namespace atrium::calendar {

/// Who listens, and what they have heard.
struct EventRequest {
  UserId user{};
  /// The id of the last event; nullopt: only what comes from now on.
  std::optional<std::string> last_event_id{};
};

// Both streams are woken by commits: nobody polls, and no thread is kept. Within a calendar every
// change is told once, in the order of the commits, also to listeners who come again with the last
// id they have heard, after a restart too. Who cannot go on from there is told `refresh_required`
// and goes on from the newest change. A stream without a last id begins with an id alone, which is
// no event: it says from where to go on when the stream breaks off before the first one.

/// Follows one calendar, which the user is a member of; ends when they are not any more. `tails` is
/// shared by all streams.
std::unique_ptr<http::EventSource> FollowCalendar(std::shared_ptr<EventTails> tails,
                                                  EventRequest request, const CalendarId& calendar);

/// Follows all calendars in which the user is active, and how that changes: what they join while
/// they listen is followed from then on, and what they leave is not.
std::unique_ptr<http::EventSource> FollowAllCalendars(std::shared_ptr<EventTails> tails,
                                                      EventRequest request);

}  // namespace atrium::calendar
