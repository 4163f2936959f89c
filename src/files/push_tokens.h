// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/instant.h"
#include "base/result.h"
#include "base/sealed_box.h"
#include "files/people.h"
#include "files/records.h"

namespace atrium::files {

/// How long a client may hear of changes before it has to ask again.
inline constexpr std::chrono::hours kPushTokenTtl{72};

/// What a token says by which a client hears of the changes of one library.
struct PushGrant {
  LibraryId library{};
  UserId user{};
  /// Of the person's credentials, when it was given.
  std::uint64_t generation = 0;
  Instant ends_at{};
  /// What it derives from.
  api::CredentialRef parent{};
};

/// Tokens that say themselves what they open, and are written down nowhere.
class PushTokens {
 public:
  /// `key` is the server's own. The clock outlives it.
  PushTokens(const Clock& clock, const SecretKey& key);

  Result<std::string> Issue(const Person& person, const LibraryId& library) const;
  /// kPermissionDenied for a token that is none or has ended.
  Result<PushGrant> Open(std::string_view token) const;

 private:
  const Clock& clock_;
  const SecretKey key_;
};

}  // namespace atrium::files
