// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "identity/accounts.h"
#include "identity/audit.h"
#include "identity/ground.h"
#include "identity/invitations.h"
#include "identity/organisations.h"
#include "store/batch.h"

namespace atrium::identity {

/// Somebody about to get an account.
struct Newcomer {
  /// As EmailAddress spells it.
  std::string email{};
  std::string name{};
  std::optional<std::string> time_zone{};
  /// Empty: they come by a provider.
  std::string password_hash{};
};

/// An invitation that can be used, with what must be known of it.
struct UsableInvitation {
  Invitations::Found found{};
  Occasion occasion{};
  User inviter{};
};

/// Lets people in by invitation: what all the ways share.
class Admission {
 public:
  struct Parts {
    Accounts& accounts;
    const Organisations& organisations;
    Invitations& invitations;
  };

  Admission(const Ground& ground, const Parts& parts) : ground_(ground), parts_(parts) {}

  /// kRefusedByState, saying why, when the invitation has ended, whoever made it is not there any
  /// more, or what it invites to is gone.
  Result<UsableInvitation> Check(const store::OpContext& op, Invitations::Found found) const;
  /// kPermissionDenied when the organisation has decided otherwise since.
  Result<void> CheckTakesNewcomers(const store::OpContext& op,
                                   const UsableInvitation& invitation) const;

  /// Adds the account, its place in what it was invited to, the end of the invitation and the lines
  /// of the log to the batch.
  Result<User> Add(const store::OpContext& op, store::Batch& batch, const Actor& actor,
                   const UsableInvitation& invitation, const Newcomer& newcomer) const;

  /// What a failed commit of the above means: kAlreadyExists "email: …" when somebody has the
  /// address, the error itself otherwise.
  Error Explain(const store::OpContext& op, const Error& error, const std::string& email) const;

 private:
  const Ground ground_;
  const Parts parts_;
};

/// The person whom a commit makes known, in place of nobody.
Actor ActingAs(const User& user, Actor actor);

}  // namespace atrium::identity
