// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "api/access.h"
#include "api/api.h"
#include "base/memory_budget.h"
#include "calendar/calendars.h"
#include "calendar/entries.h"
#include "calendar/entry_memory.h"
#include "calendar/eraser.h"
#include "calendar/feeds.h"
#include "calendar/invitation_desk.h"
#include "calendar/kept_agendas.h"
#include "calendar/members.h"
#include "calendar/people.h"
#include "calendar/subscriptions.h"
#include "egress/http_sender.h"
#include "jobs/job.h"
#include "store/ground.h"

namespace atrium::calendar {

/// What the room is given. All of it outlives the room.
struct Surroundings {
  store::Ground ground;
  const People& people;
  const InvitationDesk& invitations;
  /// By which feeds of other servers are asked for.
  egress::HttpSender& sender;
  /// For what these say, the same that requests have for their bodies.
  MemoryBudget& memory;
};

/// The room: calendars that people share. Its parts, put together once.
class Room {
 public:
  explicit Room(const Surroundings& surroundings);
  Room(const Room&) = delete;
  Room& operator=(const Room&) = delete;

  void AddRoutes(api::Api& api, const api::AccessRules& rules);
  std::vector<jobs::JobSpec> Jobs();

  const store::Ground ground;
  const People& people;
  CalendarService calendars;
  MemberService members;
  ReadersSeats readers;
  EntryService entries;
  EntryMemory memory;
  KeptAgendas agendas;
  Eraser eraser;
  FeedService feeds;
  SubscriptionService subscriptions;
};

}  // namespace atrium::calendar
