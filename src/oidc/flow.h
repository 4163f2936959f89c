// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "egress/http_sender.h"
#include "oidc/claims.h"
#include "oidc/discovery.h"
#include "oidc/provider.h"

namespace atrium::oidc {

/// The three secrets of one sign-in. They belong to the browser that began it: kept where only it
/// can present them, used once.
struct Flow {
  std::string state{};
  std::string nonce{};
  std::string code_verifier{};
};

/// 32 random bytes each, in base64url.
Flow NewFlow();

/// What the provider is asked to do beyond the usual; empty texts are not sent.
struct AuthorizationOptions {
  /// Who is probably about to sign in: an e-mail address.
  std::string login_hint{};
  /// "login", "consent", "select_account" or "none" (OpenID Connect Core 1.0 §3.1.2.1).
  std::string prompt{};
  /// How long ago the person may have signed in there; then the ID token says when that was.
  std::optional<std::chrono::seconds> max_age{};
};

/// Where to send the browser: the authorization code flow with PKCE (S256), always.
std::string AuthorizationUrl(const Discovery& discovery, const Provider& provider, const Flow& flow,
                             std::string_view redirect_uri,
                             const AuthorizationOptions& options = {});

/// What came back with the browser, and what was sent along when it left.
struct CodeExchange {
  std::string code{};
  std::string redirect_uri{};
  std::string code_verifier{};
};

struct Tokens {
  std::string id_token{};
  /// Empty when the provider gave none.
  std::string access_token{};
};

/// Trades the code for tokens, once: a code that was sent is spent. The secret goes as the provider
/// wants it, in a header where it has the choice.
///
/// kPermissionDenied when the provider refuses, with its error code ("invalid_grant") in the
/// message, or sends no ID token; kUnavailable when it cannot be reached or fails; kInvalidArgument
/// when it wants the client to prove itself in a way we do not speak. No message holds the code,
/// the verifier, a token or the secret.
Result<Tokens> Exchange(egress::HttpSender& sender, const Discovery& discovery,
                        const Provider& provider, const CodeExchange& exchange);

/// Asks the provider's UserInfo endpoint for what `known` lacks (see ReadUserInfo). kUnavailable
/// when it cannot be reached or answers something else, kPermissionDenied when it refuses the token
/// or answers about somebody else.
Result<Claims> FetchUserInfo(egress::HttpSender& sender, const Discovery& discovery,
                             const std::string& access_token, const Claims& known);

}  // namespace atrium::oidc
