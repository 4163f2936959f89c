// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "identity/organisation_invitations.h"

namespace atrium::identity {

Occasion OccasionOf(const Org& org) {
  return {.label = org.name, .title = "join " + org.name + " on Atrium"};
}

Result<std::optional<Occasion>> OrganisationInvitations::Describe(
    const store::OpContext& op, const Invitation& invitation) const {
  ASSIGN_OR_RETURN(const auto org, organisations_.Load(op, invitation.org));
  return OccasionOf(org.record);
}

Result<void> OrganisationInvitations::AddJoining(const store::OpContext& /*op*/,
                                                 store::Batch& /*batch*/,
                                                 const Invitation& /*invitation*/,
                                                 const User& /*user*/) const {
  return {};
}

Result<void> OrganisationInvitations::AddRevocation(const store::OpContext& /*op*/,
                                                    store::Batch& /*batch*/,
                                                    const Invitation& /*invitation*/) const {
  return {};
}

}  // namespace atrium::identity
