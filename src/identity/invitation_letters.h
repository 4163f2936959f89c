// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "identity/inviting_room.h"
#include "mail/letter.h"

namespace atrium::identity {

struct InvitationLetter {
  std::string to{};
  /// The person that invites: their name, or their address where they have none.
  std::string inviter{};
  std::string inviter_email{};
  Occasion occasion{};
  std::string url{};
};

/// The letter that brings an invitation.
mail::Letter WriteInvitation(const InvitationLetter& about);

struct ApplicantLetter {
  std::string to{};
  std::string name{};
  std::string url{};
  /// From which address the account was asked for.
  std::string asked_from{};
};

/// The letter that proves the address of somebody who came by a link that was passed on by hand.
mail::Letter WriteAddressProof(const ApplicantLetter& about);
/// The letter that tells somebody that an administrator has let them in.
mail::Letter WriteApproval(const ApplicantLetter& about);

}  // namespace atrium::identity
