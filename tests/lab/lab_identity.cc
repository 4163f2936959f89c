// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "lab_identity.h"

#include <boost/describe/class.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "api/caller.h"
#include "base/instant.h"
#include "base/json_write.h"
#include "http/body.h"
#include "http/json_body.h"
#include "http/socket.h"
#include "identity/audit.h"
#include "identity/keys.h"
#include "identity/session_service.h"
#include "lab_routes.h"
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

struct AgeBody {
  std::int64_t minutes = 0;
};
BOOST_DESCRIBE_STRUCT(AgeBody, (), (minutes))

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

/// Makes the proof of the caller's session so many minutes old.
Result<Reply> AgeProof(Identity& room, const Call& call) {
  ASSIGN_OR_RETURN(const AgeBody body, http::JsonBody<AgeBody>(call.request));
  const api::Caller& caller = api::CallerOf(call.request);
  ASSIGN_OR_RETURN(const auto found, identity::FindSession(room.ground.store, call.op, *caller.user,
                                                           caller.credential_id));
  if (!found) {
    return Fail(ErrorCode::kPermissionDenied, "only for sessions");
  }
  identity::Session stale = found->record;
  stale.proved_at = room.ground.clock.Now() - std::chrono::minutes(body.minutes);
  store::Batch batch;
  batch.Replace(identity::Sessions(), *found, stale);
  RETURN_IF_ERROR(room.ground.store.Commit(call.op, std::move(batch)));
  return http::EmptyReply();
}

/// Says nothing, and is open for as long as whoever opened it may.
class QuietSession final : public http::SocketSession {
 public:
  Result<void> Receive(http::SocketMessage /*message*/) override { return {}; }
  Result<http::SocketTurn> Next(const Wake& /*wake*/) override { return http::SocketTurn{}; }
};

/// The same as events.
class QuietSource final : public http::EventSource {
 public:
  Result<std::optional<std::string>> Next(const Wake& /*wake*/) override { return ""; }
};

void AddOwn(api::Api& api, const http::AccessRule& session) {
  api.AddSocket(RouteOf(Method::kGet, "/lab/own/socket", session, "Is open while one may"),
                [](const Call&) -> Result<std::unique_ptr<http::SocketSession>> {
                  return std::make_unique<QuietSession>();
                });
  api.Add(RouteOf(Method::kGet, "/lab/events/unannounced", session,
                  "Events of a route that does not say so"),
          [](const Call&) -> Result<Reply> {
            return Reply{.content_type = "text/event-stream",
                         .body = std::make_unique<QuietSource>()};
          });
}

}  // namespace

void AddIdentityRoutes(api::Api& api, Identity& room) {
  api.Add(RouteOf(Method::kPost, "/lab/guest-session", http::Anyone(), "Let a guest in"),
          [&room](const Call& call) { return OpenForGuest(room, call); });
  api.Add(RouteOf(Method::kPost, "/lab/provisional-session", http::Anyone(),
                  "Let somebody in whose address is not confirmed"),
          [&room](const Call& call) { return OpenProvisional(room, call); });
  AddOwn(api, room.Rules().Session());
  api.Add(RouteOf(Method::kPost, "/lab/own/proof-age", room.Rules().Self(),
                  "Make the proof of one's session an old one"),
          [&room](const Call& call) { return AgeProof(room, call); });
  const http::AccessRule& files = room.Rules().Member(api::Area::kFiles);
  api.Add(RouteOf(Method::kGet, "/lab/shelf", files, "Look at files"),
          [](const Call&) -> Result<Reply> { return http::TextReply("looked"); });
  http::Route hold = RouteOf(Method::kGet, "/lab/shelf/hold", files, "Stand before files");
  hold.work = http::Work::kBlocking;
  api.Add(std::move(hold), [](const Call&) { return Hold(); });
  http::Route touch = RouteOf(Method::kGet, "/lab/shelf/touch", files, "Touch files");
  touch.work = http::Work::kBlocking;
  api.Add(std::move(touch),
          [](const Call&) -> Result<Reply> { return http::TextReply("touched"); });
  api.Add(RouteOf(Method::kPost, "/lab/shelf", files, "Change files"),
          [](const Call&) -> Result<Reply> { return http::TextReply("changed"); });
}

}  // namespace atrium::lab
