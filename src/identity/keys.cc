// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "identity/keys.h"

#include <optional>

#include "base/hash.h"
#include "base/hex.h"
#include "identity/invitation_keys.h"
#include "store/key_bytes.h"

namespace atrium::identity {
namespace {

using store::Key;
using store::KeyBytes;
using Keys = std::vector<Key>;

}  // namespace

Key OrgKey(const OrgId& org) {
  return {.partition = org.Render()};
}

Key HostKey(std::string_view host) {
  return {.partition = std::string(host)};
}

Key UserKeyOf(const UserId& user) {
  return {.partition = user.Render()};
}

Key EmailKey(std::string_view email) {
  return {.partition = std::string(email)};
}

Key HashKey(std::string_view hash) {
  return {.partition = std::string(hash)};
}

/// Issuers and subjects may be longer than a key.
Key ExternalKey(std::string_view issuer, std::string_view subject) {
  const std::string both = KeyBytes().Text(issuer).Text(subject).Take();
  return {.partition = EncodeHex(Sha256Of(both))};
}

Key ProviderKey(const OrgId& org, std::string_view id) {
  return {.partition = org.Render(), .sort = std::string(id)};
}

Key AttemptKey(std::string_view subject) {
  return {.partition = EncodeHex(Sha256Of(subject))};
}

std::string PartitionOf(const OrgId& org) {
  return org.Render();
}

std::string PartitionOf(const UserId& user) {
  return user.Render();
}

const store::Collection<Org>& Orgs() {
  static const store::Collection<Org> orgs({
      .table = &kOrgTable,
      .key = [](const Org& org) { return OrgKey(org.id); },
      .lists = {{.table = &kOrgList,
                 .keys =
                     [](const Org& org) {
                       return Keys{
                           {.partition = std::string(kAllOrgs),
                            .sort = KeyBytes().Text(org.name).Text(org.id.Render()).Take()}};
                     }}},
  });
  return orgs;
}

const store::Collection<HostName>& HostNames() {
  static const store::Collection<HostName> hosts({
      .table = &kHostTable,
      .key = [](const HostName& name) { return HostKey(name.host); },
  });
  return hosts;
}

const store::Collection<User>& Users() {
  static const store::Collection<User> users({
      .table = &kUserTable,
      .key = [](const User& user) { return UserKeyOf(user.id); },
      .unique = {{.table = &kUserEmails,
                  .key = [](const User& user) { return std::optional(EmailKey(user.email)); }}},
      .lists = {{.table = &kUsersByOrg,
                 .keys =
                     [](const User& user) {
                       return Keys{{.partition = PartitionOf(user.org), .sort = user.email}};
                     }}},
  });
  return users;
}

const store::Collection<UserSecrets>& Secrets() {
  static const store::Collection<UserSecrets> secrets({
      .table = &kSecretsTable,
      .key = [](const UserSecrets& secrets) { return UserKeyOf(secrets.user); },
  });
  return secrets;
}

const store::Collection<UserPhoto>& UserPhotos() {
  static const store::Collection<UserPhoto> photos({
      .table = &kPhotoTable,
      .key = [](const UserPhoto& photo) { return UserKeyOf(photo.user); },
  });
  return photos;
}

const store::Collection<ExternalIdentity>& ExternalIdentities() {
  static const store::Collection<ExternalIdentity> identities({
      .table = &kExternalTable,
      .key = [](const ExternalIdentity& one) { return ExternalKey(one.issuer, one.subject); },
      .lists = {{.table = &kExternalByUser,
                 .keys =
                     [](const ExternalIdentity& one) {
                       return Keys{{.partition = PartitionOf(one.user),
                                    .sort = ExternalKey(one.issuer, one.subject).partition}};
                     }}},
  });
  return identities;
}

const store::Collection<Session>& Sessions() {
  static const store::Collection<Session> sessions({
      .table = &kSessionTable,
      .key = [](const Session& session) { return HashKey(session.hash); },
      .lists = {{.table = &kSessionsByUser,
                 .keys =
                     [](const Session& session) {
                       // A guest has no list; the row is for whoever knows the id.
                       return Keys{
                           {.partition = session.user ? PartitionOf(*session.user) : session.id,
                            .sort = session.id}};
                     }}},
      .expires_at = [](const Session& session) { return std::optional(session.expires_at); },
  });
  return sessions;
}

const store::Collection<Token>& Tokens() {
  static const store::Collection<Token> tokens({
      .table = &kTokenTable,
      .key = [](const Token& token) { return HashKey(token.hash); },
      .lists = {{.table = &kTokensByUser,
                 .keys =
                     [](const Token& token) {
                       return Keys{{.partition = PartitionOf(token.user), .sort = token.id}};
                     }}},
      .expires_at = [](const Token& token) { return token.expires_at; },
  });
  return tokens;
}

const store::Collection<MailedLink>& MailedLinks() {
  static const store::Collection<MailedLink> links({
      .table = &kLinkTable,
      .key = [](const MailedLink& link) { return HashKey(link.hash); },
      .expires_at = [](const MailedLink& link) { return std::optional(link.expires_at); },
  });
  return links;
}

const store::Collection<Provider>& Providers() {
  static const store::Collection<Provider> providers({
      .table = &kProviderTable,
      .key = [](const Provider& provider) { return ProviderKey(provider.org, provider.id); },
  });
  return providers;
}

const store::Collection<ProviderFlow>& ProviderFlows() {
  static const store::Collection<ProviderFlow> flows({
      .table = &kFlowTable,
      .key = [](const ProviderFlow& flow) { return HashKey(flow.hash); },
      .expires_at = [](const ProviderFlow& flow) { return std::optional(flow.expires_at); },
  });
  return flows;
}

const store::Collection<Attempts>& AttemptCounts() {
  static const store::Collection<Attempts> attempts({
      .table = &kAttemptTable,
      .key = [](const Attempts& one) { return AttemptKey(one.subject); },
      .expires_at = [](const Attempts& one) { return std::optional(one.forget_at); },
  });
  return attempts;
}

std::vector<const store::Table*> BareTables() {
  return {&kAuditLog, &kOrgUsage};
}

std::vector<const store::AnyCollection*> Collections() {
  return {
      &Orgs(),          &HostNames(),  &Users(),          &Secrets(),      &ExternalIdentities(),
      &Sessions(),      &Tokens(),     &MailedLinks(),    &Providers(),    &ProviderFlows(),
      &AttemptCounts(), &UserPhotos(), &InvitationRows(), &ApplicantRows()};
}

}  // namespace atrium::identity
