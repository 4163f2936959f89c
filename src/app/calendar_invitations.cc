// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/calendar_invitations.h"

#include <string>
#include <utility>

#include "identity/audit.h"
#include "identity/invitation_rules.h"

namespace atrium::app {
namespace {

identity::Occasion OccasionOf(const std::string& calendar_name, calendar::MemberRole role) {
  const bool reads = role == calendar::MemberRole::kReader;
  return {.label = calendar_name,
          .title = "the calendar \"" + calendar_name + "\"",
          .promise =
              std::string("Once you accept, you can ") + (reads ? "see it." : "see and change it."),
          .role = identity::WordFor(role)};
}

identity::Actor ActorOf(const calendar::Host& host) {
  const calendar::Visitor& visitor = host.visitor;
  return {.name = host.is_operator ? "operator" : identity::TargetOf(visitor.user),
          .label = host.is_operator ? "operator" : visitor.label,
          .address = host.address,
          .request = host.request,
          .user = visitor.user,
          .org = visitor.org,
          .is_operator = host.is_operator};
}

Result<calendar::InvitationRef> RefOf(const identity::Invitation& invitation) {
  ASSIGN_OR_RETURN(const calendar::CalendarId calendar,
                   calendar::CalendarId::Parse(invitation.target.id));
  return calendar::InvitationRef{
      .calendar = calendar, .id = invitation.id, .email = invitation.email};
}

}  // namespace

Result<identity::Inviter> CalendarInvitations::InviterOf(const store::OpContext& op,
                                                         const calendar::Host& host) const {
  ASSIGN_OR_RETURN(const auto user, identity_.accounts.Load(op, host.visitor.user));
  ASSIGN_OR_RETURN(std::string base, identity_.BaseUrlOf(op, host.visitor.org));
  return identity::Inviter{.actor = ActorOf(host),
                           .org = host.visitor.org,
                           .user = user.record,
                           .base_url = std::move(base),
                           .vouches = identity::MayVouch(user.record.role, host.scopes)};
}

calendar::InvitationStatus CalendarInvitations::Show(const identity::Invitation& invitation) const {
  calendar::InvitationStatus status{
      .id = invitation.id,
      .state = identity::WordFor(identity::StateAt(invitation, identity_.ground.clock.Now())),
      .delivery = identity::WordFor(invitation.delivery),
      .resends = invitation.resends,
      .expires_at = invitation.expires_at};
  if (!invitation.delivery_reason.empty()) {
    status.delivery_reason = invitation.delivery_reason;
  }
  return status;
}

Result<calendar::InvitationStatus> CalendarInvitations::Add(const store::OpContext& op,
                                                            store::Batch& batch,
                                                            const calendar::Host& host,
                                                            const calendar::Guest& guest) const {
  ASSIGN_OR_RETURN(const identity::Inviter inviter, InviterOf(op, host));
  ASSIGN_OR_RETURN(
      identity::IssuedInvitation issued,
      identity_.invitations.Add(op, batch, inviter,
                                {.email = guest.email,
                                 .target = {.kind = std::string(kCalendarKind),
                                            .id = guest.calendar.Render(),
                                            .return_to = "/calendar"},
                                 .occasion = OccasionOf(guest.calendar_name, guest.role)}));
  calendar::InvitationStatus status = Show(issued.invitation);
  status.link = std::move(issued.link);
  return status;
}

Result<std::optional<calendar::InvitationStatus>> CalendarInvitations::Find(
    const store::OpContext& op, std::string_view id) const {
  ASSIGN_OR_RETURN(const auto found, identity_.invitations.Find(op, id));
  return found ? std::optional(Show(found->record)) : std::nullopt;
}

Result<calendar::InvitationStatus> CalendarInvitations::Renew(const store::OpContext& op,
                                                              const calendar::Host& host,
                                                              std::string_view id,
                                                              Renewal renewal) const {
  using Theirs = identity::Invitations::Renewal;
  ASSIGN_OR_RETURN(const identity::Inviter inviter, InviterOf(op, host));
  ASSIGN_OR_RETURN(
      identity::IssuedInvitation issued,
      identity_.invitations.Renew(op, inviter, id,
                                  renewal == Renewal::kLetter ? Theirs::kLetter : Theirs::kLink));
  calendar::InvitationStatus status = Show(issued.invitation);
  if (!issued.link.empty()) {
    status.link = std::move(issued.link);
  }
  return status;
}

Result<void> CalendarInvitations::AddRevocation(const store::OpContext& op, store::Batch& batch,
                                                const calendar::Host& host,
                                                std::string_view id) const {
  return identity_.invitations.AddRevocation(op, batch, ActorOf(host), id);
}

Result<void> CalendarInvitations::AddAcceptance(const store::OpContext& op, store::Batch& batch,
                                                const calendar::Host& host,
                                                std::string_view id) const {
  ASSIGN_OR_RETURN(const auto user, identity_.accounts.Load(op, host.visitor.user));
  return identity_.invitations.AddAcceptance(op, batch, ActorOf(host), id, user.record);
}

Result<std::optional<identity::Occasion>> CalendarDoor::Describe(
    const store::OpContext& op, const identity::Invitation& invitation) const {
  ASSIGN_OR_RETURN(const calendar::InvitationRef ref, RefOf(invitation));
  ASSIGN_OR_RETURN(const auto offer, members_.DescribeInvitation(op, ref));
  return offer ? std::optional(OccasionOf(offer->calendar_name, offer->role)) : std::nullopt;
}

Result<void> CalendarDoor::AddJoining(const store::OpContext& op, store::Batch& batch,
                                      const identity::Invitation& invitation,
                                      const identity::User& user) const {
  ASSIGN_OR_RETURN(const calendar::InvitationRef ref, RefOf(invitation));
  return members_.AddJoining(op, batch, ref,
                             {.id = user.id,
                              .org = user.org,
                              .name = user.name,
                              .email = user.email,
                              .time_zone = user.time_zone});
}

Result<void> CalendarDoor::AddRevocation(const store::OpContext& op, store::Batch& batch,
                                         const identity::Invitation& invitation) const {
  ASSIGN_OR_RETURN(const calendar::InvitationRef ref, RefOf(invitation));
  return members_.AddRevocation(op, batch, ref);
}

}  // namespace atrium::app
