// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <string>
#include <utility>

#include "api/caller.h"
#include "base/base64.h"
#include "base/json_write.h"
#include "http/grammar.h"
#include "http/json_body.h"
#include "identity/email_address.h"
#include "identity/identity.h"
#include "identity/keys.h"
#include "identity/route_parts.h"
#include "identity/routes.h"
#include "store/key_bytes.h"

namespace atrium::identity {
namespace {

using api::Call;
using http::Method;
using http::Reply;

struct NewUserBody {
  std::string email{};
  std::optional<std::string> name{};
  std::optional<Role> role{};
  std::optional<std::string> password{};
  std::optional<std::int64_t> quota_bytes{};
  std::optional<std::string> time_zone{};
  std::optional<bool> invite{};
};
BOOST_DESCRIBE_STRUCT(NewUserBody, (),
                      (email, name, role, password, quota_bytes, time_zone, invite))

struct PasswordBody {
  std::string password{};
};
BOOST_DESCRIBE_STRUCT(PasswordBody, (), (password))

/// A person with what administrators must know of their secrets.
struct UserView : User {
  bool has_password = false;
  bool second_factor = false;
};
BOOST_DESCRIBE_STRUCT(UserView, (User), (has_password, second_factor))

/// An organisation with what it uses.
struct OrgView : Org {
  OrgUsage usage{};
};
BOOST_DESCRIBE_STRUCT(OrgView, (Org), (usage))

/// {"users":[…],"after":…}: documents as they are stored. What a page ends with may be any bytes.
Result<Reply> ListPage(Identity& room, const Call& call, const store::ScanRequest& request,
                       std::string_view name) {
  std::string json = "{\"" + std::string(name) + "\":";
  ASSIGN_OR_RETURN(const store::ScanEnd end,
                   store::ListJson(room.ground.store, call.op, request, json));
  if (end.resume) {
    json += R"(,"after":)";
    AppendJson(json, EncodeBase64Url(*end.resume));
  }
  return http::JsonReply(json + "}");
}

Reply UserReply(const store::Stored<User>& user, int status = 200) {
  return Tagged(store::EncodeRecord(user.record, user.unknown), user.version, status);
}

/// Somebody the actor may look after.
Result<store::Stored<User>> LoadManaged(Identity& room, const Call& call, const UserId& id) {
  ASSIGN_OR_RETURN(auto user, room.accounts.Load(call.op, id));
  RETURN_IF_ERROR(CheckMayManage(ActorOf(call.request), user.record.org, user.record.role));
  return user;
}

/// One person by address, in the same form as all of them.
Result<Reply> FindUser(Identity& room, const Call& call, const OrgId& org,
                       std::string_view address) {
  ASSIGN_OR_RETURN(const EmailAddress email, EmailAddress::Parse(address));
  ASSIGN_OR_RETURN(const auto user, room.accounts.FindByEmail(call.op, email.Text()));
  const bool seen = user && (user->record.org == org || api::CallerOf(call.request).IsOperator());
  return http::JsonReply(R"({"users":[)" +
                         (seen ? store::EncodeRecord(user->record, user->unknown) : "") + "]}");
}

Result<Reply> ListUsers(Identity& room, const Call& call) {
  ASSIGN_OR_RETURN(const OrgId org, OrgFor(call));
  ASSIGN_OR_RETURN(PageQuery query, ReadPageQuery(call.request));
  ASSIGN_OR_RETURN(const http::Form form, call.request.Query());
  if (const auto email = form.Find("email")) {
    return FindUser(room, call, org, *email);
  }
  const std::string partition = PartitionOf(org);
  // Addresses are stored in lower case.
  const std::string prefix = http::LowerAscii(form.Find("prefix").value_or(""));
  return ListPage(room, call,
                  {.table = &kUsersByOrg,
                   .partition = partition,
                   .range = {.from = prefix, .before = store::PrefixEnd(prefix)},
                   .limit = query.limit,
                   .after = std::move(query.after)},
                  "users");
}

/// The operator's first account sets the server up, so it must be meant to look after it.
Result<store::Stored<User>> CreateFirst(Identity& room, const Call& call, const NewUser& wanted,
                                        const Alongside& also) {
  if (wanted.role < Role::kAdmin) {
    return Fail(ErrorCode::kInvalidArgument,
                "role: the first account looks after the server: make an administrator first");
  }
  return room.set_up.CompleteAsOperator(call.op, ActorOf(call.request), {.user = wanted}, also);
}

Result<Reply> CreateUser(Identity& room, const Call& call) {
  ASSIGN_OR_RETURN(NewUserBody body, http::JsonBody<NewUserBody>(call.request));
  ASSIGN_OR_RETURN(const OrgId org, OrgFor(call));
  const Actor actor = ActorOf(call.request);
  Alongside also;
  if (body.invite.value_or(false)) {
    if (!room.outbox.IsOpen()) {
      return Fail(ErrorCode::kUnavailable, "invite: this server sends no mail");
    }
    ASSIGN_OR_RETURN(const std::string base, room.BaseUrlOf(call.op, org));
    also = [&room, actor, base](store::Batch& batch, const User& user) {
      room.links.AddInvitation(batch, actor, user, base);
    };
  }
  const NewUser wanted{.email = std::move(body.email),
                       .name = body.name.value_or(""),
                       .role = body.role.value_or(Role::kUser),
                       .password = std::move(body.password),
                       .quota_bytes = body.quota_bytes,
                       .time_zone = std::move(body.time_zone)};
  ASSIGN_OR_RETURN(const auto user, room.gatekeeper.IsSetUp()
                                        ? room.accounts.Create(call.op, actor, org, wanted, also)
                                        : CreateFirst(room, call, wanted, also));
  return UserReply(user, 201);
}

Result<Reply> ShowUser(Identity& room, const Call& call, const UserId& id) {
  ASSIGN_OR_RETURN(const auto user, LoadManaged(room, call, id));
  ASSIGN_OR_RETURN(const auto secrets, room.accounts.FindSecrets(call.op, id));
  UserView view;
  static_cast<User&>(view) = user.record;
  view.has_password = secrets && !secrets->record.password_hash.empty();
  view.second_factor = secrets && SecondFactor::IsOn(secrets->record);
  return Tagged(ToJson(view), user.version);
}

Result<Reply> ChangeUser(Identity& room, const Call& call, const UserId& id) {
  ASSIGN_OR_RETURN(const UserChange change, http::JsonBody<UserChange>(call.request));
  ASSIGN_OR_RETURN(const auto old, LoadManaged(room, call, id));
  RETURN_IF_ERROR(api::CheckIfMatch(call.request, old.version));
  const Actor actor = ActorOf(call.request);
  ASSIGN_OR_RETURN(const std::string base, room.BaseUrlOf(call.op, old.record.org));
  ASSIGN_OR_RETURN(const auto changed,
                   room.accounts.Change(
                       call.op, actor, old, change, [&](store::Batch& batch, const User& after) {
                         room.addresses.AddNotice(batch, actor, old.record, after, base);
                       }));
  Result<Reply> reply = UserReply(changed);
  if (reply && changed.record.email != old.record.email && !room.outbox.IsOpen()) {
    reply->headers.emplace_back("Atrium-Notice", "no letter was sent: this server sends no mail");
  }
  return reply;
}

/// Whether a change is about what one signs in with, or about what one may do.
Result<bool> IsSensitive(const Call& call) {
  ASSIGN_OR_RETURN(const UserChange change, http::JsonBody<UserChange>(call.request));
  return change.email || change.role;
}

/// What a stolen session, or a token of one's own, must not do by the way of administration.
template <typename Act>
Result<Reply> GuardManaging(Identity& room, const Call& call, const UserId& id, const Act& act) {
  if (api::CallerOf(call.request).user != id) {
    return ForAdministrator(room, call, act);
  }
  ASSIGN_OR_RETURN(std::optional<Reply> question, AskForProof(room, call));
  return question ? Result<Reply>(*std::move(question)) : act();
}

Result<Reply> ChangeGuarded(Identity& room, const Call& call, const UserId& id) {
  ASSIGN_OR_RETURN(const bool sensitive, IsSensitive(call));
  return sensitive ? GuardManaging(room, call, id, [&] { return ChangeUser(room, call, id); })
                   : ChangeUser(room, call, id);
}

/// Whoever makes an administrator could go on as that one.
Result<Reply> CreateGuarded(Identity& room, const Call& call) {
  ASSIGN_OR_RETURN(const NewUserBody body, http::JsonBody<NewUserBody>(call.request));
  return body.role.value_or(Role::kUser) >= Role::kAdmin
             ? ForAdministrator(room, call, [&] { return CreateUser(room, call); })
             : CreateUser(room, call);
}

Result<Reply> EraseUser(Identity& room, const Call& call, const UserId& id) {
  ASSIGN_OR_RETURN(const auto old, LoadManaged(room, call, id));
  RETURN_IF_ERROR(api::CheckIfMatch(call.request, old.version));
  RETURN_IF_ERROR(room.accounts.Erase(call.op, ActorOf(call.request), old));
  return http::EmptyReply();
}

Result<Reply> SetPassword(Identity& room, const Call& call, const UserId& id) {
  ASSIGN_OR_RETURN(const PasswordBody body, http::JsonBody<PasswordBody>(call.request));
  ASSIGN_OR_RETURN(const auto user, LoadManaged(room, call, id));
  RETURN_IF_ERROR(room.accounts.SetPassword(call.op, ActorOf(call.request), user, body.password));
  return http::EmptyReply();
}

Result<Reply> InviteUser(Identity& room, const Call& call, const UserId& id) {
  ASSIGN_OR_RETURN(const auto user, LoadManaged(room, call, id));
  ASSIGN_OR_RETURN(std::string base, room.BaseUrlOf(call.op, user.record.org));
  RETURN_IF_ERROR(room.links.Invite(call.op, ActorOf(call.request), user.record,
                                    {.base_url = std::move(base)}));
  return http::JsonReply("{}", 202);
}

Result<Reply> EndAllSessions(Identity& room, const Call& call, const UserId& id) {
  ASSIGN_OR_RETURN(const auto user, LoadManaged(room, call, id));
  RETURN_IF_ERROR(room.sessions.EndAll(call.op, ActorOf(call.request), user.record.id));
  return http::EmptyReply();
}

Result<Reply> ResetSecondFactor(Identity& room, const Call& call, const UserId& id) {
  ASSIGN_OR_RETURN(const auto user, LoadManaged(room, call, id));
  Actor actor = ActorOf(call.request);
  if (actor.user == id) {
    return Fail(ErrorCode::kPermissionDenied, "one's own second factor is ended with a code");
  }
  RETURN_IF_ERROR(room.second_factor.End(call.op, actor, user.record, std::nullopt));
  return http::EmptyReply();
}

Result<Reply> ListOrgs(Identity& room, const Call& call) {
  ASSIGN_OR_RETURN(PageQuery query, ReadPageQuery(call.request));
  return ListPage(room, call,
                  {.table = &kOrgList,
                   .partition = kAllOrgs,
                   .limit = query.limit,
                   .after = std::move(query.after)},
                  "orgs");
}

Result<Reply> CreateOrg(Identity& room, const Call& call) {
  ASSIGN_OR_RETURN(const NewOrg wanted,
                   http::JsonBody<NewOrg>(call.request, {.missing = OnMissing::kKeepDefault}));
  ASSIGN_OR_RETURN(const auto org,
                   room.organisations.Create(call.op, ActorOf(call.request), wanted));
  return Tagged(store::EncodeRecord(org.record), org.version, 201);
}

Result<Reply> ShowOrg(Identity& room, const Call& call, const OrgId& id) {
  ASSIGN_OR_RETURN(const auto org, room.organisations.Load(call.op, id));
  ASSIGN_OR_RETURN(const OrgUsage usage, room.organisations.Usage(call.op, id));
  OrgView view;
  static_cast<Org&>(view) = org.record;
  view.usage = usage;
  return Tagged(ToJson(view), org.version);
}

Result<Reply> ChangeOrg(Identity& room, const Call& call, const OrgId& id) {
  ASSIGN_OR_RETURN(const OrgChange change, http::JsonBody<OrgChange>(call.request));
  ASSIGN_OR_RETURN(const auto old, room.organisations.Load(call.op, id));
  RETURN_IF_ERROR(api::CheckIfMatch(call.request, old.version));
  ASSIGN_OR_RETURN(const auto org,
                   room.organisations.Change(call.op, ActorOf(call.request), old, change));
  return Tagged(store::EncodeRecord(org.record, org.unknown), org.version);
}

Result<Reply> EraseOrg(Identity& room, const Call& call, const OrgId& id) {
  ASSIGN_OR_RETURN(const auto old, room.organisations.Load(call.op, id));
  RETURN_IF_ERROR(api::CheckIfMatch(call.request, old.version));
  RETURN_IF_ERROR(room.organisations.Erase(call.op, ActorOf(call.request), old));
  return http::EmptyReply();
}

/// Adds a route about one person or organisation.
template <typename Id, typename Handle>
void AddAbout(api::Api& api, Identity& room, http::Route route, Handle handle) {
  api.Add(std::move(route),
          [&room, handle](const Call& call, const Id& id) { return handle(room, call, id); });
}

void AddUsers(api::Api& api, Identity& room) {
  const http::AccessRule& admin = room.Rules().Admin();
  api.Add(api::ListRoute("/api/users", admin, "The people of an organisation"),
          [&room](const Call& call) { return ListUsers(room, call); });
  api.Add(RouteOf(Method::kPost, "/api/users", admin, "Make an account"),
          [&room](const Call& call) { return CreateGuarded(room, call); });
  const std::string one = "/api/users/{id}";
  AddAbout<UserId>(api, room, RouteOf(Method::kGet, one, admin, "A person"), ShowUser);
  AddAbout<UserId>(api, room, RouteOf(Method::kPatch, one, admin, "Change a person"),
                   ChangeGuarded);
  AddAbout<UserId>(api, room, RouteOf(Method::kDelete, one, admin, "Erase an account"), EraseUser);
  AddAbout<UserId>(api, room,
                   RouteOf(Method::kPost, one + "/password", admin, "Give somebody a password"),
                   [](Identity& in, const Call& call, const UserId& id) {
                     return GuardManaging(in, call, id, [&] { return SetPassword(in, call, id); });
                   });
  AddAbout<UserId>(api, room,
                   RouteOf(Method::kPost, one + "/invite", admin, "Mail somebody a way in"),
                   InviteUser);
  AddAbout<UserId>(api, room,
                   RouteOf(Method::kPost, one + "/logout-all", admin, "End all their sessions"),
                   EndAllSessions);
  AddAbout<UserId>(
      api, room,
      RouteOf(Method::kDelete, one + "/second-factor", admin, "Turn their second factor off"),
      [](Identity& in, const Call& call, const UserId& id) {
        return GuardManaging(in, call, id, [&] { return ResetSecondFactor(in, call, id); });
      });
}

void AddOrgs(api::Api& api, Identity& room) {
  const http::AccessRule& superadmin = room.Rules().Superadmin();
  api.Add(api::ListRoute("/api/orgs", superadmin, "All organisations"),
          [&room](const Call& call) { return ListOrgs(room, call); });
  api.Add(RouteOf(Method::kPost, "/api/orgs", superadmin, "Make an organisation"),
          [&room](const Call& call) { return CreateOrg(room, call); });
  const std::string one = "/api/orgs/{id}";
  AddAbout<OrgId>(api, room,
                  RouteOf(Method::kGet, one, superadmin, "An organisation and what it uses"),
                  ShowOrg);
  AddAbout<OrgId>(api, room, RouteOf(Method::kPatch, one, superadmin, "Change an organisation"),
                  ChangeOrg);
  AddAbout<OrgId>(api, room, RouteOf(Method::kDelete, one, superadmin, "Erase an organisation"),
                  EraseOrg);
}

}  // namespace

void AddPeopleRoutes(api::Api& api, Identity& room) {
  AddUsers(api, room);
  AddOrgs(api, room);
}

}  // namespace atrium::identity
