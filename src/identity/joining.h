// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"
#include "identity/accounts.h"
#include "identity/admission.h"
#include "identity/applicants.h"
#include "identity/attempts.h"
#include "identity/audit.h"
#include "identity/ground.h"
#include "identity/invitations.h"
#include "identity/session_service.h"
#include "identity/sign_in.h"

namespace atrium::identity {

/// Which of the two links of an invitation somebody has.
enum class Carrier : std::uint8_t {
  kMail,  ///< The one in the letter: its reader owns the address.
  kHand,  ///< The one the inviter passed on: proves nothing about the address.
};

/// An invitation as whoever opens its link sees it.
struct InvitationGlance {
  InvitationState state = InvitationState::kOpen;
  std::string email{};
  std::string inviter{};
  std::string inviter_email{};
  InvitationTarget target{};
  std::string role{};
  std::string organisation{};
  /// Somebody here has the address that the invitation names: they sign in.
  bool has_account = false;
  /// How the address will have to be proved; nullopt: not at all.
  std::optional<AddressProof> proof{};
};

/// What somebody fills in who wants an account.
struct JoiningForm {
  std::string token{};
  std::string name{};
  std::string password{};
  /// Where the invitation names none.
  std::optional<std::string> email{};
  std::optional<std::string> time_zone{};
};

struct Joined {
  OpenedSession opened{};
  std::string return_to{};
  /// Set when the address must be proved first; the session is provisional then.
  std::optional<AddressProof> awaits{};
};

/// Opening the link of an invitation. Each ends it, in one commit with the account it makes and the
/// place it gives; of two at once one wins. kNotFound for a link that was never one or was replaced
/// by a newer one, or that belongs to another organisation than the host; kRefusedByState, saying
/// why, for an invitation that has ended; kRateLimited for whoever tries links out.
class Joining {
 public:
  struct Parts {
    Accounts& accounts;
    const Organisations& organisations;
    SessionService& sessions;
    GuessLimits& limits;
    Invitations& invitations;
    Admission& admission;
    Applicants& applicants;
  };

  Joining(const Ground& ground, const Parts& parts) : ground_(ground), parts_(parts) {}

  /// Changes nothing. Of an invitation that has ended it says only that.
  Result<InvitationGlance> Look(const store::OpContext& op, const Door& door,
                                const std::string& secret);

  /// Makes an account, or asks for one where the address must be proved first. An address that the
  /// invitation names is proved by its letter, and by the word of an administrator who made the
  /// link.
  Result<Joined> Join(const store::OpContext& op, const Actor& actor, const Door& door,
                      const JoiningForm& form, const std::string& base_url);

  /// Accepts it as somebody who is signed in. kPermissionDenied when it names another address.
  Result<std::string> Accept(const store::OpContext& op, const Actor& actor, const Door& door,
                             const std::string& secret, const UserId& user);

  /// An invitation with which somebody leaves for a provider.
  struct Ticket {
    std::string invitation{};
    Carrier carrier = Carrier::kHand;
    std::string return_to{};
  };
  Result<Ticket> TakeTicket(const store::OpContext& op, const Door& door,
                            const std::string& secret);
  /// Adds the account of somebody whom a provider knows and nobody here. Its verified address
  /// counts as proved; it must be the one that the invitation names, unless its letter proved that
  /// one: then the account gets it.
  struct ProviderGuest {
    std::string email{};
    std::string name{};
    bool email_verified = false;
  };
  Result<User> AddFromProvider(const store::OpContext& op, store::Batch& batch, const Actor& actor,
                               const Ticket& ticket, const ProviderGuest& guest);

 private:
  struct Opened {
    Invitations::Found found{};
    Carrier carrier = Carrier::kHand;
  };
  Result<Opened> Open(const store::OpContext& op, const Door& door, const std::string& secret);
  bool IsProved(const UsableInvitation& invitation, Carrier carrier) const;
  Result<Newcomer> ReadForm(const Invitation& invitation, const JoiningForm& form);
  Result<Joined> Admit(const store::OpContext& op, const Actor& actor, const Opened& opened,
                       const Newcomer& newcomer);

  const Ground ground_;
  const Parts parts_;
};

}  // namespace atrium::identity
