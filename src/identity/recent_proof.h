// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "api/caller.h"
#include "base/result.h"
#include "identity/accounts.h"
#include "identity/audit.h"
#include "identity/ground.h"
#include "identity/provider_sign_in.h"
#include "identity/records.h"
#include "identity/sign_in.h"
#include "mail/outbox.h"
#include "store/op_context.h"

namespace atrium::identity {

/// How long somebody who has proved who they are need not prove it again.
inline constexpr std::chrono::minutes kProofKept{10};

/// Keeps a stolen session from becoming the account. Whoever changes what one signs in with has
/// proved within the last minutes who they are, in this very session: by signing in, or again since
/// then. No token ever has.
class RecentProof {
 public:
  struct Parts {
    Accounts& accounts;
    SignIn& sign_in;
    const ProviderSignIn& providers;
    const mail::Outbox& outbox;
  };

  RecentProof(const Ground& ground, const Parts& parts) : ground_(ground), parts_(parts) {}

  /// True for the operator, too. kPermissionDenied for a token, which cannot prove anything.
  Result<bool> Has(const store::OpContext& op, const api::Caller& caller) const;

  /// By what the person can prove who they are: "password", "otp", "provider:<id>"; "link", for a
  /// mailed link to sign in with, when there is nothing else.
  Result<std::vector<std::string>> MethodsOf(const store::OpContext& op, const User& user) const;

  /// Takes a proof for the session of the caller. kPermissionDenied when it is wrong, or when the
  /// caller has no session; kRateLimited when there were too many guesses.
  Result<void> Give(const store::OpContext& op, const Actor& actor, const Door& door,
                    const api::Caller& caller, const GivenProof& given);

 private:
  const Ground ground_;
  const Parts parts_;
};

}  // namespace atrium::identity
