// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "identity/provider_list.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/json_write.h"
#include "base/utf8.h"
#include "identity/accounts.h"
#include "identity/keys.h"
#include "store/batch.h"
#include "store/store.h"

namespace atrium::identity {
namespace {

constexpr std::size_t kIdBytesMax = 32;
constexpr std::size_t kNameBytesMax = 200;
constexpr std::size_t kClientBytesMax = 1000;

/// Words that mean something else where the id of a provider stands in a path.
constexpr std::array<std::string_view, 8> kReservedIds{"confirm",    "link", "login", "logout",
                                                       "logout-all", "me",   "reset", "unlink"};

bool IsIdCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
}

bool IsText(std::string_view text) {
  return !text.empty() && text.size() <= kNameBytesMax && IsValidUtf8(text);
}

Result<void> CheckWanted(const NewProvider& wanted) {
  if (wanted.id.empty() || wanted.id.size() > kIdBytesMax ||
      !std::ranges::all_of(wanted.id, IsIdCharacter)) {
    return Fail(ErrorCode::kInvalidArgument, "id: 1 to 32 of a-z, 0-9 and -");
  }
  if (std::ranges::find(kReservedIds, wanted.id) != kReservedIds.end()) {
    return Fail(ErrorCode::kInvalidArgument, "id: this word is used for something else");
  }
  if (!IsText(wanted.name)) {
    return Fail(ErrorCode::kInvalidArgument, "name: 1 to 200 bytes of text");
  }
  if (wanted.client_id.size() > kClientBytesMax ||
      wanted.client_secret.value_or("").size() > kClientBytesMax) {
    return Fail(ErrorCode::kInvalidArgument, "client_id, client_secret: at most 1000 bytes");
  }
  return oidc::Validate({.issuer = wanted.issuer, .client_id = wanted.client_id});
}

std::string TargetOfProvider(const std::string& id) {
  return "provider:" + id;
}

/// Administrators sign in through providers, too: whoever enters one can enter as them.
Result<void> CheckMayDecide(const Actor& actor, const OrgId& org) {
  RETURN_IF_ERROR(CheckMayManage(actor, org, Role::kUser));
  if (actor.by_token) {
    return Fail(ErrorCode::kPermissionDenied,
                "a token does not change providers: sign in, and prove who you are");
  }
  return {};
}

}  // namespace

ShownProvider Show(const Provider& provider) {
  return {.id = provider.id,
          .name = provider.name,
          .issuer = provider.issuer,
          .client_id = provider.client_id,
          .trusted = provider.trusted,
          .creates_users = provider.creates_users};
}

Result<std::vector<Provider>> ProviderList::List(const store::OpContext& op,
                                                 const OrgId& org) const {
  const std::string partition = PartitionOf(org);
  ASSIGN_OR_RETURN(auto page,
                   store::List<Provider>(
                       ground_.store, op,
                       {.table = &kProviderTable, .partition = partition, .limit = kProvidersMax}));
  std::vector<Provider> providers;
  providers.reserve(page.records.size());
  for (store::Stored<Provider>& one : page.records) {
    providers.push_back(std::move(one.record));
  }
  return providers;
}

Result<store::Stored<Provider>> ProviderList::Load(const store::OpContext& op, const OrgId& org,
                                                   const std::string& id) const {
  ASSIGN_OR_RETURN(auto found, store::Find(ground_.store, op, Providers(), ProviderKey(org, id)));
  if (!found) {
    return Fail(ErrorCode::kNotFound, "there is no such provider");
  }
  return *std::move(found);
}

Result<store::Stored<Provider>> ProviderList::Put(const store::OpContext& op, const Actor& actor,
                                                  const OrgId& org, const NewProvider& wanted) {
  RETURN_IF_ERROR(CheckMayDecide(actor, org));
  RETURN_IF_ERROR(CheckWanted(wanted));
  return store::RetryConflicts([&] { return PutOnce(op, actor, org, wanted); });
}

