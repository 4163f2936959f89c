// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mutex>
#include <optional>
#include <string>

#include "base/result.h"
#include "identity/accounts.h"
#include "identity/audit.h"
#include "identity/gatekeeper.h"

namespace atrium::identity {

/// The first start: there is no default password. Whoever reads what the server prints holds the
/// one secret with which the first account is made, and with that account the secret is worthless.
class SetUp {
 public:
  SetUp(Accounts& accounts, Gatekeeper& gatekeeper)
      : accounts_(accounts), gatekeeper_(gatekeeper) {}

  /// A new secret to be printed; the one before it is worth nothing any more. nullopt when the
  /// server is set up.
  std::optional<std::string> NewSecret();

  /// Makes the first account. kUnauthenticated for a wrong secret, kAlreadyExists when the server
  /// was set up meanwhile.
  Result<store::Stored<User>> Complete(const store::OpContext& op, const Actor& actor,
                                       const std::string& secret, const FirstSteps& first,
                                       const Alongside& also = {});
  /// The same for the operator, who needs no secret.
  Result<store::Stored<User>> CompleteAsOperator(const store::OpContext& op, const Actor& actor,
                                                 const FirstSteps& first,
                                                 const Alongside& also = {});

 private:
  Accounts& accounts_;
  Gatekeeper& gatekeeper_;
  std::mutex mutex_;
  // Guarded by mutex_.
  std::string hash_;
};

}  // namespace atrium::identity
