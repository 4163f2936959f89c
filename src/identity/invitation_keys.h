// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string_view>

#include "identity/invitation_records.h"
#include "store/collection.h"
#include "store/table.h"

namespace atrium::identity {

// docs/formats/identity.md shows the rows.

inline constexpr store::Table kInvitationTable{.number = 180, .name = "invitations"};
inline constexpr store::Table kInvitationsShown{.number = 181, .name = "invitations_shown"};
inline constexpr store::Table kInvitationsMailed{.number = 182, .name = "invitations_mailed"};
/// Of an organisation, oldest first: ids grow, also within a millisecond.
inline constexpr store::Table kInvitationsByOrg{
    .number = 183, .name = "invitations_by_org", .kind = store::TableKind::kDerived};
inline constexpr store::Table kApplicantTable{.number = 184, .name = "applicants"};
inline constexpr store::Table kApplicantLetters{.number = 185, .name = "applicant_letters"};
inline constexpr store::Table kApplicantSessions{.number = 186, .name = "applicant_sessions"};
/// Those of an organisation who wait for an administrator, oldest first.
inline constexpr store::Table kApplicantsByOrg{
    .number = 187, .name = "applicants_by_org", .kind = store::TableKind::kDerived};

/// How long an invitation is remembered after its time, for the lists of those who invited.
inline constexpr std::chrono::hours kInvitationKept{24 * 30};

const store::Collection<Invitation>& InvitationRows();
const store::Collection<Applicant>& ApplicantRows();

/// Of an invitation or an applicant.
store::Key InvitationKey(std::string_view id);
store::Key ApplicantSessionKey(std::string_view session);

}  // namespace atrium::identity
