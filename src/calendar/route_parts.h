// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "api/api.h"
#include "api/route_parts.h"
#include "base/result.h"
#include "calendar/access.h"
#include "calendar/entries.h"
#include "calendar/records.h"
#include "calendar/room.h"
#include "http/reply.h"

namespace atrium::calendar {

// What the routes of the room share.

/// On whose behalf a request is: the caller's, or, for the operator alone, the one's that `?user=`
/// names by address or id. The time zone is not looked up for a caller.
Result<Visitor> VisitorOf(Room& room, const api::Call& call);
/// The same with their time zone, for what is written down.
Result<Visitor> WriterOf(Room& room, const api::Call& call);

/// What `If-Match` demands.
VersionCheck CheckOf(const api::Call& call);

/// How many calendars one question may be about.
inline constexpr std::size_t kCalendarsAtOnce = 20;

/// `?calendar_id=A,B`: at least one, at most `most`.
Result<std::vector<CalendarId>> ReadCalendarIds(std::string_view text, std::size_t most);

/// The document of an entry with its ETag.
http::Reply EntryReply(const store::Stored<Entry>& entry, int status = 200);

/// 200 without a body, as clients of calendsync expect it of a deletion.
http::Reply DoneReply();

}  // namespace atrium::calendar
