// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <string>

#include "files/push_session.h"
#include "files/room.h"
#include "files/route_parts.h"
#include "files/routes.h"
#include "files/sync_parts.h"
#include "http/reply.h"
#include "http/socket.h"

namespace atrium::files {

void AddPushRoutes(api::Api& api, Room& room, const http::AccessRule& anyone) {
  api.Add({.method = http::Method::kGet,
           .path = "/notification/ping",
           .access = anyone,
           .work = http::Work::kQuick,
           .summary = "Whether changes of libraries are told"},
          [](const api::Call&) -> Result<http::Reply> {
            return http::JsonReply(R"({"ret": "pong"})");
          });
  api.Add(Deriving(SyncRoute(room, http::Method::kGet, "jwt-token",
                             "A token to hear of the changes of a library")),
          [&room](const api::Call& call, const LibraryId& library) -> Result<http::Reply> {
            ASSIGN_OR_RETURN(const SyncCaller* caller, ReaderOf(call.request));
            ASSIGN_OR_RETURN(const std::string token,
                             room.push_tokens.Issue(caller->person, library));
            return http::JsonReply(R"({"jwt_token": ")" + token + R"("})");
          });
  // Anybody may open it; what is told is decided by the tokens that follow.
  api.AddSocket({.method = http::Method::kGet,
                 .path = "/notification",
                 .access = anyone,
                 .work = http::Work::kBlocking,
                 .summary = "Tells of the changes of libraries",
                 .body_bytes_max = kPushMessageBytesMax},
                [&room](const api::Call&) -> Result<std::unique_ptr<http::SocketSession>> {
                  return std::make_unique<PushSession>(room.ground, room.people, room.push_tokens);
                });
}

}  // namespace atrium::files
