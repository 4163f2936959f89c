// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "calendar/access.h"
#include "calendar/invitation_desk.h"
#include "calendar/people.h"
#include "calendar/records.h"
#include "store/ground.h"

namespace atrium::calendar {

/// A member with the name and the address they have today.
struct NamedMember {
  store::Stored<Membership> member{};
  std::string name{};
  /// As Person has it; nullopt also for people of another organisation than whoever asks.
  std::optional<std::string> photo{};
  /// Of somebody invited, for those who may invite.
  std::optional<InvitationStatus> invitation{};
};

/// Somebody who was invited, with what their host is told.
struct InvitedMember {
  store::Stored<Membership> member{};
  InvitationStatus invitation{};
};

/// An invitation as the one who keeps invitations knows it.
struct InvitationRef {
  CalendarId calendar{};
  std::string id{};
  /// Empty: for whoever has the link.
  std::string email{};
};

inline constexpr std::size_t kMembersMax = 500;

/// Who shares a calendar. Each change is one commit. The last owner stays, and so does the one
/// whose default calendar it is: kRefusedByState.
class MemberService {
 public:
  using Found = store::Stored<Membership>;

  MemberService(const store::Ground& ground, const People& people, const InvitationDesk& desk)
      : ground_(ground), people_(people), desk_(desk) {}

  /// One partition query and a get for each member. Without those removed.
  Result<std::vector<NamedMember>> List(const store::OpContext& op, const Visitor& visitor,
                                        const CalendarId& calendar) const;

  /// kAlreadyExists for members and the invited. A letter tells them, if this server sends mail;
  /// the link is there in any case.
  Result<InvitedMember> Invite(const store::OpContext& op, const Host& host,
                               const CalendarId& calendar, std::string_view email, MemberRole role);
  /// The same for whoever gets the link.
  Result<InvitedMember> InviteByLink(const store::OpContext& op, const Host& host,
                                     const CalendarId& calendar, MemberRole role);
  /// Sends the letter again, or makes a new link. kRefusedByState for members.
  Result<InvitedMember> Renew(const store::OpContext& op, const Host& host,
                              const CalendarId& calendar, std::string_view member,
                              InvitationDesk::Renewal renewal);

  /// `member`: a user id, the address of somebody invited who has no account, the id of an
  /// invitation without an address, or "me".
  Result<Found> ChangeRole(const store::OpContext& op, const Visitor& visitor,
                           const CalendarId& calendar, std::string_view member, MemberRole role);
  /// By an owner; or by themselves: leave, decline.
  Result<void> Remove(const store::OpContext& op, const Host& host, const CalendarId& calendar,
                      std::string_view member);

  /// The visitor's invitation. kNotFound when there is none.
  Result<Found> Accept(const store::OpContext& op, const Host& host, const CalendarId& calendar);

  // For the one who keeps invitations, when somebody comes by a link.

  /// What somebody is invited to; nullopt when the calendar or the invitation is gone.
  struct Offer {
    std::string calendar_name{};
    MemberRole role = MemberRole::kReader;
  };
  Result<std::optional<Offer>> DescribeInvitation(const store::OpContext& op,
                                                  const InvitationRef& invitation) const;
  /// Adds the acceptance of a person to the batch. kNotFound when there is nothing to accept.
  Result<void> AddJoining(const store::OpContext& op, store::Batch& batch,
                          const InvitationRef& invitation, const Person& person) const;
  Result<void> AddRevocation(const store::OpContext& op, store::Batch& batch,
                             const InvitationRef& invitation) const;

  /// The member becomes owner, the visitor writer.
  Result<Found> Transfer(const store::OpContext& op, const Visitor& visitor,
                         const CalendarId& calendar, std::string_view to);

  struct Invitation {
    Membership member{};
    std::string calendar_name{};
    /// The name of who invites, or their address; empty when their account is gone.
    std::string inviter{};
  };
  Result<std::vector<Invitation>> Invitations(const store::OpContext& op,
                                              const Visitor& visitor) const;

 private:
  Result<std::optional<Found>> FindMember(const store::OpContext& op, const Visitor& visitor,
                                          const CalendarId& calendar,
                                          std::string_view member) const;
  Result<std::optional<Found>> FindInvitation(const store::OpContext& op, const Visitor& visitor,
                                              const CalendarId& calendar) const;
  /// The row of somebody invited by this very invitation.
  Result<std::optional<Found>> FindInvited(const store::OpContext& op,
                                           const InvitationRef& invitation) const;
  Result<InvitedMember> AddInvited(const store::OpContext& op, const Host& host,
                                   const std::optional<Found>& before, Membership member,
                                   const std::string& calendar_name);
  void AddRemoval(store::Batch& batch, const Found& found) const;
  Result<void> AddAcceptance(const store::OpContext& op, const Found& invitation,
                             const Membership& member, store::Batch& batch) const;
  Result<Found> Commit(const store::OpContext& op, store::Batch batch, Membership member);
  Result<void> CheckRoom(const store::OpContext& op, const CalendarId& calendar) const;
  Result<void> CheckInvitable(const store::OpContext& op, const std::optional<Found>& before,
                              const Membership& member) const;
  Result<std::string> InviterOf(const store::OpContext& op, const Membership& member) const;
  Result<void> CheckDefault(const store::OpContext& op, const Membership& before,
                            const Membership& after) const;

  const store::Ground ground_;
  const People& people_;
  const InvitationDesk& desk_;
};

}  // namespace atrium::calendar
