// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "api/access.h"
#include "api/api.h"
#include "base/sealed_box.h"
#include "egress/http_sender.h"
#include "identity/accounts.h"
#include "identity/address_changes.h"
#include "identity/admission.h"
#include "identity/applicants.h"
#include "identity/attempts.h"
#include "identity/gatekeeper.h"
#include "identity/ground.h"
#include "identity/invitations.h"
#include "identity/joining.h"
#include "identity/mailed_links.h"
#include "identity/organisation_invitations.h"
#include "identity/organisations.h"
#include "identity/password_hash.h"
#include "identity/photos.h"
#include "identity/provider_sign_in.h"
#include "identity/recent_proof.h"
#include "identity/resealing.h"
#include "identity/second_factor.h"
#include "identity/session_service.h"
#include "identity/set_up.h"
#include "identity/sign_in.h"
#include "identity/token_service.h"
#include "identity/use_log.h"
#include "jobs/job.h"
#include "mail/outbox.h"

namespace atrium::identity {

/// What the room is given. All of it outlives the room.
struct Surroundings {
  Ground ground;
  mail::Outbox& outbox;
  egress::HttpSender& sender;
  const SealedBox& box;
};

struct IdentityOptions {
  /// "https://atrium.example.org", without a slash at the end: how people reach this server.
  std::string public_url{};
  SessionService::Lifetimes lifetimes{};
};

/// The room: who people are, and by what they are known. Its parts, put together once.
class Identity {
 public:
  Identity(const Surroundings& surroundings, IdentityOptions options);
  Identity(const Identity&) = delete;
  Identity& operator=(const Identity&) = delete;

  /// Looks at what is stored; before the first request.
  Result<void> Prepare() {
    return gatekeeper.LookForSetUp(store::OpContext::ForWork("identity.prepare"));
  }

  void AddRoutes(api::Api& api);
  std::vector<jobs::JobSpec> Jobs();

  /// Where people reach this server, when that was not configured and is known only once it
  /// listens; before the first request.
  void SetPublicUrl(std::string url) { options.public_url = std::move(url); }

  /// The rules that routes of all rooms name.
  const api::AccessRules& Rules() const { return rules; }
  /// Where links in letters lead for a request to this host: the address the server was given, with
  /// the host of the organisation in place of its own. Nothing of it is the request's.
  Result<std::string> BaseUrl(const http::Request& request) const;
  /// The same for people of an organisation, whoever asks: its first host, if it has one.
  Result<std::string> BaseUrlOf(const store::OpContext& op, const OrgId& org) const;
  Result<Door> DoorOf(const http::Request& request) const;

  // In the order in which they need each other.
  const Ground ground;
  IdentityOptions options;
  mail::Outbox& outbox;
  PasswordHasher hasher;
  Organisations organisations;
  Accounts accounts;
  Photos photos;
  SessionService sessions;
  UseLog uses;
  Gatekeeper gatekeeper;
  GuessLimits limits;
  SecondFactor second_factor;
  SignIn sign_in;
  LinkService links;
  TokenService tokens;
  SetUp set_up;
  Invitations invitations;
  const OrganisationInvitations organisation_invitations;
  Admission admission;
  Applicants applicants;
  Joining joining;
  ProviderSignIn providers;
  AddressChanges addresses;
  RecentProof proof;
  Resealing resealing;
  api::AccessRules rules;

 private:
  store::OpContext TermsFor(const http::Request& request) const;
};

}  // namespace atrium::identity
