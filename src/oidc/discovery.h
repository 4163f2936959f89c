// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace atrium::oidc {

/// What a provider says about itself (OpenID Connect Discovery 1.0 §3), as far as we use it.
struct Discovery {
  std::string issuer{};
  std::string authorization_endpoint{};
  std::string token_endpoint{};
  std::string jwks_uri{};
  /// Empty: the provider has none.
  std::string userinfo_endpoint{};
  /// client_secret_basic when the provider does not say.
  std::vector<std::string> token_endpoint_auth_methods_supported{"client_secret_basic"};
};

/// Where an issuer's document is.
std::string DiscoveryUrl(std::string_view issuer);

/// Reads the document of `issuer`; members we do not use are ignored.
///
/// kPermissionDenied when it speaks for another issuer: the two must be equal byte by byte, or one
/// provider could hand out another one's keys. kInvalidArgument when it is no such document, lacks
/// an endpoint, or names one that ValidateEndpoint refuses.
Result<Discovery> ParseDiscovery(std::string_view document, std::string_view issuer);

}  // namespace atrium::oidc
