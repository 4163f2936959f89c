// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/api.h"
#include "http/route.h"

namespace atrium::calendar {

class Room;

// docs/api/calendar.md. The room outlives the routes.

void AddCalendarRoutes(api::Api& api, Room& room, const http::AccessRule& member);
void AddMemberRoutes(api::Api& api, Room& room, const http::AccessRule& member);
void AddEntryRoutes(api::Api& api, Room& room, const http::AccessRule& member);
void AddAgendaRoutes(api::Api& api, Room& room, const http::AccessRule& member);
void AddListRoutes(api::Api& api, Room& room, const http::AccessRule& member);
void AddMemoryRoutes(api::Api& api, Room& room, const http::AccessRule& member);
void AddEventRoutes(api::Api& api, Room& room, const http::AccessRule& member);
void AddIcalRoutes(api::Api& api, Room& room, const http::AccessRule& member);

struct FeedRules {
  const http::AccessRule& member;
  /// Who knows the secret address of a feed need not say who they are.
  const http::AccessRule& anyone;
};
void AddFeedRoutes(api::Api& api, Room& room, const FeedRules& rules);

}  // namespace atrium::calendar
