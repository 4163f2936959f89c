// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/instant.h"
#include "base/result.h"

namespace atrium::oidc {

/// What a provider says about a person. Texts are empty when it does not say.
struct Claims {
  /// Together with `issuer` the person's identity there; e-mail addresses change hands.
  std::string issuer{};
  std::string subject{};
  std::string email{};
  /// The provider has seen that the address is the person's. False when it does not say.
  bool email_verified = false;
  std::string name{};
  std::string picture{};
  std::string locale{};
  /// Google's `hd`: the organisation that the account belongs to.
  std::string hosted_domain{};
  /// When the person signed in at the provider; nullopt when it does not say.
  std::optional<Instant> auth_time{};

  bool operator==(const Claims&) const = default;
};

/// What an ID token must agree with.
struct Expected {
  std::string issuer{};
  std::string client_id{};
  std::string nonce{};
  Instant now{};
  /// How far the provider's clock may be from ours.
  std::chrono::seconds leeway{60};
};

/// How old a token may be when it arrives. It comes straight from the provider, so minutes are
/// many.
inline constexpr std::chrono::minutes kTokenAgeMax{10};
inline constexpr std::size_t kSubjectBytesMax = 255;

/// Reads the payload of an ID token, whose signature somebody else has checked, and holds it to
/// OpenID Connect Core 1.0 §3.1.3.7: issuer, audience (and `azp`, which must be there with several
/// audiences), `exp`, `iat`, `nbf`, the nonce and a subject.
///
/// kInvalidArgument when it is no such payload, kPermissionDenied when it says something else than
/// is expected; the message names the claim, never its value. Of the claims about the person, those
/// of another type, above 2048 bytes or with control characters count as not said:
/// there are providers whose `locale` is an object.
Result<Claims> ReadIdClaims(std::string_view payload, const Expected& expected);

/// Reads the answer of a UserInfo endpoint into what `known` lacks: e-mail address (with its
/// verification), name, picture, locale. kPermissionDenied when it speaks of another subject,
/// which the standard demands to be checked (§5.3.2).
Result<Claims> ReadUserInfo(std::string_view document, const Claims& known);

}  // namespace atrium::oidc
