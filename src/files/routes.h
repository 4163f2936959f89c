// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/api.h"
#include "http/route.h"

namespace atrium::files {

class Room;

// docs/api/files.md. The room outlives the routes.

// What clients that sync ask for, below /seafhttp. `anyone`: before a client has a token.

/// Heads, commits, permissions, quota.
void AddSyncHeadRoutes(api::Api& api, Room& room, const http::AccessRule& anyone);

}  // namespace atrium::files
