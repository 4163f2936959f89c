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

/// How clients hear of changes at once. `anyone`: tokens say who hears of what.
void AddPushRoutes(api::Api& api, Room& room, const http::AccessRule& anyone);

// What people do through the web and with clients that do not sync.

void AddLibraryRoutes(api::Api& api, Room& room, const http::AccessRule& member);
void AddFolderRoutes(api::Api& api, Room& room, const http::AccessRule& member);
void AddFileRoutes(api::Api& api, Room& room, const http::AccessRule& member);
/// Several entries at once.
void AddBatchRoutes(api::Api& api, Room& room, const http::AccessRule& member);
/// Links by which files go in and out.
void AddLinkRoutes(api::Api& api, Room& room, const http::AccessRule& member);
/// Files that have arrived in part.
void AddUploadRoutes(api::Api& api, Room& room, const http::AccessRule& member);
// What libraries were before.

/// States, versions of files, folders as they were.
void AddHistoryRoutes(api::Api& api, Room& room, const http::AccessRule& member);
/// What was deleted, and bringing back.
void AddRevertRoutes(api::Api& api, Room& room, const http::AccessRule& member);

void AddSearchRoutes(api::Api& api, Room& room, const http::AccessRule& member);
/// Copies and moves that take long, also between libraries.
void AddTaskRoutes(api::Api& api, Room& room, const http::AccessRule& member);
/// Of encrypted libraries.
void AddPasswordRoutes(api::Api& api, Room& room, const http::AccessRule& member);

/// What those links lead to. `anyone`: the link says who follows it.
void AddTransferRoutes(api::Api& api, Room& room, const http::AccessRule& anyone);

}  // namespace atrium::files
