// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "identity/identity.h"

#include <string_view>
#include <utility>

#include "http/host.h"
#include "identity/keys.h"
#include "identity/routes.h"

namespace atrium::identity {
namespace {

/// "https://a:8443" with the host b: "https://b:8443".
std::string WithHost(std::string_view url, std::string_view host) {
  const std::size_t begin = url.find("://") + 3;
  const std::size_t end = url.find(':', url.find(']', begin) == url.npos ? begin : url.find(']'));
  return std::string(url.substr(0, begin)) + std::string(host) +
         std::string(end == url.npos ? "" : url.substr(end));
}

}  // namespace

Identity::Identity(const Surroundings& surroundings, IdentityOptions wanted)
    : ground(surroundings.ground),
      options(std::move(wanted)),
      outbox(surroundings.outbox),
      hasher({}),
      organisations(ground),
      accounts(ground, hasher),
      photos(ground),
      sessions(ground, options.lifetimes),
      uses(ground, sessions),
      gatekeeper(ground, organisations, uses),
      limits(ground),
      second_factor(ground, {.accounts = accounts, .limits = limits, .box = surroundings.box}),
      sign_in(ground, {.accounts = accounts,
                       .sessions = sessions,
                       .second_factor = second_factor,
                       .limits = limits,
                       .hasher = hasher}),
      links(ground, {.accounts = accounts,
                     .sessions = sessions,
                     .sign_in = sign_in,
                     .limits = limits,
                     .outbox = outbox}),
      tokens(ground),
      set_up(accounts, gatekeeper),
      invitations(ground, {.organisations = organisations,
                           .accounts = accounts,
                           .limits = limits,
                           .outbox = outbox}),
      organisation_invitations(organisations),
      admission(ground,
                {.accounts = accounts, .organisations = organisations, .invitations = invitations}),
      applicants(ground, {.accounts = accounts,
                          .organisations = organisations,
                          .sessions = sessions,
                          .limits = limits,
                          .hasher = hasher,
                          .outbox = outbox,
                          .invitations = invitations,
                          .admission = admission}),
      joining(ground, {.accounts = accounts,
                       .organisations = organisations,
                       .sessions = sessions,
                       .limits = limits,
                       .invitations = invitations,
                       .admission = admission,
                       .applicants = applicants}),
      providers(ground, {.accounts = accounts,
                         .sessions = sessions,
                         .joining = joining,
                         .sender = surroundings.sender,
                         .box = surroundings.box}),
      addresses(ground, {.accounts = accounts,
                         .sessions = sessions,
                         .links = links,
                         .limits = limits,
                         .outbox = outbox}),
      proof(ground,
            {.accounts = accounts, .sign_in = sign_in, .providers = providers, .outbox = outbox}),
      resealing(ground, surroundings.box),
      rules(gatekeeper) {
  outbox.Watch(std::string(Invitations::kLetterKind), invitations);
  invitations.Plug(std::string(OrganisationInvitations::kKind), organisation_invitations);
}

store::OpContext Identity::TermsFor(const http::Request& request) const {
  return {.deadline = ground.clock.Steady() + api::kTimeForStore, .trace = request.id};
}

Result<Door> Identity::DoorOf(const http::Request& request) const {
  ASSIGN_OR_RETURN(const OrgId org, organisations.OfHost(TermsFor(request), request.host));
  return Door{.org = org, .address = request.client};
}

Result<std::string> Identity::BaseUrl(const http::Request& request) const {
  ASSIGN_OR_RETURN(const OrgId org, organisations.OfHost(TermsFor(request), request.host));
  if (org == DefaultOrg()) {
    // Never the host that a request names: whoever asks for a link would choose where it leads.
    return options.public_url;
  }
  // It is one of the organisation, or the request would not be for it. The port is the
  // configured one.
  return WithHost(options.public_url, http::BareHost(request.host));
}

Result<std::string> Identity::BaseUrlOf(const store::OpContext& op, const OrgId& org) const {
  // There is none before the server is set up.
  ASSIGN_OR_RETURN(const auto found, store::Find(ground.store, op, Orgs(), OrgKey(org)));
  if (!found || found->record.hosts.empty()) {
    return options.public_url;
  }
  return WithHost(options.public_url, found->record.hosts.front());
}

void Identity::AddRoutes(api::Api& api) {
  AddSignInRoutes(api, *this);
  AddAccountRoutes(api, *this);
  AddPhotoRoutes(api, *this);
  AddPeopleRoutes(api, *this);
  AddTokenRoutes(api, *this);
  AddClientRoutes(api, *this);
  AddProviderRoutes(api, *this);
  AddInvitationRoutes(api, *this);
  AddJoinRoutes(api, *this);
  AddSecretsRoutes(api, *this);
}

std::vector<jobs::JobSpec> Identity::Jobs() {
  std::vector<jobs::JobSpec> jobs;
  jobs.push_back(MakeUseJob(uses));
  jobs.push_back(MakeResealJob(resealing));
  return jobs;
}

}  // namespace atrium::identity
