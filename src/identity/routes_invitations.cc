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
#include "identity/keys.h"
#include "identity/route_parts.h"
#include "identity/routes.h"

namespace atrium::identity {
namespace {

using api::Call;
using http::Method;
using http::Reply;

constexpr std::size_t kApplicantsShown = 200;

/// An invitation as administrators see it.
struct InvitationView {
  std::string id{};
  std::optional<std::string> email{};
  std::string inviter{};
  InvitationTarget target{};
  std::string role{};
  InvitationState state = InvitationState::kOpen;
  Delivery delivery = Delivery::kByHand;
  std::optional<std::string> delivery_reason{};
  unsigned resends = 0;
  Instant created_at{};
  Instant expires_at{};
  std::optional<Instant> ended_at{};
  /// Only in the answer that makes it.
  std::optional<std::string> link{};
};
BOOST_DESCRIBE_STRUCT(InvitationView, (),
                      (id, email, inviter, target, role, state, delivery, delivery_reason, resends,
                       created_at, expires_at, ended_at, link))

struct InvitationPage {
  std::vector<InvitationView> invitations{};
  std::optional<std::string> after{};
};
BOOST_DESCRIBE_STRUCT(InvitationPage, (), (invitations, after))

struct NewInvitationBody {
  std::optional<std::string> email{};
};
BOOST_DESCRIBE_STRUCT(NewInvitationBody, (), (email))

struct ApplicantView {
  std::string id{};
  std::string email{};
  std::string name{};
  std::string inviter{};
  std::string to{};
  Instant created_at{};
};
BOOST_DESCRIBE_STRUCT(ApplicantView, (), (id, email, name, inviter, to, created_at))

struct ApplicantList {
  std::vector<ApplicantView> applicants{};
};
BOOST_DESCRIBE_STRUCT(ApplicantList, (), (applicants))

struct RulesView : InvitationRules {
  /// Whether letters leave this server at all.
  bool mail = false;
};
BOOST_DESCRIBE_STRUCT(RulesView, (InvitationRules), (mail))

std::optional<std::string> Unless(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional(text);
}

Result<std::string> InviterOf(Identity& room, const Call& call, const UserId& id) {
  ASSIGN_OR_RETURN(const auto user,
                   store::Find(room.ground.store, call.op, Users(), UserKeyOf(id)));
  return user ? NameOf(user->record) : std::string();
}

Result<InvitationView> Show(Identity& room, const Call& call, const Invitation& one) {
  ASSIGN_OR_RETURN(std::string inviter, InviterOf(room, call, one.inviter));
  return InvitationView{.id = one.id,
                        .email = Unless(one.email),
                        .inviter = std::move(inviter),
                        .target = one.target,
                        .role = one.role,
                        .state = StateAt(one, room.ground.clock.Now()),
                        .delivery = one.delivery,
                        .delivery_reason = Unless(one.delivery_reason),
                        .resends = one.resends,
                        .created_at = one.created_at,
                        .expires_at = one.expires_at,
                        .ended_at = one.ended_at};
}

Result<Reply> ShowIssued(Identity& room, const Call& call, const IssuedInvitation& issued,
                         int status) {
  ASSIGN_OR_RETURN(InvitationView view, Show(room, call, issued.invitation));
  view.link = Unless(issued.link);
  return http::JsonReply(ToJson(view), status);
}

Result<Inviter> InviterFor(Identity& room, const Call& call, const OrgId& org) {
  const api::Caller& caller = api::CallerOf(call.request);
  if (!caller.user) {
    return Fail(ErrorCode::kPermissionDenied,
                "an invitation names the person that invites: only "
                "somebody with an account makes one");
  }
  ASSIGN_OR_RETURN(const auto user, room.accounts.Load(call.op, *caller.user));
  ASSIGN_OR_RETURN(std::string base, room.BaseUrlOf(call.op, org));
  return Inviter{.actor = ActorOf(call.request),
                 .org = org,
                 .user = user.record,
                 .base_url = std::move(base),
                 .vouches = MayVouch(user.record.role, caller.scopes)};
}

/// One of an organisation that the caller looks after.
Result<Invitations::Found> LoadManaged(Identity& room, const Call& call, const std::string& id) {
  ASSIGN_OR_RETURN(auto found, room.invitations.Load(call.op, id));
  RETURN_IF_ERROR(CheckMayManage(ActorOf(call.request), found.record.org, Role::kUser));
  return found;
}

Result<Reply> List(Identity& room, const Call& call) {
  ASSIGN_OR_RETURN(const OrgId org, OrgFor(call));
  ASSIGN_OR_RETURN(PageQuery query, ReadPageQuery(call.request));
  ASSIGN_OR_RETURN(const auto found,
                   room.invitations.List(call.op, org, query.limit, std::move(query.after)));
  InvitationPage page;
  for (const Invitations::Found& one : found.records) {
    ASSIGN_OR_RETURN(InvitationView view, Show(room, call, one.record));
    page.invitations.push_back(std::move(view));
  }
  if (found.resume) {
    page.after = api::RenderAfter(*found.resume);
  }
  return http::JsonReply(ToJson(page));
}

/// Invites to the organisation itself.
Result<Reply> Create(Identity& room, const Call& call) {
  ASSIGN_OR_RETURN(const NewInvitationBody body, http::JsonBody<NewInvitationBody>(call.request));
  ASSIGN_OR_RETURN(const OrgId org, OrgFor(call));
  ASSIGN_OR_RETURN(const Inviter inviter, InviterFor(room, call, org));
  ASSIGN_OR_RETURN(const auto organisation, room.organisations.Load(call.op, org));
  NewInvitation wanted{.target = {.kind = std::string(OrganisationInvitations::kKind),
                                  .id = org.Render(),
                                  .return_to = "/"},
                       .occasion = OccasionOf(organisation.record)};
  if (body.email) {
    ASSIGN_OR_RETURN(const EmailAddress email, EmailAddress::Parse(*body.email));
    ASSIGN_OR_RETURN(const auto known, room.accounts.FindByEmail(call.op, email.Text()));
    if (known) {
      return Fail(ErrorCode::kAlreadyExists, "email: somebody has this address already");
    }
    wanted.email = email.Text();
  }
  store::Batch batch;
  ASSIGN_OR_RETURN(const IssuedInvitation issued,
                   room.invitations.Add(call.op, batch, inviter, wanted));
  // The link is a secret, which is not kept for whoever asks again.
  ASSIGN_OR_RETURN(const InvitationView view, Show(room, call, issued.invitation));
  batch.SetAnswer({.status = 201, .body = ToJson(view)});
  RETURN_IF_ERROR(room.ground.store.Commit(call.op, std::move(batch)));
  return ShowIssued(room, call, issued, 201);
}

Result<Reply> Renew(Identity& room, const Call& call, const std::string& id,
                    Invitations::Renewal renewal) {
  ASSIGN_OR_RETURN(const auto found, LoadManaged(room, call, id));
  ASSIGN_OR_RETURN(const Inviter inviter, InviterFor(room, call, found.record.org));
  ASSIGN_OR_RETURN(const IssuedInvitation issued,
                   room.invitations.Renew(call.op, inviter, id, renewal));
  return ShowIssued(room, call, issued, 200);
}

Result<Reply> Revoke(Identity& room, const Call& call, const std::string& id) {
  RETURN_IF_ERROR(LoadManaged(room, call, id));
  RETURN_IF_ERROR(room.invitations.Revoke(call.op, ActorOf(call.request), id));
  return http::EmptyReply();
}

Result<Reply> ListApplicants(Identity& room, const Call& call) {
  ASSIGN_OR_RETURN(const OrgId org, OrgFor(call));
  ASSIGN_OR_RETURN(const std::vector<Applicant> waiting,
                   room.applicants.ListWaiting(call.op, org, kApplicantsShown));
  ApplicantList list;
  for (const Applicant& one : waiting) {
    ApplicantView view{
        .id = one.id, .email = one.email, .name = one.name, .created_at = one.created_at};
    ASSIGN_OR_RETURN(const auto invitation, room.invitations.Find(call.op, one.invitation));
    if (invitation) {
      view.to = invitation->record.target.label;
      ASSIGN_OR_RETURN(view.inviter, InviterOf(room, call, invitation->record.inviter));
    }
    list.applicants.push_back(std::move(view));
  }
  return http::JsonReply(ToJson(list));
}

Result<Reply> Approve(Identity& room, const Call& call, const std::string& id) {
  const Actor actor = ActorOf(call.request);
  ASSIGN_OR_RETURN(const auto waiting, room.applicants.LoadWaiting(call.op, actor, id));
  ASSIGN_OR_RETURN(const std::string base, room.BaseUrlOf(call.op, waiting.record.org));
  ASSIGN_OR_RETURN(const User user, room.applicants.Approve(call.op, actor, id, base));
  return http::JsonReply(store::EncodeRecord(user));
}

Result<Reply> Refuse(Identity& room, const Call& call, const std::string& id) {
  RETURN_IF_ERROR(room.applicants.Refuse(call.op, ActorOf(call.request), id));
  return http::EmptyReply();
}

Reply ShowRules(const Identity& room, const InvitationRules& rules) {
  RulesView view;
  static_cast<InvitationRules&>(view) = rules;
  view.mail = room.outbox.IsOpen();
  return http::JsonReply(ToJson(view));
}

Result<Reply> GetRules(Identity& room, const Call& call) {
  ASSIGN_OR_RETURN(const OrgId org, OrgFor(call));
  ASSIGN_OR_RETURN(const auto found, room.organisations.Load(call.op, org));
  ASSIGN_OR_RETURN(const InvitationRules rules, ReadInvitationRules(found.record.settings));
  return ShowRules(room, rules);
}

Result<Reply> PutRules(Identity& room, const Call& call) {
  ASSIGN_OR_RETURN(const InvitationRules rules, http::JsonBody<InvitationRules>(call.request));
  ASSIGN_OR_RETURN(const OrgId org, OrgFor(call));
  RETURN_IF_ERROR(store::RetryConflicts([&]() -> Result<void> {
    ASSIGN_OR_RETURN(const auto found, room.organisations.Load(call.op, org));
    OrgChange change{.settings = found.record.settings};
    WriteInvitationRules(rules, *change.settings);
    RETURN_IF_ERROR(room.organisations.Change(call.op, ActorOf(call.request), found, change));
    return {};
  }));
  return ShowRules(room, rules);
}

/// Adds a route about one invitation or applicant.
template <typename Handle>
void AddAbout(api::Api& api, Identity& room, http::Route route, Handle handle) {
  api.Add(std::move(route), [&room, handle](const Call& call, const std::string& id) {
    return handle(room, call, id);
  });
}

void AddApplicants(api::Api& api, Identity& room) {
  const http::AccessRule& admin = room.Rules().Admin();
  const std::string all = "/api/admin/applicants";
  api.Add(api::ListRoute(all, admin, "People who wait to be let in"),
          [&room](const Call& call) { return ListApplicants(room, call); });
  AddAbout(api, room, RouteOf(Method::kPost, all + "/{id}/approve", admin, "Let somebody in"),
           Approve);
  AddAbout(api, room, RouteOf(Method::kDelete, all + "/{id}", admin, "Let somebody not in"),
           Refuse);
}

void AddRules(api::Api& api, Identity& room) {
  const http::AccessRule& admin = room.Rules().Admin();
  const std::string path = "/api/admin/invitation-settings";
  api.Add(RouteOf(Method::kGet, path, admin, "Who may invite people without an account"),
          [&room](const Call& call) { return GetRules(room, call); });
  api.Add(RouteOf(Method::kPut, path, admin, "Decide who may invite people without an account"),
          [&room](const Call& call) { return PutRules(room, call); });
}

}  // namespace

void AddInvitationRoutes(api::Api& api, Identity& room) {
  using Renewal = Invitations::Renewal;
  const http::AccessRule& admin = room.Rules().Admin();
  const std::string all = "/api/admin/invitations";
  const std::string one = all + "/{id}";
  api.Add(api::ListRoute(all, admin, "The invitations of an organisation"),
          [&room](const Call& call) { return List(room, call); });
  api.Add(RouteOf(Method::kPost, all, admin, "Invite somebody to the organisation"),
          [&room](const Call& call) { return Create(room, call); });
  AddAbout(api, room, RouteOf(Method::kPost, one + "/resend", admin, "Mail an invitation again"),
           [](Identity& identity, const Call& call, const std::string& id) {
             return Renew(identity, call, id, Renewal::kLetter);
           });
  AddAbout(api, room, RouteOf(Method::kPost, one + "/link", admin, "A new link to pass on"),
           [](Identity& identity, const Call& call, const std::string& id) {
             return Renew(identity, call, id, Renewal::kLink);
           });
  AddAbout(api, room, RouteOf(Method::kDelete, one, admin, "Take an invitation back"), Revoke);
  AddApplicants(api, room);
  AddRules(api, room);
}

}  // namespace atrium::identity
