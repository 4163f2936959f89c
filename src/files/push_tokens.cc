// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/push_tokens.h"

#include <boost/describe/class.hpp>
#include <cstdint>

#include "base/hash.h"
#include "base/json_read.h"
#include "base/json_write.h"
#include "oidc/signed_token.h"

namespace atrium::files {
namespace {

/// Under the names that servers of Seafile use, where they have one.
struct PushClaims {
  LibraryId repo_id{};
  UserId user_id{};
  std::uint64_t generation = 0;
  /// Seconds since 1970.
  std::int64_t exp = 0;
  api::CredentialRef parent{};
};
BOOST_DESCRIBE_STRUCT(PushClaims, (), (repo_id, user_id, generation, exp, parent))

}  // namespace

PushTokens::PushTokens(const Clock& clock, const SecretKey& key)
    : clock_(clock), key_(HmacSha256(key, "push token")) {}

Result<std::string> PushTokens::Issue(const Person& person, const LibraryId& library) const {
  const Instant ends_at = clock_.Now() + kPushTokenTtl;
  const PushClaims claims{
      .repo_id = library,
      .user_id = person.id,
      .generation = person.generation,
      .exp = std::chrono::duration_cast<std::chrono::seconds>(ends_at.time_since_epoch()).count(),
      .parent = person.by};
  return oidc::SignToken(ToJson(claims), key_);
}

Result<PushGrant> PushTokens::Open(std::string_view token) const {
  ASSIGN_OR_RETURN(const std::string text, oidc::OpenSignedToken(token, key_));
  const auto claims = FromJson<PushClaims>(text);
  const Instant ends_at = claims ? Instant(std::chrono::seconds(claims->exp)) : Instant::min();
  if (!claims || ends_at <= clock_.Now()) {
    return Fail(ErrorCode::kPermissionDenied, "the token has ended");
  }
  return PushGrant{.library = claims->repo_id,
                   .user = claims->user_id,
                   .generation = claims->generation,
                   .ends_at = ends_at,
                   .parent = claims->parent};
}

}  // namespace atrium::files
