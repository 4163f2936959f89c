// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "calendar/invitation_desk.h"
#include "calendar/members.h"
#include "identity/identity.h"
#include "identity/inviting_room.h"

namespace atrium::app {

/// What invitations to calendars are called in identity.
inline constexpr std::string_view kCalendarKind = "calendar";

/// The invitations of identity, as calendars make them. `identity` outlives it.
class CalendarInvitations final : public calendar::InvitationDesk {
 public:
  explicit CalendarInvitations(identity::Identity& identity) : identity_(identity) {}

  Result<calendar::InvitationStatus> Add(const store::OpContext& op, store::Batch& batch,
                                         const calendar::Host& host,
                                         const calendar::Guest& guest) const override;
  Result<std::optional<calendar::InvitationStatus>> Find(const store::OpContext& op,
                                                         std::string_view id) const override;
  Result<calendar::InvitationStatus> Renew(const store::OpContext& op, const calendar::Host& host,
                                           std::string_view id, Renewal renewal) const override;
  Result<void> AddRevocation(const store::OpContext& op, store::Batch& batch,
                             const calendar::Host& host, std::string_view id) const override;
  Result<void> AddAcceptance(const store::OpContext& op, store::Batch& batch,
                             const calendar::Host& host, std::string_view id) const override;

 private:
  Result<identity::Inviter> InviterOf(const store::OpContext& op, const calendar::Host& host) const;
  calendar::InvitationStatus Show(const identity::Invitation& invitation) const;

  identity::Identity& identity_;
};

/// The calendars, as identity lets people into them. `members` outlives it.
class CalendarDoor final : public identity::InvitingRoom {
 public:
  explicit CalendarDoor(const calendar::MemberService& members) : members_(members) {}

  Result<std::optional<identity::Occasion>> Describe(
      const store::OpContext& op, const identity::Invitation& invitation) const override;
  Result<void> AddJoining(const store::OpContext& op, store::Batch& batch,
                          const identity::Invitation& invitation,
                          const identity::User& user) const override;
  Result<void> AddRevocation(const store::OpContext& op, store::Batch& batch,
                             const identity::Invitation& invitation) const override;

 private:
  const calendar::MemberService& members_;
};

}  // namespace atrium::app
