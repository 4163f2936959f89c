// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "identity/set_up.h"

#include <utility>

#include "base/constant_time.h"
#include "identity/secret_token.h"

namespace atrium::identity {

std::optional<std::string> SetUp::NewSecret() {
  if (gatekeeper_.IsSetUp()) {
    return std::nullopt;
  }
  identity::NewSecret secret = MakeSecret(TokenKind::kSetup);
  const std::scoped_lock lock(mutex_);
  hash_ = std::move(secret.hash);
  return std::move(secret.text);
}

Result<store::Stored<User>> SetUp::Complete(const store::OpContext& op, const Actor& actor,
                                            const std::string& secret, const FirstSteps& first,
                                            const Alongside& also) {
  if (gatekeeper_.IsSetUp()) {
    return Fail(ErrorCode::kAlreadyExists, "this server was set up already");
  }
  {
    const std::scoped_lock lock(mutex_);
    if (hash_.empty() || !ConstantTimeEqual(hash_, HashSecret(secret))) {
      return Fail(ErrorCode::kUnauthenticated,
                  "token: not the one that the server printed when it started last");
    }
  }
  if (!first.user.password) {
    return Fail(ErrorCode::kInvalidArgument, "password: missing");
  }
  return CompleteAsOperator(op, actor, first, also);
}

Result<store::Stored<User>> SetUp::CompleteAsOperator(const store::OpContext& op,
                                                      const Actor& actor, const FirstSteps& first,
                                                      const Alongside& also) {
  Result<store::Stored<User>> user = accounts_.CreateFirst(op, actor, first, also);
  const bool by_another = !user && user.error().code == ErrorCode::kAlreadyExists;
  if (!user && !by_another) {
    return user;
  }
  gatekeeper_.NoteSetUp();
  const std::scoped_lock lock(mutex_);
  hash_.clear();
  return user;
}

}  // namespace atrium::identity
