// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "identity/inviting_room.h"
#include "identity/organisations.h"

namespace atrium::identity {

/// Invitations to an organisation itself, by its administrators: an account, and nothing else.
class OrganisationInvitations final : public InvitingRoom {
 public:
  static constexpr std::string_view kKind = "organisation";

  explicit OrganisationInvitations(const Organisations& organisations)
      : organisations_(organisations) {}

  Result<std::optional<Occasion>> Describe(const store::OpContext& op,
                                           const Invitation& invitation) const override;
  /// Nothing: the account is in the organisation.
  Result<void> AddJoining(const store::OpContext& op, store::Batch& batch,
                          const Invitation& invitation, const User& user) const override;
  Result<void> AddRevocation(const store::OpContext& op, store::Batch& batch,
                             const Invitation& invitation) const override;

 private:
  const Organisations& organisations_;
};

/// What is said of the organisation.
Occasion OccasionOf(const Org& org);

}  // namespace atrium::identity
