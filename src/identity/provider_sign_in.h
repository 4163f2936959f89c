// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/sealed_box.h"
#include "egress/http_sender.h"
#include "identity/accounts.h"
#include "identity/audit.h"
#include "identity/ground.h"
#include "identity/records.h"
#include "identity/session_service.h"
#include "oidc/relying_party.h"

namespace atrium::identity {

struct NewProvider {
  std::string id{};
  std::string name{};
  std::string issuer{};
  std::string client_id{};
  std::optional<std::string> client_secret{};
  bool trusted = false;
  bool creates_users = false;
};
BOOST_DESCRIBE_STRUCT(NewProvider, (),
                      (id, name, issuer, client_id, client_secret, trusted, creates_users))

/// A sign-in that leaves for a provider.
struct Departure {
  std::string url{};
  /// For a cookie of the browser: only who has it may come back.
  std::string browser_secret{};
};

struct DepartureRequest {
  OrgId org{};
  std::string provider{};
  std::string redirect_uri{};
  std::string return_to{};
  /// Set when somebody who is signed in adds the account elsewhere to theirs.
  std::optional<UserId> links_to{};
};

/// What a browser brings back.
struct Arrival {
  OrgId org{};
  std::string provider{};
  std::string state{};
  std::string code{};
  /// The provider's, instead of a code.
  std::string error{};
  std::string browser_secret{};
};

struct Arrived {
  OpenedSession opened{};
  std::string return_to{};
};

/// Signing in through OpenID providers, any number of them for each organisation.
class ProviderSignIn {
 public:
  struct Parts {
    Accounts& accounts;
    SessionService& sessions;
    egress::HttpSender& sender;
    const SealedBox& box;
  };

  ProviderSignIn(const Ground& ground, const Parts& parts);

  // For administrators. Secrets are sealed, and never shown again.
  Result<std::vector<Provider>> List(const store::OpContext& op, const OrgId& org) const;
  /// Creates it, or replaces the one of the same id; without a secret the present one stays.
  Result<store::Stored<Provider>> Put(const store::OpContext& op, const Actor& actor,
                                      const OrgId& org, const NewProvider& wanted);
  Result<void> Erase(const store::OpContext& op, const Actor& actor, const OrgId& org,
                     const std::string& id);

  Result<Departure> Begin(const store::OpContext& op, const DepartureRequest& request);
  /// Signs in whoever comes back. Known by issuer and subject; otherwise linked, if that was begun
  /// by somebody signed in, or if the provider is trusted and vouches for the address; otherwise a
  /// new account, where the provider may make them. A flow is used up by its first arrival,
  /// whatever comes of it. kUnauthenticated and kPermissionDenied say why not.
  Result<Arrived> Finish(const store::OpContext& op, const Actor& actor, const Arrival& arrival);

  Result<std::vector<ExternalIdentity>> ListLinked(const store::OpContext& op,
                                                   const UserId& user) const;
  /// kConflict for the last way in: no password, and no other provider.
  Result<void> Unlink(const store::OpContext& op, const Actor& actor, const User& user,
                      const std::string& issuer, const std::string& subject);

 private:
  const Ground ground_;
  const Parts parts_;
  oidc::RelyingParty party_;
};

}  // namespace atrium::identity
