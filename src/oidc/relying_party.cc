// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "oidc/relying_party.h"

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/result.h"
#include "oidc/claims.h"
#include "oidc/discovery.h"
#include "oidc/flow.h"
#include "oidc/id_token.h"
#include "oidc/keys.h"
#include "oidc/provider.h"

namespace atrium::oidc {

Result<Started> RelyingParty::Begin(const Provider& provider, std::string_view redirect_uri,
                                    const AuthorizationOptions& options) {
  RETURN_IF_ERROR(Validate(provider));
  ASSIGN_OR_RETURN(const std::shared_ptr<const Discovery> discovery,
                   directory_.Find(provider.issuer));
  Flow flow = NewFlow();
  std::string url = AuthorizationUrl(*discovery, provider, flow, redirect_uri, options);
  return Started{.url = std::move(url), .flow = std::move(flow)};
}

Result<Claims> RelyingParty::Finish(const Provider& provider, std::string_view redirect_uri,
                                    const Flow& flow, std::string_view code) {
  RETURN_IF_ERROR(Validate(provider));
  if (code.empty()) {
    return Fail(ErrorCode::kInvalidArgument, "the code is missing");
  }
  ASSIGN_OR_RETURN(const std::shared_ptr<const Discovery> discovery,
                   directory_.Find(provider.issuer));
  ASSIGN_OR_RETURN(const Tokens tokens, Exchange(sender_, *discovery, provider,
                                                 {.code = std::string(code),
                                                  .redirect_uri = std::string(redirect_uri),
                                                  .code_verifier = flow.code_verifier}));
  ASSIGN_OR_RETURN(Claims claims, Verify(provider, flow, tokens));
  const bool complete = !claims.email.empty() && !claims.name.empty();
  if (complete || discovery->userinfo_endpoint.empty() || tokens.access_token.empty()) {
    return claims;
  }
  return FetchUserInfo(sender_, *discovery, tokens.access_token, claims);
}

Result<Claims> RelyingParty::Verify(const Provider& provider, const Flow& flow,
                                    const Tokens& tokens) {
  ASSIGN_OR_RETURN(const TokenHeader header, ReadTokenHeader(tokens.id_token));
  ASSIGN_OR_RETURN(const std::shared_ptr<const KeySet> keys,
                   directory_.FindKeys(provider.issuer, header.kid));
  return VerifyIdToken(tokens.id_token, *keys,
                       {.issuer = provider.issuer,
                        .client_id = provider.client_id,
                        .nonce = flow.nonce,
                        .now = clock_.Now()});
}

}  // namespace atrium::oidc
