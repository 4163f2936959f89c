// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/room.h"

#include "files/routes.h"

namespace atrium::files {

Room::Room(const Surroundings& surroundings)
    : ground(surroundings.ground),
      people(surroundings.people),
      blobs(surroundings.blobs),
      key(surroundings.key),
      content(ground.store, blobs),
      heads(ground, content, people),
      libraries(ground, heads, people),
      tokens(ground, people, key),
      unlocked(ground, heads),
      changes(ground, heads),
      folders(ground.store, content),
      links(ground.clock, people, key),
      partial_uploads(surroundings.uploads, ground.clock),
      sync_access(tokens) {}

void Room::AddRoutes(api::Api& api, const api::AccessRules& rules) {
  const http::AccessRule& member = rules.Member(api::Area::kFiles);
  AddLibraryRoutes(api, *this, member);
  AddFolderRoutes(api, *this, member);
  AddFileRoutes(api, *this, member);
  AddBatchRoutes(api, *this, member);
  AddLinkRoutes(api, *this, member);
  AddTransferRoutes(api, *this, rules.Public());
  AddSyncHeadRoutes(api, *this, rules.Public());
  AddSyncObjectRoutes(api, *this);
  AddSyncBlockRoutes(api, *this);
  AddClientRoutes(api, *this, {.member = member, .everybody = rules.Public()});
}

}  // namespace atrium::files
