// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "identity/accounts.h"
#include "identity/admission.h"
#include "identity/attempts.h"
#include "identity/audit.h"
#include "identity/ground.h"
#include "identity/invitations.h"
#include "identity/password_hash.h"
#include "identity/session_service.h"
#include "identity/sign_in.h"
#include "mail/outbox.h"

namespace atrium::identity {

/// Somebody who asks for an account with an address that is not proved.
struct Application {
  std::string invitation{};
  Newcomer newcomer{};
  AddressProof proof = AddressProof::kLetter;
  std::string base_url{};
};

/// Whoever is in, and where they go.
struct Admitted {
  OpenedSession opened{};
  std::string return_to{};
};

/// People that were invited by a link passed on by hand, until their address is proved. They have a
/// provisional session, by which the browser that asked is known, and no account.
class Applicants {
 public:
  using Found = store::Stored<Applicant>;
  struct Parts {
    Accounts& accounts;
    const Organisations& organisations;
    SessionService& sessions;
    GuessLimits& limits;
    PasswordHasher& hasher;
    mail::Outbox& outbox;
    Invitations& invitations;
    Admission& admission;
  };

  Applicants(const Ground& ground, const Parts& parts) : ground_(ground), parts_(parts) {}

  /// How addresses are proved in this organisation, as things are: no letter without mail.
  Result<AddressProof> ProofFor(const store::OpContext& op, const OrgId& org) const;

  /// Whoever asked with the same invitation before waits no more: a mistyped address can be put
  /// right. kRefusedByState once that was done too often.
  Result<OpenedSession> Apply(const store::OpContext& op, const Actor& actor,
                              const Application& application);

  /// Lets in whoever has the secret of the letter and is in the browser that asked, or knows the
  /// password that was chosen there: nobody confirms an account of somebody else with their own
  /// mailbox. kUnauthenticated "password: …" when that is missing or wrong, kNotFound for a letter
  /// that was used or never was one, kPermissionDenied when the organisation has decided meanwhile
  /// to take in nobody this way.
  struct Confirmation {
    std::string token{};
    /// The id of the provisional session, if there is one.
    std::string session{};
    std::optional<std::string> password{};
  };
  Result<Admitted> Confirm(const store::OpContext& op, const Actor& actor, const Door& door,
                           const Confirmation& given);

  /// Those who wait for an administrator, oldest first.
  Result<std::vector<Applicant>> ListWaiting(const store::OpContext& op, const OrgId& org,
                                             std::size_t limit) const;
  /// kNotFound when there is none that the actor looks after, kRefusedByState when it was decided.
  Result<Found> LoadWaiting(const store::OpContext& op, const Actor& actor,
                            std::string_view id) const;
  /// Makes the account, also where the organisation takes in nobody any more: the administrator
  /// knows. A letter tells the person, if mail is set up; `base_url` is that of the applicant's
  /// organisation.
  Result<User> Approve(const store::OpContext& op, const Actor& actor, std::string_view id,
                       const std::string& base_url);
  /// Ends the invitation, too.
  Result<void> Refuse(const store::OpContext& op, const Actor& actor, std::string_view id);

  /// Whoever has this provisional session. kNotFound when there is nobody, or not any more.
  Result<Found> OfSession(const store::OpContext& op, std::string_view session) const;
  /// A whole session for somebody who was let in meanwhile, in the browser that asked.
  /// kRefusedByState while they wait, and once they have changed what protects the account.
  Result<Admitted> Enter(const store::OpContext& op, const Actor& actor, std::string_view session);

 private:
  Result<void> CheckKnown(const Applicant& applicant, const Confirmation& given);
  Result<UsableInvitation> InvitationOf(const store::OpContext& op,
                                        const Applicant& applicant) const;
  OpenedSession AddApplicant(store::Batch& batch, const Actor& actor,
                             const Application& application, Invitation& invitation);

  const Ground ground_;
  const Parts parts_;
};

}  // namespace atrium::identity
