// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "egress/http_sender.h"
#include "oidc/claims.h"
#include "oidc/directory.h"
#include "oidc/flow.h"
#include "oidc/provider.h"

namespace atrium::oidc {

/// A sign-in that has begun.
struct Started {
  /// Where the browser goes.
  std::string url{};
  /// What must be at hand when it comes back.
  Flow flow{};
};

/// Signs people in with OpenID providers, as their client. Remembers what providers publish about
/// themselves and nothing about people: who keeps the flow, binds it to the browser and lets it be
/// used once is the caller, who also compares `state` before anything else is done.
/// Blocks while it talks to the provider. Any thread; sender and clock outlive it.
class RelyingParty {
 public:
  RelyingParty(egress::HttpSender& sender, const Clock& clock)
      : sender_(sender), clock_(clock), directory_(sender, clock) {}

  /// Fails as Validate(Provider) and Directory do.
  Result<Started> Begin(const Provider& provider, std::string_view redirect_uri,
                        const AuthorizationOptions& options = {});

  /// Who came back with `code`. `provider`, `redirect_uri` and `flow` are those of Begin. Asks the
  /// UserInfo endpoint when the ID token has no e-mail address or no name.
  ///
  /// kPermissionDenied when the provider refuses the code or the token does not hold,
  /// kInvalidArgument when the token is malformed, kUnavailable or kDeadlineExceeded when the
  /// provider does not answer: then the code may be spent, and the person begins again.
  Result<Claims> Finish(const Provider& provider, std::string_view redirect_uri, const Flow& flow,
                        std::string_view code);

 private:
  Result<Claims> Verify(const Provider& provider, const Flow& flow, const Tokens& tokens);

  egress::HttpSender& sender_;
  const Clock& clock_;
  Directory directory_;
};

}  // namespace atrium::oidc
