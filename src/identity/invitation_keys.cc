// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "identity/invitation_keys.h"

#include <optional>
#include <string>
#include <vector>

#include "identity/keys.h"

namespace atrium::identity {
namespace {

using store::Key;
using Keys = std::vector<Key>;

std::optional<Key> SecretKey(const std::string& hash) {
  return hash.empty() ? std::nullopt : std::optional(HashKey(hash));
}

Keys WaitingKeys(const Applicant& one) {
  const bool waits = one.proof == AddressProof::kApproval && one.state == ApplicantState::kWaiting;
  return waits ? Keys{{.partition = PartitionOf(one.org), .sort = one.id}} : Keys{};
}

}  // namespace

Key InvitationKey(std::string_view id) {
  return {.partition = std::string(id)};
}

Key ApplicantSessionKey(std::string_view session) {
  return {.partition = std::string(session)};
}

const store::Collection<Invitation>& InvitationRows() {
  static const store::Collection<Invitation> invitations({
      .table = &kInvitationTable,
      .key = [](const Invitation& one) { return InvitationKey(one.id); },
      .unique = {{.table = &kInvitationsShown,
                  .key = [](const Invitation& one) { return SecretKey(one.shown_hash); }},
                 {.table = &kInvitationsMailed,
                  .key = [](const Invitation& one) { return SecretKey(one.mailed_hash); }}},
      .lists = {{.table = &kInvitationsByOrg,
                 .keys =
                     [](const Invitation& one) {
                       return Keys{{.partition = PartitionOf(one.org), .sort = one.id}};
                     }}},
      .expires_at =
          [](const Invitation& one) { return std::optional(one.expires_at + kInvitationKept); },
  });
  return invitations;
}

const store::Collection<Applicant>& ApplicantRows() {
  static const store::Collection<Applicant> applicants({
      .table = &kApplicantTable,
      .key = [](const Applicant& one) { return InvitationKey(one.id); },
      .unique = {{.table = &kApplicantLetters,
                  .key = [](const Applicant& one) { return SecretKey(one.letter_hash); }},
                 {.table = &kApplicantSessions,
                  .key =
                      [](const Applicant& one) {
                        return std::optional(ApplicantSessionKey(one.session));
                      }}},
      .lists = {{.table = &kApplicantsByOrg,
                 .projection = store::Projection::kKey,
                 .keys = WaitingKeys}},
      .expires_at = [](const Applicant& one) { return std::optional(one.expires_at); },
  });
  return applicants;
}

}  // namespace atrium::identity
