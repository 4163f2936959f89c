// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "identity/recent_proof.h"

#include <algorithm>
#include <utility>

#include "identity/keys.h"
#include "identity/second_factor.h"
#include "identity/session_service.h"
#include "store/batch.h"
#include "store/once_only.h"
#include "store/store.h"

namespace atrium::identity {
namespace {

Result<void> CheckSession(const api::Caller& caller) {
  if (caller.credential != api::Credential::kSession || !caller.user) {
    return Fail(ErrorCode::kPermissionDenied,
                "a token cannot do this: sign in, and prove who you are");
  }
  return {};
}

}  // namespace

Result<bool> RecentProof::Has(const store::OpContext& op, const api::Caller& caller) const {
  if (caller.IsOperator()) {
    return true;
  }
  RETURN_IF_ERROR(CheckSession(caller));
  ASSIGN_OR_RETURN(const auto session,
                   FindSession(ground_.store, op, *caller.user, caller.credential_id));
  if (!session || !session->record.proved_at) {
    return false;
  }
  // A proof of the future was written before the clock was set back.
  const Instant now = ground_.clock.Now();
  const Instant proved = *session->record.proved_at;
  return proved <= now && now - proved < kProofKept;
}

Result<std::vector<std::string>> RecentProof::MethodsOf(const store::OpContext& op,
                                                        const User& user) const {
  std::vector<std::string> methods;
  ASSIGN_OR_RETURN(const auto secrets, parts_.accounts.FindSecrets(op, user.id));
  if (secrets && !secrets->record.password_hash.empty()) {
    methods.emplace_back("password");
  }
  if (secrets && SecondFactor::IsOn(secrets->record)) {
    methods.emplace_back("otp");
  }
  ASSIGN_OR_RETURN(const std::vector<Provider> providers, parts_.providers.List(op, user.org));
  ASSIGN_OR_RETURN(const std::vector<ExternalIdentity> linked,
                   parts_.providers.ListLinked(op, user.id));
  for (const Provider& provider : providers) {
    if (std::ranges::find(linked, provider.issuer, &ExternalIdentity::issuer) != linked.end()) {
      methods.push_back("provider:" + provider.id);
    }
  }
  if (methods.empty() && parts_.outbox.IsOpen()) {
    methods.emplace_back("link");
  }
  return methods;
}

Result<void> RecentProof::Give(const store::OpContext& op, const Actor& actor, const Door& door,
                               const api::Caller& caller, const GivenProof& given) {
  RETURN_IF_ERROR(CheckSession(caller));
  ASSIGN_OR_RETURN(const auto user, parts_.accounts.Load(op, *caller.user));
  ASSIGN_OR_RETURN(const Proven proven, parts_.sign_in.ProveAgain(op, door, user, given));
  // The session may be written at the same time, because it was used.
  return store::RetryConflicts([&]() -> Result<void> {
    store::Batch batch;
    RETURN_IF_ERROR(
        AddProof(ground_, op, batch, actor,
                 {.session = caller.Ref(), .how = given.password ? "password" : "otp"}));
    return parts_.sign_in.CommitProven(op, std::move(batch), proven);
  });
}

}  // namespace atrium::identity
