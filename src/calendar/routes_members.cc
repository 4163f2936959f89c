// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/caller.h"
#include "base/ip_network.h"
#include "base/json_write.h"
#include "calendar/route_parts.h"
#include "calendar/routes.h"
#include "http/json_body.h"

namespace atrium::calendar {
namespace {

using api::Call;
using api::RouteOf;
using http::Method;
using http::Reply;

struct MemberView : Membership {
  std::string name{};
  std::optional<std::string> photo{};
  std::optional<InvitationStatus> invitation{};
};
BOOST_DESCRIBE_STRUCT(MemberView, (Membership), (name, photo, invitation))

/// Somebody invited, as their host sees it.
struct InvitedView : Membership {
  InvitationStatus invitation{};
};
BOOST_DESCRIBE_STRUCT(InvitedView, (Membership), (invitation))

struct MemberList {
  std::vector<MemberView> members{};
};
BOOST_DESCRIBE_STRUCT(MemberList, (), (members))

struct InvitationView : Membership {
  std::string calendar_name{};
  std::string inviter{};
};
BOOST_DESCRIBE_STRUCT(InvitationView, (Membership), (calendar_name, inviter))

struct InvitationList {
  std::vector<InvitationView> invitations{};
};
BOOST_DESCRIBE_STRUCT(InvitationList, (), (invitations))

struct InviteBody {
  std::string email{};
  MemberRole role = MemberRole::kReader;
};
BOOST_DESCRIBE_STRUCT(InviteBody, (), (email, role))

struct RoleBody {
  MemberRole role = MemberRole::kReader;
};
BOOST_DESCRIBE_STRUCT(RoleBody, (), (role))

struct TransferBody {
  std::string to{};
};
BOOST_DESCRIBE_STRUCT(TransferBody, (), (to))

Reply MemberReply(const store::Stored<Membership>& member, int status = 200) {
  return api::Tagged(store::EncodeRecord(member.record, member.unknown), member.version, status);
}

Reply InvitedReply(const InvitedMember& invited, int status) {
  InvitedView view;
  static_cast<Membership&>(view) = invited.member.record;
  view.invitation = invited.invitation;
  return api::Tagged(ToJson(view), invited.member.version, status);
}

/// The visitor, with what the audit log says of them.
Result<Host> HostOf(Room& room, const Call& call) {
  ASSIGN_OR_RETURN(Visitor visitor, VisitorOf(room, call));
  const api::Caller& caller = api::CallerOf(call.request);
  const bool is_operator = caller.IsOperator();
  return Host{.visitor = std::move(visitor),
              .address = is_operator ? "local" : Render(call.request.client),
              .request = std::string(call.request.id),
              .is_operator = is_operator,
              .scopes = caller.scopes};
}

Result<Reply> List(Room& room, const Call& call, const CalendarId& calendar) {
  ASSIGN_OR_RETURN(const Visitor visitor, VisitorOf(room, call));
  ASSIGN_OR_RETURN(const auto members, room.members.List(call.op, visitor, calendar));
  MemberList list;
  for (const NamedMember& one : members) {
    MemberView view;
    static_cast<Membership&>(view) = one.member.record;
    view.name = one.name;
    view.photo = one.photo;
    view.invitation = one.invitation;
    list.members.push_back(std::move(view));
  }
  return http::JsonReply(ToJson(list));
}

Result<Reply> Invite(Room& room, const Call& call, const CalendarId& calendar) {
  ASSIGN_OR_RETURN(const InviteBody body, http::JsonBody<InviteBody>(call.request));
  ASSIGN_OR_RETURN(const Host host, HostOf(room, call));
  ASSIGN_OR_RETURN(const InvitedMember invited,
                   room.members.Invite(call.op, host, calendar, body.email, body.role));
  return InvitedReply(invited, 201);
}

Result<Reply> InviteByLink(Room& room, const Call& call, const CalendarId& calendar) {
  ASSIGN_OR_RETURN(const RoleBody body, http::JsonBody<RoleBody>(call.request));
  ASSIGN_OR_RETURN(const Host host, HostOf(room, call));
  ASSIGN_OR_RETURN(const InvitedMember invited,
                   room.members.InviteByLink(call.op, host, calendar, body.role));
  return InvitedReply(invited, 201);
}

/// Both renewals of an invitation.
auto RenewWith(Room& room, InvitationDesk::Renewal renewal) {
  return [&room, renewal](const Call& call, const CalendarId& calendar,
                          const std::string& who) -> Result<Reply> {
    ASSIGN_OR_RETURN(const Host host, HostOf(room, call));
    ASSIGN_OR_RETURN(const InvitedMember invited,
                     room.members.Renew(call.op, host, calendar, who, renewal));
    return InvitedReply(invited, 200);
  };
}

Result<Reply> ChangeRole(Room& room, const Call& call, const CalendarId& calendar,
                         const std::string& who) {
  ASSIGN_OR_RETURN(const RoleBody body, http::JsonBody<RoleBody>(call.request));
  ASSIGN_OR_RETURN(const Visitor visitor, VisitorOf(room, call));
  ASSIGN_OR_RETURN(const auto member,
                   room.members.ChangeRole(call.op, visitor, calendar, who, body.role));
  return MemberReply(member);
}

Result<Reply> Remove(Room& room, const Call& call, const CalendarId& calendar,
                     const std::string& who) {
  ASSIGN_OR_RETURN(const Host host, HostOf(room, call));
  RETURN_IF_ERROR(room.members.Remove(call.op, host, calendar, who));
  return http::EmptyReply();
}

Result<Reply> Accept(Room& room, const Call& call, const CalendarId& calendar) {
  ASSIGN_OR_RETURN(const Host host, HostOf(room, call));
  ASSIGN_OR_RETURN(const auto member, room.members.Accept(call.op, host, calendar));
  return MemberReply(member);
}

Result<Reply> Transfer(Room& room, const Call& call, const CalendarId& calendar) {
  ASSIGN_OR_RETURN(const TransferBody body, http::JsonBody<TransferBody>(call.request));
  ASSIGN_OR_RETURN(const Visitor visitor, VisitorOf(room, call));
  ASSIGN_OR_RETURN(const auto member, room.members.Transfer(call.op, visitor, calendar, body.to));
  return MemberReply(member);
}

Result<Reply> ListInvitations(Room& room, const Call& call) {
  ASSIGN_OR_RETURN(const Visitor visitor, VisitorOf(room, call));
  ASSIGN_OR_RETURN(const auto invitations, room.members.Invitations(call.op, visitor));
  InvitationList list;
  for (const MemberService::Invitation& one : invitations) {
    InvitationView view;
    static_cast<Membership&>(view) = one.member;
    view.calendar_name = one.calendar_name;
    view.inviter = one.inviter;
    list.invitations.push_back(std::move(view));
  }
  return http::JsonReply(ToJson(list));
}

}  // namespace

void AddMemberRoutes(api::Api& api, Room& room, const http::AccessRule& member) {
  const std::string calendar = "/api/calendars/{calendar}";
  const std::string all = calendar + "/members";
  const std::string one = all + "/{member}";
  api.Add(api::ListRoute(all, member, "Who shares a calendar"),
          [&room](const Call& call, const CalendarId& id) { return List(room, call, id); });
  api.Add(RouteOf(Method::kPost, all, member, "Invite somebody"),
          [&room](const Call& call, const CalendarId& id) { return Invite(room, call, id); });
  api.Add(RouteOf(Method::kPost, calendar + "/links", member, "Invite whoever gets the link"),
          [&room](const Call& call, const CalendarId& id) { return InviteByLink(room, call, id); });
  api.Add(RouteOf(Method::kPost, one + "/resend", member, "Mail an invitation again"),
          RenewWith(room, InvitationDesk::Renewal::kLetter));
  api.Add(RouteOf(Method::kPost, one + "/link", member, "A new link to an invitation"),
          RenewWith(room, InvitationDesk::Renewal::kLink));
  api.Add(RouteOf(Method::kPut, one, member, "Change what a member may do"),
          [&room](const Call& call, const CalendarId& id, const std::string& who) {
            return ChangeRole(room, call, id, who);
          });
  api.Add(RouteOf(Method::kDelete, one, member, "Remove a member; leave"),
          [&room](const Call& call, const CalendarId& id, const std::string& who) {
            return Remove(room, call, id, who);
          });
  api.Add(RouteOf(Method::kPost, calendar + "/accept", member, "Accept an invitation"),
          [&room](const Call& call, const CalendarId& id) { return Accept(room, call, id); });
  api.Add(RouteOf(Method::kPost, calendar + "/transfer", member, "Hand a calendar over"),
          [&room](const Call& call, const CalendarId& id) { return Transfer(room, call, id); });
  api.Add(api::ListRoute("/api/invitations", member, "Calendars one is invited to"),
          [&room](const Call& call) { return ListInvitations(room, call); });
}

}  // namespace atrium::calendar