Result<std::string> ProviderList::SecretFor(const OrgId& org, const NewProvider& wanted,
                                            const Provider* old) const {
  if (wanted.client_secret) {
    return wanted.client_secret->empty()
               ? Result<std::string>("")
               : box_.Seal(*wanted.client_secret, SealedFor(org, wanted.id));
  }
  if (old == nullptr || old->client_secret.empty()) {
    return "";
  }
  // Whoever may change a provider must not learn its secret by having it sent to themselves.
  if (old->issuer != wanted.issuer) {
    return Fail(ErrorCode::kInvalidArgument, "client_secret: another issuer needs it anew");
  }
  return old->client_secret;
}

Result<store::Stored<Provider>> ProviderList::PutOnce(const store::OpContext& op,
                                                      const Actor& actor, const OrgId& org,
                                                      const NewProvider& wanted) {
  ASSIGN_OR_RETURN(const auto home, store::Find(ground_.store, op, Orgs(), OrgKey(org)));
  if (!home) {
    return Fail(ErrorCode::kNotFound, "there is no such organisation");
  }
  ASSIGN_OR_RETURN(const auto old,
                   store::Find(ground_.store, op, Providers(), ProviderKey(org, wanted.id)));
  ASSIGN_OR_RETURN(const std::vector<Provider> present, List(op, org));
  if (!old && present.size() >= kProvidersMax) {
    return Fail(ErrorCode::kLimitExceeded, "there are 50 providers already");
  }
  ASSIGN_OR_RETURN(std::string secret, SecretFor(org, wanted, old ? &old->record : nullptr));
  const Instant now = ground_.clock.Now();
  Provider provider{.id = wanted.id,
                    .org = org,
                    .name = wanted.name,
                    .issuer = wanted.issuer,
                    .client_id = wanted.client_id,
                    .client_secret = std::move(secret),
                    .trusted = wanted.trusted,
                    .creates_users = wanted.creates_users,
                    .created_at = old ? old->record.created_at : now};
  store::Batch batch;
  if (old) {
    batch.Replace(Providers(), *old, provider);
  } else {
    batch.Create(Providers(), provider);
  }
  batch.Check(Orgs(), *home);
  AddAudit(batch, actor, now,
           {.org = org,
            .action = old ? "provider.changed" : "provider.created",
            .target = TargetOfProvider(provider.id),
            .detail = {{"issuer", provider.issuer},
                       {"trusted", ToJson(provider.trusted)},
                       {"creates_users", ToJson(provider.creates_users)}}});
  batch.SetAnswer({.status = 200, .body = ToJson(Show(provider))});
  ASSIGN_OR_RETURN(const store::Receipt receipt, ground_.store.Commit(op, std::move(batch)));
  return store::Stored<Provider>{.record = std::move(provider), .version = receipt.version};
}

Result<void> ProviderList::Erase(const store::OpContext& op, const Actor& actor, const OrgId& org,
                                 const std::string& id) {
  RETURN_IF_ERROR(CheckMayDecide(actor, org));
  ASSIGN_OR_RETURN(const auto old, Load(op, org, id));
  store::Batch batch;
  batch.Erase(Providers(), old);
  AddAudit(batch, actor, ground_.clock.Now(),
           {.org = org,
            .action = "provider.erased",
            .target = TargetOfProvider(id),
            .detail = {{"issuer", old.record.issuer}}});
  RETURN_IF_ERROR(ground_.store.Commit(op, std::move(batch)));
  return {};
}

std::string ProviderList::SealedFor(const OrgId& org, std::string_view id) {
  return "org/" + org.Render() + "/provider/" + std::string(id);
}

Result<oidc::Provider> ProviderList::ClientOf(const Provider& provider) const {
  oidc::Provider client{.issuer = provider.issuer, .client_id = provider.client_id};
  if (!provider.client_secret.empty()) {
    ASSIGN_OR_RETURN(client.client_secret,
                     box_.Open(provider.client_secret, SealedFor(provider.org, provider.id)));
  }
  return client;
}

}  // namespace atrium::identity
