// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <string>
#include <utility>

#include "api/caller.h"
#include "base/json_write.h"
#include "http/json_body.h"
#include "identity/identity.h"
#include "identity/provider_routes.h"
#include "identity/route_parts.h"
#include "identity/routes.h"

namespace atrium::identity {
namespace {

using api::Call;
using http::Method;
using http::Reply;

struct TokenBody {
  std::string token{};
};
BOOST_DESCRIBE_STRUCT(TokenBody, (), (token))

struct GlanceView {
  InvitationState state = InvitationState::kOpen;
  std::optional<std::string> email{};
  std::optional<std::string> inviter{};
  std::optional<std::string> inviter_email{};
  std::optional<std::string> kind{};
  std::optional<std::string> label{};
  std::optional<std::string> role{};
  std::optional<std::string> organisation{};
  bool has_account = false;
  std::optional<AddressProof> proof{};
};
BOOST_DESCRIBE_STRUCT(GlanceView, (),
                      (state, email, inviter, inviter_email, kind, label, role, organisation,
                       has_account, proof))

struct JoinBody {
  std::string token{};
  std::string name{};
  std::string password{};
  std::optional<std::string> email{};
  std::optional<std::string> time_zone{};
};
BOOST_DESCRIBE_STRUCT(JoinBody, (), (token, name, password, email, time_zone))

struct ConfirmBody {
  std::string token{};
  std::optional<std::string> password{};
};
BOOST_DESCRIBE_STRUCT(ConfirmBody, (), (token, password))

struct JoinedView {
  std::string session_id{};
  Instant expires_at{};
  std::optional<std::string> return_to{};
  /// Set when the address must be proved first.
  std::optional<AddressProof> awaits{};
};
BOOST_DESCRIBE_STRUCT(JoinedView, (), (session_id, expires_at, return_to, awaits))

struct AcceptedView {
  std::string return_to{};
};
BOOST_DESCRIBE_STRUCT(AcceptedView, (), (return_to))

struct WaitingView {
  ApplicantState state = ApplicantState::kWaiting;
  AddressProof proof = AddressProof::kLetter;
  std::string email{};
  std::string name{};
};
BOOST_DESCRIBE_STRUCT(WaitingView, (), (state, proof, email, name))

std::optional<std::string> Unless(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional(text);
}

Result<Reply> Look(Identity& room, const Call& call) {
  ASSIGN_OR_RETURN(const TokenBody body, http::JsonBody<TokenBody>(call.request));
  ASSIGN_OR_RETURN(const Door door, room.DoorOf(call.request));
  ASSIGN_OR_RETURN(const InvitationGlance glance, room.joining.Look(call.op, door, body.token));
  return http::JsonReply(ToJson(GlanceView{.state = glance.state,
                                           .email = Unless(glance.email),
                                           .inviter = Unless(glance.inviter),
                                           .inviter_email = Unless(glance.inviter_email),
                                           .kind = Unless(glance.target.kind),
                                           .label = Unless(glance.target.label),
                                           .role = Unless(glance.role),
                                           .organisation = Unless(glance.organisation),
                                           .has_account = glance.has_account,
                                           .proof = glance.proof}));
}

Reply SignedIn(const Identity& room, const Call& call, const OpenedSession& opened,
               JoinedView view) {
  view.session_id = opened.secret;
  view.expires_at = opened.session.expires_at;
  Reply reply = http::JsonReply(ToJson(view), view.awaits ? 202 : 201);
  SetSessionCookie(reply, call.request, opened, room.ground.clock.Now());
  return reply;
}

Result<Reply> Join(Identity& room, const Call& call) {
  ASSIGN_OR_RETURN(JoinBody body, http::JsonBody<JoinBody>(call.request));
  ASSIGN_OR_RETURN(const Door door, room.DoorOf(call.request));
  ASSIGN_OR_RETURN(const std::string base, room.BaseUrlOf(call.op, door.org));
  ASSIGN_OR_RETURN(const Joined joined, room.joining.Join(call.op, ActorOf(call.request), door,
                                                          {.token = std::move(body.token),
                                                           .name = std::move(body.name),
                                                           .password = std::move(body.password),
                                                           .email = std::move(body.email),
                                                           .time_zone = std::move(body.time_zone)},
                                                          base));
  return SignedIn(room, call, joined.opened,
                  {.return_to = Unless(joined.return_to), .awaits = joined.awaits});
}

Result<Reply> Accept(Identity& room, const Call& call) {
  const api::Caller& caller = api::CallerOf(call.request);
  // A token that is narrowed to less could otherwise open itself what it was not made for.
  if (caller.credential != api::Credential::kSession) {
    return Fail(ErrorCode::kPermissionDenied, "only somebody signed in accepts an invitation");
  }
  ASSIGN_OR_RETURN(const TokenBody body, http::JsonBody<TokenBody>(call.request));
  ASSIGN_OR_RETURN(const Door door, room.DoorOf(call.request));
  ASSIGN_OR_RETURN(std::string return_to, room.joining.Accept(call.op, ActorOf(call.request), door,
                                                              body.token, *caller.user));
  return http::JsonReply(ToJson(AcceptedView{.return_to = std::move(return_to)}));
}

Result<Reply> Confirm(Identity& room, const Call& call) {
  ASSIGN_OR_RETURN(ConfirmBody body, http::JsonBody<ConfirmBody>(call.request));
  ASSIGN_OR_RETURN(const Door door, room.DoorOf(call.request));
  const api::Caller* const caller = api::FindCaller(call.request);
  const bool provisional = caller != nullptr && caller->credential == api::Credential::kProvisional;
  ASSIGN_OR_RETURN(const Admitted admitted,
                   room.applicants.Confirm(call.op, ActorOf(call.request), door,
                                           {.token = std::move(body.token),
                                            .session = provisional ? caller->credential_id : "",
                                            .password = std::move(body.password)}));
  return SignedIn(room, call, admitted.opened, {.return_to = admitted.return_to});
}

Result<Reply> ShowWaiting(Identity& room, const Call& call) {
  ASSIGN_OR_RETURN(const auto found,
                   room.applicants.OfSession(call.op, api::CallerOf(call.request).credential_id));
  return http::JsonReply(ToJson(WaitingView{.state = found.record.state,
                                            .proof = found.record.proof,
                                            .email = found.record.email,
                                            .name = found.record.name}));
}

Result<Reply> Enter(Identity& room, const Call& call) {
  ASSIGN_OR_RETURN(const Admitted admitted,
                   room.applicants.Enter(call.op, ActorOf(call.request),
                                         api::CallerOf(call.request).credential_id));
  return SignedIn(room, call, admitted.opened, {.return_to = admitted.return_to});
}

Result<Reply> LeaveForProvider(Identity& room, const Call& call, const std::string& provider) {
  ASSIGN_OR_RETURN(const TokenBody body, http::JsonBody<TokenBody>(call.request));
  ASSIGN_OR_RETURN(const Door door, room.DoorOf(call.request));
  ASSIGN_OR_RETURN(const Joining::Ticket ticket,
                   room.joining.TakeTicket(call.op, door, body.token));
  return LeaveWithTicket(room, call, provider, ticket);
}

}  // namespace

void AddJoinRoutes(api::Api& api, Identity& room) {
  const http::AccessRule& everybody = room.Rules().Public();
  api.Add(GuessableRoute(Method::kPost, "/api/join/look", everybody, "See an invitation"),
          [&room](const Call& call) { return Look(room, call); });
  api.Add(GuessableRoute(Method::kPost, "/api/join", everybody, "Make an account by an invitation"),
          [&room](const Call& call) { return Join(room, call); });
  api.Add(GuessableRoute(Method::kPost, "/api/join/provider/{provider}", everybody,
                         "Go to a provider to make an account by an invitation"),
          [&room](const Call& call, const std::string& provider) {
            return LeaveForProvider(room, call, provider);
          });
  api.Add(GuessableRoute(Method::kPost, "/api/join/confirm", everybody,
                         "Prove one's address with a letter"),
          [&room](const Call& call) { return Confirm(room, call); });
  api.Add(GuessableRoute(Method::kPost, "/api/join/accept", room.Rules().Self(),
                         "Accept an invitation as somebody signed in"),
          [&room](const Call& call) { return Accept(room, call); });
  api.Add(
      RouteOf(Method::kGet, "/api/join/waiting", room.Rules().Session(), "Whether one was let in"),
      [&room](const Call& call) { return ShowWaiting(room, call); });
  api.Add(GuessableRoute(Method::kPost, "/api/join/enter", room.Rules().Session(),
                         "Go in once one was let in"),
          [&room](const Call& call) { return Enter(room, call); });
}

}  // namespace atrium::identity
