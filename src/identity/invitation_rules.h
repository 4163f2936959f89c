// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>
#include <chrono>
#include <cstdint>
#include <map>
#include <string>

#include "api/caller.h"
#include "base/instant.h"
#include "base/result.h"
#include "identity/invitation_records.h"

namespace atrium::identity {

/// How long an invitation waits for somebody who does not expect it.
inline constexpr std::chrono::hours kInvitationOpen{24 * 14};
/// How many accounts may be asked for with one link: each may send a letter to any address.
inline constexpr unsigned kRequestsMax = 5;

/// Who of an organisation may bring in people that have no account in it. Inviting the others is
/// always possible.
enum class MayInvite : std::uint8_t { kAnybody, kAdministrators, kClosed };
BOOST_DESCRIBE_ENUM(MayInvite, kAnybody, kAdministrators, kClosed)

/// What an organisation has decided about invitations.
struct InvitationRules {
  /// What families and clubs expect: whoever is in may bring somebody along.
  MayInvite who = MayInvite::kAnybody;
  /// While mail is not set up, it is approval, whatever was chosen.
  AddressProof proof = AddressProof::kLetter;
};
BOOST_DESCRIBE_STRUCT(InvitationRules, (), (who, proof))

/// As they stand in the settings of an organisation: "invitations.who", "invitations.proof".
/// kInvalidArgument "settings: …" for a value that is none.
Result<InvitationRules> ReadInvitationRules(const std::map<std::string, std::string>& settings);
void WriteInvitationRules(const InvitationRules& rules,
                          std::map<std::string, std::string>& settings);

/// Whether somebody of this role may bring in people without an account.
bool MayBringIn(MayInvite who, Role role);

/// Whether somebody of this role, with a credential of these scopes, speaks as an administrator: a
/// token for calendars does not, whoever it belongs to.
bool MayVouch(Role role, const api::Scopes& scopes);

/// The state as people see it.
InvitationState StateAt(const Invitation& invitation, Instant now);

/// kRefusedByState, saying why, when the invitation is not open any more.
Result<void> CheckOpen(const Invitation& invitation, Instant now);

}  // namespace atrium::identity
