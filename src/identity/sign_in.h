// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/ip_network.h"
#include "base/result.h"
#include "identity/accounts.h"
#include "identity/attempts.h"
#include "identity/audit.h"
#include "identity/ground.h"
#include "identity/password_hash.h"
#include "identity/second_factor.h"
#include "identity/session_service.h"

namespace atrium::identity {

struct PasswordSignIn {
  std::string email{};
  std::string password{};
  std::optional<std::string> otp{};
};
BOOST_DESCRIBE_STRUCT(PasswordSignIn, (), (email, password, otp))

/// By what a proof is given: one of the two is enough, and what is given must be right.
struct GivenProof {
  std::optional<std::string> password{};
  /// A code of the second factor, or a recovery code.
  std::optional<std::string> otp{};
};
BOOST_DESCRIBE_STRUCT(GivenProof, (), (password, otp))

/// Where an attempt comes from, and to which organisation.
struct Door {
  OrgId org{};
  IpAddress address{};
};

/// Somebody who proved who they are, and what must be written when that is used.
struct Proven {
  store::Stored<User> user{};
  /// A code was used up, or the password hashed anew.
  std::optional<store::Stored<UserSecrets>> secrets_before{};
  UserSecrets secrets{};
  GuessLimits::Guess guess{};
};

/// Signing in with a password and, where it is on, a second factor. Every guess is counted before
/// it is looked at, and an address that nobody has costs as much time as one that somebody has.
class SignIn {
 public:
  struct Parts {
    Accounts& accounts;
    SessionService& sessions;
    SecondFactor& second_factor;
    GuessLimits& limits;
    PasswordHasher& hasher;
  };

  SignIn(const Ground& ground, const Parts& parts) : ground_(ground), parts_(parts) {}

  /// kUnauthenticated for a wrong address or password, saying not which. kUnauthenticated with the
  /// message "otp: …" when the password is right and a code is missing or wrong; kRateLimited when
  /// there were too many guesses.
  Result<OpenedSession> WithPassword(const store::OpContext& op, const Actor& actor,
                                     const Door& door, const PasswordSignIn& given);

  /// Who somebody is, by their password and, where it is on, their second factor.
  Result<Proven> ProvePassword(const store::OpContext& op, const Door& door,
                               const PasswordSignIn& given);

  /// The same for somebody signed in that has to prove it again: one of the two is enough.
  /// kPermissionDenied when what is given is wrong; kRateLimited when there were too many guesses.
  Result<Proven> ProveAgain(const store::OpContext& op, const Door& door,
                            const store::Stored<User>& user, const GivenProof& given);

  /// Commits what somebody opened who proved who they are.
  Result<void> CommitProven(const store::OpContext& op, store::Batch batch, const Proven& proven);

  /// Changes the password of somebody who knows the present one, and ends all credentials but the
  /// new session it answers.
  Result<OpenedSession> ChangePassword(const store::OpContext& op, const Actor& actor,
                                       const Door& door, const PasswordSignIn& given,
                                       std::string_view wanted);

  /// Checks the second factor of somebody who came by a mailed link.
  Result<UserSecrets> PassSecondFactor(const UserSecrets& secrets,
                                       const std::optional<std::string>& otp) const;

 private:
  Result<OpenedSession> Open(const store::OpContext& op, const Actor& actor, const Proven& proven);
  Result<UserSecrets> CheckPassword(const UserSecrets& secrets, const std::string& password);
  void AddSecrets(store::Batch& batch, const Proven& proven) const;

  const Ground ground_;
  const Parts parts_;
};

}  // namespace atrium::identity
