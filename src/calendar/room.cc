// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "calendar/room.h"

#include <chrono>
#include <string>

#include "calendar/routes.h"
#include "calendar/work_names.h"

namespace atrium::calendar {
namespace {

/// What a job counts is in its report.
template <typename Count>
Result<void> Forget(const Result<Count>& count) {
  return count ? Result<void>() : std::unexpected(count.error());
}

}  // namespace

Room::Room(const Surroundings& surroundings)
    : ground(surroundings.ground),
      people(surroundings.people),
      calendars(ground, people),
      members(ground, people, surroundings.invitations),
      readers(ground),
      entries(ground, readers),
      memory(ground),
      agendas(ground),
      eraser(ground, people),
      feeds(ground, people),
      subscriptions(ground, calendars, surroundings.sender, surroundings.memory) {}

void Room::AddRoutes(api::Api& api, const api::AccessRules& rules) {
  const http::AccessRule& rule = rules.Member(api::Area::kCalendars);
  AddCalendarRoutes(api, *this, rule);
  AddMemberRoutes(api, *this, rule);
  AddEntryRoutes(api, *this, rule);
  AddAgendaRoutes(api, *this, rule);
  AddListRoutes(api, *this, rule);
  AddMemoryRoutes(api, *this, rule);
  AddEventRoutes(api, *this, rule);
  AddIcalRoutes(api, *this, rule);
  AddFeedRoutes(api, *this, {.member = rule, .anyone = rules.Public()});
}

std::vector<jobs::JobSpec> Room::Jobs() {
  using std::chrono::hours;
  using std::chrono::minutes;
  return {
      {.name = std::string(kEraseJob),
       .schedule = jobs::Every{.period = minutes(1)},
       .erases_by_age = true,
       .run = [this](jobs::JobContext& context) { return Forget(eraser.EraseDue(context)); }},
      {.name = std::string(kPurgeTrashJob),
       .schedule = jobs::Every{.period = hours(6)},
       .erases_by_age = true,
       .run = [this](jobs::JobContext& context) { return Forget(memory.Purge(context)); }},
      {.name = std::string(kReleaseTheGoneJob),
       .schedule = jobs::Every{.period = hours(6)},
       .run = [this](jobs::JobContext& context) { return Forget(eraser.ReleaseTheGone(context)); }},
      {.name = std::string(kSubscriptionsJob),
       .schedule = jobs::Every{.period = minutes(1)},
       .run = [this](jobs::JobContext& context) {
         return Forget(subscriptions.RefreshDue(context));
       }}};
}

}  // namespace atrium::calendar
