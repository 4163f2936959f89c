// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "calendar/calendars.h"
#include "calendar/keys.h"
#include "calendar/members.h"
#include "store/store.h"

namespace atrium::calendar {

/// The membership, the invitation and its letter, in one commit.
Result<InvitedMember> MemberService::AddInvited(const store::OpContext& op, const Host& host,
                                                const std::optional<Found>& before,
                                                Membership member,
                                                const std::string& calendar_name) {
  store::Batch batch;
  ASSIGN_OR_RETURN(InvitationStatus invitation, desk_.Add(op, batch, host,
                                                          {.calendar = member.calendar_id,
                                                           .calendar_name = calendar_name,
                                                           .email = member.email,
                                                           .role = member.role}));
  member.invitation_id = invitation.id;
  if (before) {
    batch.Replace(Members(), *before, member);
  } else {
    batch.Create(Members(), member);
  }
  // Without the link: a secret is not kept for whoever asks again.
  batch.SetAnswer({.status = 201, .body = store::EncodeRecord(member)});
  ASSIGN_OR_RETURN(Found made, Commit(op, std::move(batch), std::move(member)));
  return InvitedMember{.member = std::move(made), .invitation = std::move(invitation)};
}

Result<InvitedMember> MemberService::Invite(const store::OpContext& op, const Host& host,
                                            const CalendarId& calendar, std::string_view email,
                                            MemberRole role) {
  ASSIGN_OR_RETURN(const std::string address, people_.ReadEmail(email));
  return store::RetryConflicts([&]() -> Result<InvitedMember> {
    const Visitor& visitor = host.visitor;
    ASSIGN_OR_RETURN(const Seat seat, Enter(ground_.store, op, visitor, calendar, Need::kOwn));
    RETURN_IF_ERROR(CheckRoom(op, calendar));
    ASSIGN_OR_RETURN(const auto person, people_.FindByEmail(op, address));
    const bool is_ours = person && person->org == visitor.org;
    const Instant now = ground_.clock.Now();
    Membership member{.calendar_id = calendar,
                      .user_id = is_ours ? std::optional(person->id) : std::nullopt,
                      .email = address,
                      .role = role,
                      .invited_by = visitor.user,
                      .created_at = now,
                      .updated_at = now};
    ASSIGN_OR_RETURN(const auto before,
                     store::Find(ground_.store, op, Members(), Members().KeyOf(member)));
    RETURN_IF_ERROR(CheckInvitable(op, before, member));
    return AddInvited(op, host, before, std::move(member), seat.calendar.record.name);
  });
}

Result<InvitedMember> MemberService::InviteByLink(const store::OpContext& op, const Host& host,
                                                  const CalendarId& calendar, MemberRole role) {
  ASSIGN_OR_RETURN(const Seat seat, Enter(ground_.store, op, host.visitor, calendar, Need::kOwn));
  RETURN_IF_ERROR(CheckRoom(op, calendar));
  const Instant now = ground_.clock.Now();
  return AddInvited(op, host, std::nullopt,
                    {.calendar_id = calendar,
                     .role = role,
                     .invited_by = host.visitor.user,
                     .created_at = now,
                     .updated_at = now},
                    seat.calendar.record.name);
}

Result<InvitedMember> MemberService::Renew(const store::OpContext& op, const Host& host,
                                           const CalendarId& calendar, std::string_view member,
                                           InvitationDesk::Renewal renewal) {
  return store::RetryConflicts([&]() -> Result<InvitedMember> {
    ASSIGN_OR_RETURN(const Seat seat, Enter(ground_.store, op, host.visitor, calendar, Need::kOwn));
    ASSIGN_OR_RETURN(const auto found, FindMember(op, host.visitor, calendar, member));
    if (!found || found->record.status == MemberStatus::kRemoved) {
      return Fail(ErrorCode::kNotFound, "there is no such member");
    }
    if (found->record.status != MemberStatus::kInvited) {
      return Fail(ErrorCode::kRefusedByState, "this person is a member already");
    }
    Result<InvitationStatus> renewed =
        desk_.Renew(op, host, found->record.invitation_id.value_or(""), renewal);
    if (!renewed && renewed.error().code == ErrorCode::kNotFound) {
      // From before there were any, or forgotten long after it expired.
      return AddInvited(op, host, *found, found->record, seat.calendar.record.name);
    }
    RETURN_IF_ERROR(renewed);
    return InvitedMember{.member = *found, .invitation = *std::move(renewed)};
  });
}

Result<std::optional<MemberService::Found>> MemberService::FindInvited(
    const store::OpContext& op, const InvitationRef& invitation) const {
  const std::string& name = invitation.email.empty() ? invitation.id : invitation.email;
  ASSIGN_OR_RETURN(auto found, store::Find(ground_.store, op, Members(),
                                           InvitationKey(invitation.calendar, name)));
  if (!found || found->record.status == MemberStatus::kRemoved) {
    ASSIGN_OR_RETURN(const auto person, people_.FindByEmail(op, invitation.email));
    if (!person) {
      return std::nullopt;
    }
    ASSIGN_OR_RETURN(found, store::Find(ground_.store, op, Members(),
                                        MemberKey(invitation.calendar, person->id)));
  }
  const bool is_it = found && found->record.status == MemberStatus::kInvited &&
                     found->record.invitation_id == invitation.id;
  return is_it ? std::move(found) : std::nullopt;
}

Result<std::optional<MemberService::Offer>> MemberService::DescribeInvitation(
    const store::OpContext& op, const InvitationRef& invitation) const {
  ASSIGN_OR_RETURN(const auto calendar,
                   store::Find(ground_.store, op, Calendars(), CalendarKey(invitation.calendar)));
  ASSIGN_OR_RETURN(const auto member, FindInvited(op, invitation));
  if (!calendar || calendar->record.deleted_at || !member) {
    return std::nullopt;
  }
  return Offer{.calendar_name = calendar->record.name, .role = member->record.role};
}

Result<void> MemberService::AddJoining(const store::OpContext& op, store::Batch& batch,
                                       const InvitationRef& invitation,
                                       const Person& person) const {
  ASSIGN_OR_RETURN(const auto calendar,
                   store::Find(ground_.store, op, Calendars(), CalendarKey(invitation.calendar)));
  ASSIGN_OR_RETURN(const auto found, FindInvited(op, invitation));
  const bool is_open =
      calendar && !calendar->record.deleted_at && found && calendar->record.org == person.org;
  if (!is_open) {
    return Fail(ErrorCode::kNotFound, "there is no such invitation");
  }
  ASSIGN_OR_RETURN(const auto former, store::Find(ground_.store, op, Members(),
                                                  MemberKey(invitation.calendar, person.id)));
  if (former && former->record.status == MemberStatus::kActive) {
    batch.Erase(Members(), *found);  // A member who follows a link stays what they are.
    return {};
  }
  Membership member = found->record;
  member.user_id = person.id;
  member.email = person.email;
  member.status = MemberStatus::kActive;
  member.updated_at = ground_.clock.Now();
  return AddAcceptance(op, *found, member, batch);
}

Result<void> MemberService::AddRevocation(const store::OpContext& op, store::Batch& batch,
                                          const InvitationRef& invitation) const {
  ASSIGN_OR_RETURN(const auto found, FindInvited(op, invitation));
  if (found) {
    AddRemoval(batch, *found);
  }
  return {};
}

}  // namespace atrium::calendar
