// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/room.h"

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>

#include "files/routes.h"

namespace atrium::files {

Room::Room(const Surroundings& surroundings)
    : ground(surroundings.ground),
      people(surroundings.people),
      blobs(surroundings.blobs),
      key(surroundings.key),
      partial_uploads(surroundings.uploads, ground.clock),
      loose(ground.store, people,
            [this](const UserId& user) -> Result<std::int64_t> {
              return partial_uploads.BytesOf(user);
            }),
      content(ground.store, blobs, &loose),
      heads(ground, content, people, surroundings.head_queue),
      libraries(ground, heads, people),
      tokens(ground, people, key),
      unlocked(ground, heads),
      changes(ground, heads),
      folders(ground.store, content),
      links(ground.clock, people, key),
      history(ground, content),
      reverts(ground, content, heads),
      trash(ground, content, people),
      search(ground, content, libraries),
      transfers(
          {.ground = ground, .content = content, .blobs = blobs, .heads = heads, .people = people}),
      push_tokens(ground.clock, key),
      collector({.ground = ground,
                 .blobs = blobs,
                 .content = content,
                 .heads = heads,
                 .people = people,
                 .uploads = partial_uploads}),
      verifier({.ground = ground, .blobs = blobs, .content = content, .people = people}),
      sync_access(tokens) {}

void Room::AddRoutes(api::Api& api, const api::AccessRules& rules) {
  const http::AccessRule& member = rules.Member(api::Area::kFiles);
  AddLibraryRoutes(api, *this, member);
  AddFolderRoutes(api, *this, member);
  AddFileRoutes(api, *this, member);
  AddBatchRoutes(api, *this, member);
  AddLinkRoutes(api, *this, member);
  AddTransferRoutes(api, *this, rules.Public());
  AddUploadRoutes(api, *this, member);
  AddHistoryRoutes(api, *this, member);
  AddRevertRoutes(api, *this, member);
  AddSearchRoutes(api, *this, member);
  AddTaskRoutes(api, *this, member);
  AddPasswordRoutes(api, *this, member);
  AddSyncHeadRoutes(api, *this, rules.Public());
  AddSyncObjectRoutes(api, *this);
  AddSyncBlockRoutes(api, *this);
  AddClientRoutes(api, *this, {.member = member, .everybody = rules.Public()});
  AddPushRoutes(api, *this, rules.Public());
}

std::vector<jobs::JobSpec> Room::Jobs() {
  return {
      {.name = "files.collect-garbage",
       .schedule = jobs::DailyAt{std::chrono::hours(3)},
       .erases_by_age = true,
       .run = [this](jobs::JobContext& context) -> Result<void> {
         const WorkSigns signs{.stop = context.StopToken(), .progress = [&](std::string words) {
                                 context.Report(std::move(words));
                               }};
         RETURN_IF_ERROR(collector.Collect({}, signs));
         return {};
       }},
      {.name = "files.resume-transfers",
       .schedule = jobs::Every{.period = std::chrono::minutes(1)},
       .run = [this](jobs::JobContext& context) { return transfers.Resume(context.StopToken()); }},
      {.name = "files.sweep-uploads",
       .schedule = jobs::Every{.period = std::chrono::hours(1)},
       .erases_by_age = true,
       .run = [this](jobs::JobContext& /*context*/) -> Result<void> {
         RETURN_IF_ERROR(partial_uploads.Sweep());
         return loose.SettleAll(store::OpContext::ForWork("files.sweep-uploads"));
       }}};
}

}  // namespace atrium::files
