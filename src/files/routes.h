// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/api.h"
#include "http/route.h"

namespace atrium::files {

class Room;

// docs/api/files.md. The room outlives the routes.

// What clients that sync ask for, below /seafhttp. `everybody`: before a client has a token.

/// Heads, commits, permissions, quota.
void AddSyncHeadRoutes(api::Api& api, Room& room, const http::AccessRule& everybody);
/// Directory and file objects.
void AddSyncObjectRoutes(api::Api& api, Room& room);
/// The bytes of files.
void AddSyncBlockRoutes(api::Api& api, Room& room);

struct ClientRules {
  const http::AccessRule& member;
  const http::AccessRule& everybody;
};
/// What clients ask before they sync: the server, the account, the libraries there are.
void AddClientRoutes(api::Api& api, Room& room, const ClientRules& rules);

}  // namespace atrium::files
