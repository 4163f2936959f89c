// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "calendar/access.h"
#include "calendar/people.h"
#include "calendar/records.h"
#include "mail/outbox.h"
#include "store/ground.h"

namespace atrium::calendar {

/// A member with the name and the address they have today.
struct NamedMember {
  store::Stored<Membership> member{};
  std::string name{};
  /// As Person has it; nullopt also for who is of another organisation than whoever asks.
  std::optional<std::string> photo{};
};

inline constexpr std::size_t kMembersMax = 500;

/// Who shares a calendar. Each change is one commit. The last owner stays, and so does the one
/// whose default calendar it is: kRefusedByState.
class MemberService {
 public:
  using Found = store::Stored<Membership>;

  MemberService(const store::Ground& ground, const People& people, mail::Outbox& outbox)
      : ground_(ground), people_(people), outbox_(outbox) {}

  /// One partition query and a get for each member. Without those removed.
  Result<std::vector<NamedMember>> List(const store::OpContext& op, const Visitor& visitor,
                                        const CalendarId& calendar) const;

  /// kAlreadyExists for who is a member or invited. A letter tells them.
  Result<Found> Invite(const store::OpContext& op, const Visitor& visitor,
                       const CalendarId& calendar, std::string_view email, MemberRole role);

  /// `member`: a user id, the address of somebody invited who has no account, or "me".
  Result<Found> ChangeRole(const store::OpContext& op, const Visitor& visitor,
                           const CalendarId& calendar, std::string_view member, MemberRole role);
  /// By an owner; or by themselves: leave, decline.
  Result<void> Remove(const store::OpContext& op, const Visitor& visitor,
                      const CalendarId& calendar, std::string_view member);

  /// The visitor's invitation. kNotFound when there is none.
  Result<Found> Accept(const store::OpContext& op, const Visitor& visitor,
                       const CalendarId& calendar);

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
  mail::Outbox& outbox_;
};

}  // namespace atrium::calendar
