// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace atrium::oidc {

/// A provider as an administrator has entered it: who signs, and who we are there.
struct Provider {
  /// Exactly as the provider spells it: it is compared byte by byte, a slash at the end included.
  std::string issuer{};
  std::string client_id{};
  /// Empty for a public client, which the provider knows by its redirect URI and PKCE alone.
  std::string client_secret{};
  std::vector<std::string> scopes{"openid", "email", "profile"};
};

/// Refuses with kInvalidArgument what no sign-in could succeed with: an issuer that ValidateIssuer
/// refuses, no client id, scopes without "openid" or with white space inside.
Result<void> Validate(const Provider& provider);

/// Refuses with kInvalidArgument an issuer that is not a URL of ValidateEndpoint, or one with a
/// query (OpenID Connect Discovery 1.0 §3).
Result<void> ValidateIssuer(std::string_view issuer);

/// Refuses with kInvalidArgument what is not an https URL without fragment. http is accepted for
/// addresses of the loopback network (127.0.0.0/8, ::1) and for nothing else: "localhost" is a
/// name, and names can lead anywhere. `what` names the URL in the message.
Result<void> ValidateEndpoint(std::string_view what, std::string_view url);

}  // namespace atrium::oidc
