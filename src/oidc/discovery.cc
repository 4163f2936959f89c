// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "oidc/discovery.h"

#include <boost/describe/class.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/json_read.h"
#include "base/result.h"
#include "oidc/provider.h"

namespace atrium::oidc {

BOOST_DESCRIBE_STRUCT(Discovery, (),
                      (issuer, authorization_endpoint, token_endpoint, jwks_uri, userinfo_endpoint,
                       token_endpoint_auth_methods_supported))

std::string DiscoveryUrl(std::string_view issuer) {
  // §4: a slash at the end is removed before the path is appended.
  if (issuer.ends_with('/')) {
    issuer.remove_suffix(1);
  }
  return std::string(issuer) + "/.well-known/openid-configuration";
}

Result<Discovery> ParseDiscovery(std::string_view document, std::string_view issuer) {
  ASSIGN_OR_RETURN(Discovery discovery,
                   FromJson<Discovery>(document, {.unknown = OnUnknown::kIgnore,
                                                  .missing = OnMissing::kKeepDefault}));
  if (discovery.issuer != issuer) {
    return Fail(ErrorCode::kPermissionDenied, "the discovery document is another issuer's");
  }
  RETURN_IF_ERROR(ValidateEndpoint("authorization_endpoint", discovery.authorization_endpoint));
  RETURN_IF_ERROR(ValidateEndpoint("token_endpoint", discovery.token_endpoint));
  RETURN_IF_ERROR(ValidateEndpoint("jwks_uri", discovery.jwks_uri));
  if (!discovery.userinfo_endpoint.empty()) {
    RETURN_IF_ERROR(ValidateEndpoint("userinfo_endpoint", discovery.userinfo_endpoint));
  }
  return discovery;
}

}  // namespace atrium::oidc
