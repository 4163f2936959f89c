// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "api/route_parts.h"
#include "files/room.h"
#include "files/routes.h"
#include "http/reply.h"

namespace atrium::files {

void AddSyncHeadRoutes(api::Api& api, Room& /*room*/, const http::AccessRule& anyone) {
  api.Add(
      api::RouteOf(http::Method::kGet, "/seafhttp/protocol-version", anyone,
                   "Which sync protocol is spoken"),
      [](const api::Call&) -> Result<http::Reply> { return http::JsonReply(R"({"version": 2})"); });
}

}  // namespace atrium::files
