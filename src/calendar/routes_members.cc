// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <string>
#include <utility>
#include <vector>

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
};
BOOST_DESCRIBE_STRUCT(MemberView, (Membership), (name, photo))

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

Result<Reply> List(Room& room, const Call& call, const CalendarId& calendar) {
  ASSIGN_OR_RETURN(const Visitor visitor, VisitorOf(room, call));
  ASSIGN_OR_RETURN(const auto members, room.members.List(call.op, visitor, calendar));
  MemberList list;
  for (const NamedMember& one : members) {
    MemberView view;
    static_cast<Membership&>(view) = one.member.record;
    view.name = one.name;
    view.photo = one.photo;
    list.members.push_back(std::move(view));
  }
  return http::JsonReply(ToJson(list));
}

Result<Reply> Invite(Room& room, const Call& call, const CalendarId& calendar) {
  ASSIGN_OR_RETURN(const InviteBody body, http::JsonBody<InviteBody>(call.request));
  ASSIGN_OR_RETURN(const Visitor visitor, VisitorOf(room, call));
  ASSIGN_OR_RETURN(const auto member,
                   room.members.Invite(call.op, visitor, calendar, body.email, body.role));
  return MemberReply(member, 201);
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
  ASSIGN_OR_RETURN(const Visitor visitor, VisitorOf(room, call));
  RETURN_IF_ERROR(room.members.Remove(call.op, visitor, calendar, who));
  return http::EmptyReply();
}

Result<Reply> Accept(Room& room, const Call& call, const CalendarId& calendar) {
  ASSIGN_OR_RETURN(const Visitor visitor, VisitorOf(room, call));
  ASSIGN_OR_RETURN(const auto member, room.members.Accept(call.op, visitor, calendar));
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
  api.Add(RouteOf(Method::kGet, all, member, "Who shares a calendar"),
          [&room](const Call& call, const CalendarId& id) { return List(room, call, id); });
  api.Add(RouteOf(Method::kPost, all, member, "Invite somebody"),
          [&room](const Call& call, const CalendarId& id) { return Invite(room, call, id); });
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
  api.Add(RouteOf(Method::kGet, "/api/invitations", member, "Calendars one is invited to"),
          [&room](const Call& call) { return ListInvitations(room, call); });
}

}  // namespace atrium::calendar
