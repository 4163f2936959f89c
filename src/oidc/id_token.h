// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"
#include "oidc/claims.h"
#include "oidc/keys.h"

namespace atrium::oidc {

inline constexpr std::size_t kTokenBytesMax = std::size_t{64} << 10U;

/// What the header of a signed token says about its signature.
struct TokenHeader {
  const Algorithm* algorithm;
  /// Empty: it names no key.
  std::string kid;
};

/// Reads the header alone and believes nothing yet. kInvalidArgument when the text is no signed
/// token in compact form (RFC 7515 §7.1) or above kTokenBytesMax; kPermissionDenied for algorithms
/// that may not sign, "none" among them, and for critical extensions, since we know none.
Result<TokenHeader> ReadTokenHeader(std::string_view compact);

/// What the token says, once its signature was checked with one of `keys` and its content is what
/// was expected. A token that names a key is checked with that key alone; one that names none, with
/// each key that fits its algorithm.
///
/// Fails as ReadTokenHeader and ReadIdClaims do, and with kPermissionDenied when no key fits or the
/// signature is wrong. No message holds anything of the token.
Result<Claims> VerifyIdToken(std::string_view compact, const KeySet& keys,
                             const Expected& expected);

}  // namespace atrium::oidc
