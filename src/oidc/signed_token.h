// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "base/sealed_box.h"

namespace atrium::oidc {

/// A JSON Web Token (RFC 7519) with a signature by HMAC-SHA256 (HS256), for what this server gives
/// to a client and wants to recognise when it comes back. `claims` is a JSON object, and readable
/// to everybody.
Result<std::string> SignToken(std::string_view claims, const SecretKey& key);

/// The claims of a token that was made with this key; kPermissionDenied for anything else. Whether
/// it is still valid is for the caller to see.
Result<std::string> OpenSignedToken(std::string_view compact, const SecretKey& key);

}  // namespace atrium::oidc
