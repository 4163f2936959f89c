// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/caller.h"
#include "base/json_write.h"
#include "http/json_body.h"
#include "identity/email_address.h"
#include "identity/identity.h"
#include "identity/route_parts.h"
#include "identity/routes.h"

namespace atrium::identity {
namespace {

using api::Call;
using http::Method;
using http::Reply;

struct OrgName {
  OrgId id{};
  std::string name{};
};
BOOST_DESCRIBE_STRUCT(OrgName, (), (id, name))

struct Me {
  std::optional<User> user{};
  OrgName org{};
  Role role = Role::kGuest;
  api::Credential credential = api::Credential::kSession;
  std::vector<std::string> scopes{};
  std::string guest_group{};
  /// How other systems know the person: derived from the address.
  std::string user_key{};
  std::string member_key{};
  bool second_factor = false;
};
BOOST_DESCRIBE_STRUCT(Me, (),
                      (user, org, role, credential, scopes, guest_group, user_key, member_key,
                       second_factor))

struct MyChange {
  std::optional<std::string> name{};
  std::optional<std::string> time_zone{};
};
BOOST_DESCRIBE_STRUCT(MyChange, (), (name, time_zone))

struct PasswordBody {
  std::string current{};
  std::string password{};
  std::optional<std::string> otp{};
};
BOOST_DESCRIBE_STRUCT(PasswordBody, (), (current, password, otp))

struct EmailBody {
  std::string email{};
};
BOOST_DESCRIBE_STRUCT(EmailBody, (), (email))

struct OtpBody {
  std::string otp{};
};
BOOST_DESCRIBE_STRUCT(OtpBody, (), (otp))

struct RecoveryCodes {
  std::vector<std::string> recovery_codes{};
};
BOOST_DESCRIBE_STRUCT(RecoveryCodes, (), (recovery_codes))

/// A session as its owner sees it.
struct SessionView {
  std::string id{};
  SessionKind kind = SessionKind::kFull;
  Instant created_at{};
  Instant expires_at{};
  Instant last_used_at{};
  std::string address{};
  std::string agent{};
  bool current = false;
};
BOOST_DESCRIBE_STRUCT(SessionView, (),
                      (id, kind, created_at, expires_at, last_used_at, address, agent, current))

struct SessionList {
  std::vector<SessionView> sessions{};
};
BOOST_DESCRIBE_STRUCT(SessionList, (), (sessions))

Result<Me> Describe(Identity& room, const Call& call) {
  const api::Caller& caller = api::CallerOf(call.request);
  ASSIGN_OR_RETURN(const auto org, room.organisations.Load(call.op, caller.org));
  Me me{.org = {.id = org.record.id, .name = org.record.name},
        .role = caller.role,
        .credential = caller.credential,
        .scopes = caller.scopes.Render(),
        .guest_group = caller.guest_group,
        .member_key = caller.MemberKey()};
  if (const Result<EmailAddress> email = EmailAddress::Parse(caller.email)) {
    me.user_key = email->UserKey();
  }
  if (caller.user) {
    ASSIGN_OR_RETURN(auto user, room.accounts.Load(call.op, *caller.user));
    ASSIGN_OR_RETURN(const auto secrets, room.accounts.FindSecrets(call.op, *caller.user));
    me.user = std::move(user.record);
    me.second_factor = secrets && SecondFactor::IsOn(secrets->record);
  }
  return me;
}

Result<Reply> ChangeMe(Identity& room, const Call& call) {
  ASSIGN_OR_RETURN(const MyChange body, http::JsonBody<MyChange>(call.request));
  ASSIGN_OR_RETURN(const auto old, AccountFor(room, call));
  RETURN_IF_ERROR(api::CheckIfMatch(call.request, old.version));
  ASSIGN_OR_RETURN(const auto changed,
                   room.accounts.Change(call.op, ActorOf(call.request), old,
                                        {.name = body.name, .time_zone = body.time_zone}));
  return Tagged(store::EncodeRecord(changed.record, changed.unknown), changed.version);
}

Result<Reply> ChangePassword(Identity& room, const Call& call) {
  // The present password is the proof; a token has none to give.
  RETURN_IF_ERROR(room.proof.Has(call.op, api::CallerOf(call.request)));
  ASSIGN_OR_RETURN(const PasswordBody body, http::JsonBody<PasswordBody>(call.request));
  ASSIGN_OR_RETURN(const auto user, AccountFor(room, call));
  ASSIGN_OR_RETURN(const Door door, room.DoorOf(call.request));
  ASSIGN_OR_RETURN(
      const OpenedSession opened,
      room.sign_in.ChangePassword(
          call.op, ActorOf(call.request), door,
          {.email = user.record.email, .password = body.current, .otp = body.otp}, body.password));
  return SignedInReply(call.request, opened, room.ground.clock.Now());
}

Result<Reply> RequestNewEmail(Identity& room, const Call& call) {
  ASSIGN_OR_RETURN(const EmailBody body, http::JsonBody<EmailBody>(call.request));
  ASSIGN_OR_RETURN(const auto user, AccountFor(room, call));
  ASSIGN_OR_RETURN(std::string base, room.BaseUrl(call.request));
  RETURN_IF_ERROR(room.addresses.Request(call.op, ActorOf(call.request), user.record,
                                         {.email = body.email, .base_url = std::move(base)}));
  return http::JsonReply("{}", 202);
}

Result<Reply> BeginSecondFactor(Identity& room, const Call& call) {
  ASSIGN_OR_RETURN(const auto user, AccountFor(room, call));
  ASSIGN_OR_RETURN(const Enrolment enrolment, room.second_factor.Begin(call.op, user.record));
  return http::JsonReply(ToJson(enrolment), 201);
}

Result<Reply> ConfirmSecondFactor(Identity& room, const Call& call) {
  ASSIGN_OR_RETURN(const OtpBody body, http::JsonBody<OtpBody>(call.request));
  ASSIGN_OR_RETURN(const auto user, AccountFor(room, call));
  ASSIGN_OR_RETURN(
      std::vector<std::string> codes,
      room.second_factor.Confirm(call.op, ActorOf(call.request), user.record, body.otp));
  return http::JsonReply(ToJson(RecoveryCodes{.recovery_codes = std::move(codes)}));
}

Result<Reply> EndSecondFactor(Identity& room, const Call& call) {
  ASSIGN_OR_RETURN(const OtpBody body, http::JsonBody<OtpBody>(call.request));
  ASSIGN_OR_RETURN(const auto user, AccountFor(room, call));
  RETURN_IF_ERROR(room.second_factor.End(call.op, ActorOf(call.request), user.record, body.otp));
  return http::EmptyReply();
}

Result<Reply> ListSessions(Identity& room, const Call& call) {
  const api::Caller& caller = api::CallerOf(call.request);
  ASSIGN_OR_RETURN(const auto user, AccountFor(room, call));
  ASSIGN_OR_RETURN(const std::vector<Session> sessions, room.sessions.List(call.op, user.record));
  SessionList list;
  for (const Session& one : sessions) {
    list.sessions.push_back({.id = one.id,
                             .kind = one.kind,
                             .created_at = one.created_at,
                             .expires_at = one.expires_at,
                             .last_used_at = one.last_used_at,
                             .address = one.address,
                             .agent = one.agent,
                             .current = one.id == caller.credential_id});
  }
  return http::JsonReply(ToJson(list));
}

Result<Reply> EndSession(Identity& room, const Call& call, const std::string& id) {
  ASSIGN_OR_RETURN(const auto user, AccountFor(room, call));
  RETURN_IF_ERROR(room.sessions.End(call.op, ActorOf(call.request), user.record, id));
  return http::EmptyReply();
}

void AddSecondFactor(api::Api& api, Identity& room) {
  const http::AccessRule& self = room.Rules().Self();
  api.Add(RouteOf(Method::kPost, "/api/me/second-factor", self, "Begin a second factor"),
          WithProof(room, BeginSecondFactor));
  api.Add(GuessableRoute(Method::kPost, "/api/me/second-factor/confirm", self,
                         "Turn the second factor on with a first code"),
          WithProof(room, ConfirmSecondFactor));
  api.Add(GuessableRoute(Method::kPost, "/api/me/second-factor/end", self,
                         "Turn the second factor off"),
          WithProof(room, EndSecondFactor));
}

}  // namespace

void AddAccountRoutes(api::Api& api, Identity& room) {
  const http::AccessRule& self = room.Rules().Self();
  for (const char* path : {"/api/me", "/auth/me"}) {
    api.Add(RouteOf(Method::kGet, path, room.Rules().Session(), "Who am I"),
            [&room](const Call& call) -> Result<Reply> {
              ASSIGN_OR_RETURN(const Me me, Describe(room, call));
              return http::JsonReply(ToJson(me));
            });
  }
  api.Add(RouteOf(Method::kPatch, "/api/me", self, "Change name or time zone"),
          [&room](const Call& call) { return ChangeMe(room, call); });
  api.Add(GuessableRoute(Method::kPost, "/api/me/password", self, "Change the password"),
          [&room](const Call& call) { return ChangePassword(room, call); });
  api.Add(GuessableRoute(Method::kPost, "/api/me/email", self,
                         "Have a link mailed that changes the address"),
          WithProof(room, RequestNewEmail));
  api.Add(api::ListRoute("/api/me/sessions", self, "Where one is signed in"),
          [&room](const Call& call) { return ListSessions(room, call); });
  api.Add(RouteOf(Method::kDelete, "/api/me/sessions/{id}", self, "End a session"),
          [&room](const Call& call, const std::string& id) { return EndSession(room, call, id); });
  AddSecondFactor(api, room);
}

}  // namespace atrium::identity
