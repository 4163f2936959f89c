// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "identity/records.h"
#include "store/collection.h"
#include "store/decoded_records.h"
#include "store/table.h"

namespace atrium::identity {

// docs/formats/identity.md shows the rows.

inline constexpr store::Table kOrgTable{.number = 100, .name = "orgs"};
/// All of them under one partition: there are few.
inline constexpr store::Table kOrgList{
    .number = 101, .name = "org_list", .kind = store::TableKind::kDerived};
inline constexpr store::Table kHostTable{.number = 102, .name = "host_names"};
inline constexpr store::Table kUserTable{.number = 103, .name = "users", .group = 103};
inline constexpr store::Table kUserEmails{.number = 104, .name = "user_emails"};
inline constexpr store::Table kUsersByOrg{
    .number = 105, .name = "users_by_org", .kind = store::TableKind::kDerived};
inline constexpr store::Table kSecretsTable{.number = 106, .name = "user_secrets", .group = 103};
inline constexpr store::Table kExternalTable{.number = 107, .name = "external_identities"};
inline constexpr store::Table kExternalByUser{
    .number = 108, .name = "external_by_user", .kind = store::TableKind::kDerived};
inline constexpr store::Table kSessionTable{.number = 109, .name = "sessions"};
inline constexpr store::Table kSessionsByUser{
    .number = 110, .name = "sessions_by_user", .kind = store::TableKind::kDerived};
inline constexpr store::Table kTokenTable{.number = 111, .name = "tokens"};
inline constexpr store::Table kTokensByUser{
    .number = 112, .name = "tokens_by_user", .kind = store::TableKind::kDerived};
inline constexpr store::Table kLinkTable{.number = 113, .name = "mailed_links"};
inline constexpr store::Table kProviderTable{.number = 114, .name = "providers"};
inline constexpr store::Table kFlowTable{.number = 115, .name = "provider_flows"};
inline constexpr store::Table kAttemptTable{.number = 116, .name = "attempts"};
/// A partition for each organisation.
inline constexpr store::Table kAuditLog{
    .number = 117, .name = "audit", .kind = store::TableKind::kLog};
/// Counters of each organisation: "bytes".
inline constexpr store::Table kOrgUsage{.number = 118, .name = "org_usage"};
inline constexpr store::Table kPhotoTable{.number = 119, .name = "user_photos", .group = 103};

/// The tables without a collection, for the schema of the whole program.
std::vector<const store::Table*> BareTables();
/// The others.
std::vector<const store::AnyCollection*> Collections();

const store::Collection<Org>& Orgs();
const store::Collection<HostName>& HostNames();
const store::Collection<User>& Users();
const store::Collection<UserSecrets>& Secrets();
const store::Collection<UserPhoto>& UserPhotos();
const store::Collection<ExternalIdentity>& ExternalIdentities();
const store::Collection<Session>& Sessions();
const store::Collection<Token>& Tokens();
const store::Collection<MailedLink>& MailedLinks();
const store::Collection<Provider>& Providers();
const store::Collection<ProviderFlow>& ProviderFlows();
const store::Collection<Attempts>& AttemptCounts();

store::Key OrgKey(const OrgId& org);
store::Key HostKey(std::string_view host);
store::Key UserKeyOf(const UserId& user);
store::Key EmailKey(std::string_view email);
/// Of rows whose key is the hash of a secret: sessions, tokens, links, flows.
store::Key HashKey(std::string_view hash);
store::Key ExternalKey(std::string_view issuer, std::string_view subject);
store::Key ProviderKey(const OrgId& org, std::string_view id);
store::Key AttemptKey(std::string_view subject);

/// The partition of all organisations in kOrgList.
inline constexpr std::string_view kAllOrgs = "all";
/// The partition of an organisation or a person in the lists by them.
std::string PartitionOf(const OrgId& org);
std::string PartitionOf(const UserId& user);

}  // namespace atrium::identity

namespace atrium::store {

template <>
inline constexpr bool kIsReadAllTheTime<identity::HostName> = true;
template <>
inline constexpr bool kIsReadAllTheTime<identity::Session> = true;
template <>
inline constexpr bool kIsReadAllTheTime<identity::Token> = true;
template <>
inline constexpr bool kIsReadAllTheTime<identity::User> = true;

}  // namespace atrium::store
