// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "lab_identity.h"

#include <boost/describe/class.hpp>
#include <cstddef>
#include <string>
#include <utility>

#include "api/caller.h"
#include "base/instant.h"
#include "base/json_write.h"
#include "http/json_body.h"
#include "identity/audit.h"
#include "identity/session_service.h"
#include "store/batch.h"
#include "store/store.h"

namespace atrium::lab {
namespace {

using api::Call;
using http::Method;
using http::Reply;
using identity::Identity;
using identity::OpenedSession;

constexpr std::size_t kBodyBytesMax = 4096;

struct GuestBody {
  std::string group{};
  std::string name{};
  std::string email{};
};
BOOST_DESCRIBE_STRUCT(GuestBody, (), (group, name, email))

struct UserBody {
  api::UserId user{};
};
BOOST_DESCRIBE_STRUCT(UserBody, (), (user))

struct OpenedReply {
  std::string session_id{};
  Instant expires_at{};
};
BOOST_DESCRIBE_STRUCT(OpenedReply, (), (session_id, expires_at))

http::Route RouteOf(Method method, std::string path, const http::AccessRule& access,
                    std::string summary) {
  return {.method = method,
          .path = std::move(path),
          .access = access,
          .work = http::IsSafe(method) ? http::Work::kQuick : http::Work::kBlocking,
          .summary = std::move(summary),
          .body_bytes_max = http::IsSafe(method) ? 0 : kBodyBytesMax};
}

Result<Reply> CommitOpened(Identity& room, const Call& call, store::Batch batch,
                           const OpenedSession& opened) {
  RETURN_IF_ERROR(room.ground.store.Commit(call.op, std::move(batch)));
  return http::JsonReply(
      ToJson(OpenedReply{.session_id = opened.secret, .expires_at = opened.session.expires_at}),
      201);
}

Result<Reply> OpenForGuest(Identity& room, const Call& call) {
  ASSIGN_OR_RETURN(const GuestBody body, http::JsonBody<GuestBody>(call.request));
  ASSIGN_OR_RETURN(const identity::Door door, room.DoorOf(call.request));
  store::Batch batch;
  const OpenedSession opened = room.sessions.OpenForGuest(
      batch, identity::ActorOf(call.request),
      {.org = door.org, .name = body.name, .email = body.email, .group = body.group});
  return CommitOpened(room, call, std::move(batch), opened);
}

Result<Reply> OpenProvisional(Identity& room, const Call& call) {
  ASSIGN_OR_RETURN(const UserBody body, http::JsonBody<UserBody>(call.request));
  ASSIGN_OR_RETURN(const auto user, room.accounts.Load(call.op, body.user));
  store::Batch batch;
  const OpenedSession opened =
      room.sessions.OpenProvisional(batch, identity::ActorOf(call.request), user.record);
  return CommitOpened(room, call, std::move(batch), opened);
}

}  // namespace

void AddIdentityRoutes(api::Api& api, Identity& room) {
  api.Add(RouteOf(Method::kPost, "/lab/guest-session", http::Anyone(), "Let a guest in"),
          [&room](const Call& call) { return OpenForGuest(room, call); });
  api.Add(RouteOf(Method::kPost, "/lab/provisional-session", http::Anyone(),
                  "Let somebody in whose address is not confirmed"),
          [&room](const Call& call) { return OpenProvisional(room, call); });
  const http::AccessRule& files = room.Rules().Member(api::Area::kFiles);
  api.Add(RouteOf(Method::kGet, "/lab/shelf", files, "Look at files"),
          [](const Call&) -> Result<Reply> { return http::TextReply("looked"); });
  api.Add(RouteOf(Method::kPost, "/lab/shelf", files, "Change files"),
          [](const Call&) -> Result<Reply> { return http::TextReply("changed"); });
}

}  // namespace atrium::lab
