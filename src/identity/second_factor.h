// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/sealed_box.h"
#include "identity/accounts.h"
#include "identity/attempts.h"
#include "identity/audit.h"
#include "identity/ground.h"
#include "identity/records.h"

namespace atrium::identity {

/// What an authenticator app needs in order to make codes.
struct Enrolment {
  /// In base32, for typing.
  std::string secret{};
  /// For a QR code.
  std::string uri{};
};
BOOST_DESCRIBE_STRUCT(Enrolment, (), (secret, uri))

/// Time-based codes as a second factor, with recovery codes for when the device is gone.
class SecondFactor {
 public:
  struct Parts {
    const Accounts& accounts;
    GuessLimits& limits;
    const SealedBox& box;
  };

  SecondFactor(const Ground& ground, const Parts& parts) : ground_(ground), parts_(parts) {}

  static bool IsOn(const UserSecrets& secrets) { return !secrets.totp_secret.empty(); }

  static void TurnOff(UserSecrets& secrets);
  /// The associated text with which the secrets of a person are sealed.
  static std::string SealedFor(const UserId& user);

  /// Begins it. Nothing is demanded of the person until Confirm(). kConflict when it is on.
  Result<Enrolment> Begin(const store::OpContext& op, const User& user);
  /// Turns it on with a first code, and answers the recovery codes, shown once.
  Result<std::vector<std::string>> Confirm(const store::OpContext& op, const Actor& actor,
                                           const User& user, std::string_view code);
  /// Turns it off, for who has a code, or for an administrator, who needs none. kRateLimited when
  /// too many codes were tried.
  Result<void> End(const store::OpContext& op, const Actor& actor, const User& user,
                   const std::optional<std::string>& code);

  /// The secrets as they are once `code` was used up: to be written with the commit it opens.
  /// kPermissionDenied when the code is wrong or was used before.
  Result<UserSecrets> Use(const UserSecrets& secrets, std::string_view code) const;

 private:
  Result<store::Stored<UserSecrets>> LoadSecrets(const store::OpContext& op,
                                                 const User& user) const;

  const Ground ground_;
  const Parts parts_;
};

}  // namespace atrium::identity
