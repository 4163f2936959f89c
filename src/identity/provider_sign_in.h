// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/sealed_box.h"
#include "egress/http_sender.h"
#include "identity/accounts.h"
#include "identity/audit.h"
#include "identity/ground.h"
#include "identity/joining.h"
#include "identity/provider_list.h"
#include "identity/records.h"
#include "identity/session_service.h"
#include "oidc/claims.h"
#include "oidc/relying_party.h"
#include "store/batch.h"
#include "store/op_context.h"
#include "store/record.h"

namespace atrium::identity {

/// How long somebody may be away at a provider.
inline constexpr std::chrono::minutes kFlowLifetime{10};

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
  /// Set when somebody who is signed in proves again who they are: their session.
  std::optional<api::CredentialRef> proves{};
  /// Set when whoever leaves was invited.
  std::optional<Joining::Ticket> ticket{};
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
  /// Without a secret when somebody who was signed in added the account elsewhere to theirs, or
  /// proved who they are: they go on with the session they have.
  OpenedSession opened{};
  std::string return_to{};
};

/// Signing in through the OpenID providers of an organisation.
///
/// Providers say who somebody is and never what they may do: roles are given here. Who signs in
/// this way is not asked for a second factor of ours, since that is the provider's business. Nor is
/// a sign-in here a recent proof by itself: the provider may have remembered somebody for months.
/// It counts from when it says that they signed in there.
class ProviderSignIn {
 public:
  struct Parts {
    Accounts& accounts;
    SessionService& sessions;
    Joining& joining;
    egress::HttpSender& sender;
    const SealedBox& box;
  };

  ProviderSignIn(const Ground& ground, const Parts& parts);

  // For administrators: as ProviderList says.
  Result<std::vector<Provider>> List(const store::OpContext& op, const OrgId& org) const {
    return list_.List(op, org);
  }
  Result<store::Stored<Provider>> Put(const store::OpContext& op, const Actor& actor,
                                      const OrgId& org, const NewProvider& wanted) {
    return list_.Put(op, actor, org, wanted);
  }
  Result<void> Erase(const store::OpContext& op, const Actor& actor, const OrgId& org,
                     const std::string& id) {
    return list_.Erase(op, actor, org, id);
  }

  /// kNotFound when there is no such provider, kUnavailable when it cannot be used at the moment.
  Result<Departure> Begin(const store::OpContext& op, const DepartureRequest& request);
  /// Signs in whoever comes back. Known by issuer and subject; otherwise linked, if that was begun
  /// by somebody signed in, or if the provider is trusted and vouches for the address; otherwise a
  /// new account, where the provider may make them or an invitation does, and it has verified the
  /// address: whoever owns the mailbox could get into it later. Superadmins are never known by
  /// their address alone.
  ///
  /// A flow is used up by its first arrival, whatever comes of it. kUnauthenticated when nothing
  /// proves who arrives, kPermissionDenied when they may not come in, kConflict when the account
  /// elsewhere belongs to somebody else already.
  Result<Arrived> Finish(const store::OpContext& op, const Actor& actor, const Arrival& arrival);

  Result<std::vector<ExternalIdentity>> ListLinked(const store::OpContext& op,
                                                   const UserId& user) const;
  /// kConflict for the last way in: no password, and no other provider.
  Result<void> Unlink(const store::OpContext& op, const Actor& actor, const User& user,
                      const std::string& issuer, const std::string& subject);

  /// Of one person.
  static constexpr std::size_t kLinkedMax = 20;

 private:
  Result<std::string> BindingOf(const store::OpContext& op, const std::string& browser_secret,
                                const std::optional<UserId>& signed_in) const;
  Result<ProviderFlow> TakeFlow(const store::OpContext& op, const Arrival& arrival);
  Result<oidc::Claims> Ask(const Provider& provider, const ProviderFlow& flow,
                           const std::string& code);
  Result<void> Link(const store::OpContext& op, const Actor& actor, const UserId& id,
                    const oidc::Claims& claims);

  Result<void> Prove(const store::OpContext& op, const Actor& actor,
                     const api::CredentialRef& session, const oidc::Claims& claims);

  // The ways in, each with the commit that opens the session.
  Result<OpenedSession> Admit(const store::OpContext& op, const Actor& actor,
                              const Provider& provider, const oidc::Claims& claims);
  Result<OpenedSession> AdmitKnown(const store::OpContext& op, const Actor& actor,
                                   const Provider& provider, const oidc::Claims& claims,
                                   const store::Stored<ExternalIdentity>& identity);
  Result<OpenedSession> AdmitByAddress(const store::OpContext& op, const Actor& actor,
                                       const Provider& provider, const oidc::Claims& claims,
                                       const store::Stored<User>& user);
  Result<OpenedSession> AdmitNewcomer(const store::OpContext& op, const Actor& actor,
                                      const Provider& provider, const oidc::Claims& claims);
  Result<Arrived> AdmitInvited(const store::OpContext& op, const Actor& actor,
                               const ProviderFlow& flow, const oidc::Claims& claims);

  void AddIdentity(store::Batch& batch, const Actor& actor, const User& user,
                   const oidc::Claims& claims) const;
  Result<void> KeepAnotherWayIn(const store::OpContext& op, store::Batch& batch, const User& user,
                                const ExternalIdentity& leaving) const;

  const Ground ground_;
  const Parts parts_;
  ProviderList list_;
  oidc::RelyingParty party_;
};

}  // namespace atrium::identity
