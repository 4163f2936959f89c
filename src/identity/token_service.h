// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "identity/audit.h"
#include "identity/ground.h"
#include "identity/records.h"
#include "store/batch.h"

namespace atrium::identity {

struct NewToken {
  std::string name{};
  TokenType type = TokenType::kPersonal;
  /// Absent: what the type is made for.
  std::optional<std::vector<std::string>> scopes{};
  std::optional<Instant> expires_at{};
};
BOOST_DESCRIBE_STRUCT(NewToken, (), (name, type, scopes, expires_at))

/// A token in the only moment in which its secret is known.
struct MadeToken {
  std::string secret{};
  Token token{};
};

/// Whether the token is worth anything, now that its person is as they are.
bool StillStands(const Token& token, const User& user);

/// Long-lived credentials for programs: API tokens, personal access tokens, app passwords.
class TokenService {
 public:
  explicit TokenService(const Ground& ground) : ground_(ground) {}

  /// kPermissionDenied for scopes that `held` does not cover: nobody gives away more than they
  /// have.
  Result<MadeToken> Create(const store::OpContext& op, const Actor& actor, const User& user,
                           const api::Scopes& held, const NewToken& wanted);
  /// For a device that signs in, as part of the commit of that: it ends when its person signs out
  /// everywhere. Signing in again, as command lines do all the time, leaves no trail of tokens: a
  /// standing token of the same name and type is replaced. The new one has its id, so that what
  /// derives from it goes on.
  Result<MadeToken> MakeForDevice(const store::OpContext& op, store::Batch& batch,
                                  const Actor& actor, const User& user, const NewToken& wanted);

  /// Those that have not ended, newest first.
  Result<std::vector<Token>> List(const store::OpContext& op, const User& user) const;
  /// kNotFound when the person has no such token.
  Result<void> End(const store::OpContext& op, const Actor& actor, const User& user,
                   const std::string& id);

 private:
  Result<MadeToken> Compose(const User& user, const api::Scopes& held,
                            const NewToken& wanted) const;
  Result<std::optional<store::Stored<Token>>> FindNamed(const store::OpContext& op,
                                                        const User& user,
                                                        const NewToken& wanted) const;
  void AddLine(store::Batch& batch, const Actor& actor, const User& user, const Token& made) const;

  const Ground ground_;
};

}  // namespace atrium::identity
