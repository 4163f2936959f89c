// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <string>
#include <utility>

#include "api/caller.h"
#include "base/json_write.h"
#include "http/json_body.h"
#include "identity/identity.h"
#include "identity/route_parts.h"
#include "identity/routes.h"
#include "identity/secret_token.h"
#include "store/once_only.h"

namespace atrium::identity {
namespace {

using api::Call;
using http::Method;
using http::Reply;

struct SetUpBody {
  std::string token{};
  std::string email{};
  std::optional<std::string> name{};
  std::string password{};
  std::optional<std::string> time_zone{};
  std::optional<std::string> organisation{};
};
BOOST_DESCRIBE_STRUCT(SetUpBody, (), (token, email, name, password, time_zone, organisation))

FirstSteps StepsOf(const SetUpBody& body) {
  FirstSteps steps{.user = {.email = body.email,
                            .name = body.name.value_or(""),
                            .password = body.password,
                            .time_zone = body.time_zone}};
  steps.organisation = body.organisation.value_or(steps.organisation);
  return steps;
}

struct SetUpState {
  bool set_up = false;
};
BOOST_DESCRIBE_STRUCT(SetUpState, (), (set_up))

struct LinkBody {
  std::string email{};
  std::optional<std::string> return_to{};
};
BOOST_DESCRIBE_STRUCT(LinkBody, (), (email, return_to))

struct ConsumeBody {
  std::string token{};
  std::optional<std::string> otp{};
};
BOOST_DESCRIBE_STRUCT(ConsumeBody, (), (token, otp))

struct ResetBody {
  std::string token{};
  std::string password{};
};
BOOST_DESCRIBE_STRUCT(ResetBody, (), (token, password))

struct TokenBody {
  std::string token{};
};
BOOST_DESCRIBE_STRUCT(TokenBody, (), (token))

struct Consumed {
  std::optional<std::string> session_id{};
  std::optional<Instant> expires_at{};
  std::string email{};
  std::string return_to{};
};
BOOST_DESCRIBE_STRUCT(Consumed, (), (session_id, expires_at, email, return_to))

Reply Accepted() {
  return http::JsonReply("{}", 202);
}

Result<Reply> CompleteSetUp(Identity& room, const Call& call) {
  ASSIGN_OR_RETURN(const SetUpBody body, http::JsonBody<SetUpBody>(call.request));
  const Actor actor = ActorOf(call.request);
  OpenedSession opened;
  RETURN_IF_ERROR(room.set_up.Complete(store::Unnamed(call.op), actor, body.token, StepsOf(body),
                                       [&](store::Batch& batch, const User& user) {
                                         opened =
                                             room.sessions.Open(batch, actor, user, "password");
                                       }));
  return SignedInReply(call.request, opened, room.ground.clock.Now(), 201);
}

Result<Reply> LogIn(Identity& room, const Call& call) {
  ASSIGN_OR_RETURN(const PasswordSignIn body, http::JsonBody<PasswordSignIn>(call.request));
  ASSIGN_OR_RETURN(const Door door, room.DoorOf(call.request));
  ASSIGN_OR_RETURN(const OpenedSession opened,
                   room.sign_in.WithPassword(call.op, ActorOf(call.request), door, body));
  return SignedInReply(call.request, opened, room.ground.clock.Now());
}

/// Ends the session that asks. A token is not ended by signing out.
Result<Reply> LogOut(Identity& room, const Call& call) {
  ASSIGN_OR_RETURN(const Presented presented, FindSecret(call.request));
  RETURN_IF_ERROR(room.sessions.EndBySecret(call.op, ActorOf(call.request), presented.secret));
  Reply reply = http::EmptyReply();
  ClearSessionCookie(reply, call.request);
  return reply;
}

Result<Reply> LogOutEverywhere(Identity& room, const Call& call) {
  ASSIGN_OR_RETURN(const auto user, AccountFor(room, call));
  RETURN_IF_ERROR(room.sessions.EndAll(call.op, ActorOf(call.request), user.record.id));
  Reply reply = http::EmptyReply();
  ClearSessionCookie(reply, call.request);
  return reply;
}

Result<LinkRequest> ReadLinkRequest(const Identity& room, const Call& call) {
  ASSIGN_OR_RETURN(LinkBody body, http::JsonBody<LinkBody>(call.request));
  ASSIGN_OR_RETURN(std::string base, room.BaseUrl(call.request));
  return LinkRequest{.email = std::move(body.email),
                     .return_to = body.return_to.value_or("/"),
                     .base_url = std::move(base)};
}

Result<Reply> RequestLink(Identity& room, const Call& call) {
  ASSIGN_OR_RETURN(const LinkRequest request, ReadLinkRequest(room, call));
  ASSIGN_OR_RETURN(const Door door, room.DoorOf(call.request));
  RETURN_IF_ERROR(room.links.RequestSignIn(call.op, ActorOf(call.request), door, request));
  return Accepted();
}

Result<Reply> RequestReset(Identity& room, const Call& call) {
  ASSIGN_OR_RETURN(const LinkRequest request, ReadLinkRequest(room, call));
  ASSIGN_OR_RETURN(const Door door, room.DoorOf(call.request));
  RETURN_IF_ERROR(room.links.RequestReset(call.op, ActorOf(call.request), door, request));
  return Accepted();
}

Reply ConsumedReply(const Identity& room, const Call& call, const ConsumedLink& consumed) {
  Consumed body{.email = consumed.email, .return_to = consumed.return_to};
  const bool signed_in = !consumed.opened.secret.empty();
  if (signed_in) {
    body.session_id = consumed.opened.secret;
    body.expires_at = consumed.opened.session.expires_at;
  }
  Reply reply = http::JsonReply(ToJson(body));
  if (signed_in) {
    SetSessionCookie(reply, call.request, consumed.opened, room.ground.clock.Now());
  }
  return reply;
}

Result<Reply> ConsumeLink(Identity& room, const Call& call) {
  ASSIGN_OR_RETURN(const ConsumeBody body, http::JsonBody<ConsumeBody>(call.request));
  ASSIGN_OR_RETURN(const Door door, room.DoorOf(call.request));
  ASSIGN_OR_RETURN(const ConsumedLink consumed,
                   room.links.Consume(call.op, ActorOf(call.request), door, body.token, body.otp));
  return ConsumedReply(room, call, consumed);
}

Result<Reply> Reset(Identity& room, const Call& call) {
  ASSIGN_OR_RETURN(const ResetBody body, http::JsonBody<ResetBody>(call.request));
  ASSIGN_OR_RETURN(const Door door, room.DoorOf(call.request));
  const Actor actor = ActorOf(call.request);
  // The page is the same for whoever gets an address back: they choose a password, too.
  ASSIGN_OR_RETURN(const ConsumedLink consumed,
                   KindOf(body.token) == TokenKind::kEmailUndo
                       ? room.addresses.Undo(call.op, actor, door, body.token, body.password)
                       : room.links.Reset(call.op, actor, door, body.token, body.password));
  return ConsumedReply(room, call, consumed);
}

Result<Reply> ConfirmEmail(Identity& room, const Call& call) {
  ASSIGN_OR_RETURN(const TokenBody body, http::JsonBody<TokenBody>(call.request));
  ASSIGN_OR_RETURN(const Door door, room.DoorOf(call.request));
  ASSIGN_OR_RETURN(const std::string base, room.BaseUrl(call.request));
  RETURN_IF_ERROR(room.addresses.Confirm(call.op, ActorOf(call.request), door, body.token, base));
  return http::EmptyReply();
}

Result<Reply> GiveProof(Identity& room, const Call& call) {
  ASSIGN_OR_RETURN(const GivenProof body, http::JsonBody<GivenProof>(call.request));
  ASSIGN_OR_RETURN(const Door door, room.DoorOf(call.request));
  RETURN_IF_ERROR(
      room.proof.Give(call.op, ActorOf(call.request), door, api::CallerOf(call.request), body));
  return http::EmptyReply();
}

void AddSetUp(api::Api& api, Identity& room) {
  api.Add(RouteOf(Method::kGet, "/api/setup", http::Anyone(), "Whether the server is set up"),
          [&room](const Call&) -> Result<Reply> {
            return http::JsonReply(ToJson(SetUpState{.set_up = room.gatekeeper.IsSetUp()}));
          });
  api.Add(GuessableRoute(Method::kPost, "/api/setup", http::Anyone(), "Make the first account"),
          [&room](const Call& call) { return CompleteSetUp(room, call); });
}

void AddLinks(api::Api& api, Identity& room) {
  const http::AccessRule& everybody = room.Rules().Public();
  api.Add(GuessableRoute(Method::kPost, "/api/auth/request-link", everybody,
                         "Have a link mailed with which to sign in"),
          [&room](const Call& call) { return RequestLink(room, call); });
  api.Add(GuessableRoute(Method::kPost, "/api/auth/consume-link", everybody,
                         "Sign in with a mailed link"),
          [&room](const Call& call) { return ConsumeLink(room, call); });
  api.Add(GuessableRoute(Method::kPost, "/api/auth/request-reset", everybody,
                         "Have a link mailed with which to choose a password"),
          [&room](const Call& call) { return RequestReset(room, call); });
  api.Add(GuessableRoute(Method::kPost, "/api/auth/reset", everybody,
                         "Choose a password with a mailed link"),
          [&room](const Call& call) { return Reset(room, call); });
  api.Add(GuessableRoute(Method::kPost, "/api/auth/confirm-email", everybody,
                         "Confirm a new address with a mailed link"),
          [&room](const Call& call) { return ConfirmEmail(room, call); });
}

}  // namespace

void AddSignInRoutes(api::Api& api, Identity& room) {
  AddSetUp(api, room);
  api.Add(GuessableRoute(Method::kPost, "/api/auth/login", room.Rules().Public(),
                         "Sign in with a password"),
          [&room](const Call& call) { return LogIn(room, call); });
  api.Add(GuessableRoute(Method::kPost, "/api/auth/proof", room.Rules().Self(),
                         "Prove again who one is, for what needs that"),
          [&room](const Call& call) { return GiveProof(room, call); });
  for (const char* path : {"/api/auth/logout", "/auth/logout"}) {
    api.Add(RouteOf(Method::kPost, path, room.Rules().Session(), "Sign out"),
            [&room](const Call& call) { return LogOut(room, call); });
  }
  for (const char* path : {"/api/auth/logout-all", "/auth/logout-all"}) {
    api.Add(RouteOf(Method::kPost, path, room.Rules().Self(), "Sign out everywhere"),
            [&room](const Call& call) { return LogOutEverywhere(room, call); });
  }
  AddLinks(api, room);
}

}  // namespace atrium::identity
