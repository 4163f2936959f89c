// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "identity/organisations.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "base/check.h"
#include "base/utf8.h"
#include "http/host.h"
#include "identity/invitation_rules.h"
#include "identity/keys.h"
#include "store/limits.h"
#include "store/store.h"

namespace atrium::identity {
namespace {

constexpr std::size_t kNameBytesMax = 200;
// Each host is a partition of its own, and a commit may touch sixteen of them.
constexpr std::size_t kHostsMax = 11;
constexpr std::size_t kSettingsMax = 100;
constexpr std::size_t kSettingBytesMax = 4096;

constexpr std::string_view kUsers = "users";
constexpr std::string_view kBytes = "bytes";

Result<std::vector<std::string>> CheckHosts(const std::vector<std::string>& hosts) {
  if (hosts.size() > kHostsMax) {
    return Fail(ErrorCode::kInvalidArgument, "hosts: at most 11");
  }
  std::set<std::string> bare;
  for (const std::string& host : hosts) {
    if (!http::IsHostAndPort(host)) {
      return Fail(ErrorCode::kInvalidArgument, "hosts: \"" + host + "\" is not a host");
    }
    bare.insert(http::BareHost(host));
  }
  return std::vector<std::string>(bare.begin(), bare.end());
}

bool IsName(std::string_view text) {
  return !text.empty() && text.size() <= kNameBytesMax && IsValidUtf8(text);
}

Result<void> CheckOrg(const Org& org) {
  if (!IsName(org.name)) {
    return Fail(ErrorCode::kInvalidArgument, "name: 1 to 200 bytes of text");
  }
  if (org.quota_bytes && *org.quota_bytes < 0) {
    return Fail(ErrorCode::kInvalidArgument, "quota_bytes: not below zero");
  }
  const bool fits = std::ranges::all_of(org.settings, [](const auto& setting) {
    return !setting.first.empty() &&
           setting.first.size() + setting.second.size() <= kSettingBytesMax;
  });
  if (!fits || org.settings.size() > kSettingsMax) {
    return Fail(ErrorCode::kInvalidArgument, "settings: at most 100, of 4096 bytes each");
  }
  RETURN_IF_ERROR(ReadInvitationRules(org.settings));
  return {};
}

std::vector<std::string> Without(const std::vector<std::string>& hosts,
                                 const std::vector<std::string>& others) {
  std::vector<std::string> rest;
  std::ranges::copy_if(hosts, std::back_inserter(rest), [&](const std::string& host) {
    return std::ranges::find(others, host) == others.end();
  });
  return rest;
}

std::unexpected<Error> HostTaken() {
  return Fail(ErrorCode::kAlreadyExists, "hosts: one of them belongs to another organisation");
}

/// kAlreadyExists when one of the hosts has an organisation.
Result<void> CheckFree(store::Store& store, const store::OpContext& op,
                       const std::vector<std::string>& hosts) {
  for (const std::string& host : hosts) {
    ASSIGN_OR_RETURN(const auto name, store::Find(store, op, HostNames(), HostKey(host)));
    if (name) {
      return HostTaken();
    }
  }
  return {};
}

/// Takes the counters away. kConflict while somebody belongs to the organisation; whoever comes
/// meanwhile moves the row, and the commit fails.
Result<void> AddLeaving(store::Store& store, const store::OpContext& op, store::Batch& batch,
                        const OrgId& org) {
  ASSIGN_OR_RETURN(const std::optional<store::Row> row, store.Get(op, kOrgUsage, OrgKey(org)));
  if (!row) {
    batch.Add(store::Check{
        .table = &kOrgUsage, .key = OrgKey(org), .expect = store::Expectation::Absent()});
    return {};
  }
  if (store::CounterOf(row->counters, kUsers) > 0) {
    return Fail(ErrorCode::kConflict, "people still belong to this organisation");
  }
  batch.Add(store::Erase{
      .table = &kOrgUsage, .key = OrgKey(org), .expect = store::Expectation::At(row->version)});
  return {};
}

}  // namespace

OrgId DefaultOrg() {
  static const OrgId id = [] {
    Result<OrgId> parsed = OrgId::Parse("00000000-0000-4000-8000-000000000001");
    Check(parsed.has_value(), "the id of the default organisation parses");
    return *parsed;
  }();
  return id;
}

Result<OrgId> Organisations::OfHost(const store::OpContext& op, std::string_view host) const {
  ASSIGN_OR_RETURN(const auto found,
                   store::Find(ground_.store, op, HostNames(), HostKey(http::BareHost(host))));
  return found ? found->record.org : DefaultOrg();
}

Result<bool> Organisations::HasHost(const store::OpContext& op, std::string_view host) const {
  ASSIGN_OR_RETURN(const auto found,
                   store::Find(ground_.store, op, HostNames(), HostKey(http::BareHost(host))));
  return found.has_value();
}

Result<store::Stored<Org>> Organisations::Load(const store::OpContext& op, const OrgId& id) const {
  ASSIGN_OR_RETURN(auto found, store::Find(ground_.store, op, Orgs(), OrgKey(id)));
  if (!found) {
    return Fail(ErrorCode::kNotFound, "there is no such organisation");
  }
  return *std::move(found);
}

Result<OrgUsage> Organisations::Usage(const store::OpContext& op, const OrgId& id) const {
  ASSIGN_OR_RETURN(const std::optional<store::Row> row,
                   ground_.store.Get(op, kOrgUsage, OrgKey(id)));
  OrgUsage usage;
  if (row) {
    for (const store::Counter& counter : row->counters) {
      (counter.name == kUsers ? usage.users : usage.bytes) = counter.value;
    }
  }
  return usage;
}

Result<ServerUsage> Organisations::UsageOfAll(const store::OpContext& op) const {
  ServerUsage all;
  store::ScanRequest request{
      .table = &kOrgList, .partition = kAllOrgs, .limit = store::kScanRowsMax};
  do {
    ASSIGN_OR_RETURN(auto page, store::List<Org>(ground_.store, op, request));
    for (const store::Stored<Org>& org : page.records) {
      ASSIGN_OR_RETURN(const OrgUsage usage, Usage(op, org.record.id));
      ++all.orgs;
      all.usage.bytes += usage.bytes;
      all.usage.users += usage.users;
    }
    request.after = std::move(page.resume);
  } while (request.after);
  return all;
}

Result<store::Stored<Org>> Organisations::Create(const store::OpContext& op, const Actor& actor,
                                                 const NewOrg& wanted) {
  ASSIGN_OR_RETURN(std::vector<std::string> hosts, CheckHosts(wanted.hosts));
  const Org org{.id = OrgId(ground_.ids.NewTimeUuid()),
                .name = wanted.name,
                .hosts = std::move(hosts),
                .quota_bytes = wanted.quota_bytes,
                .settings = wanted.settings,
                .created_at = ground_.clock.Now()};
  RETURN_IF_ERROR(CheckOrg(org));
  store::Batch batch;
  batch.Create(Orgs(), org);
  for (const std::string& host : org.hosts) {
    batch.Create(HostNames(), HostName{.host = host, .org = org.id});
  }
  AddAudit(batch, actor, org.created_at,
           {.org = org.id, .action = "org.created", .target = TargetOf(org.id)});
  Result<store::Receipt> receipt = ground_.store.Commit(op, std::move(batch));
  if (!receipt && receipt.error().code == ErrorCode::kConflict) {
    return HostTaken();
  }
  RETURN_IF_ERROR(receipt);
  return store::Stored<Org>{.record = org, .version = receipt->version};
}

Result<store::Stored<Org>> Organisations::Change(const store::OpContext& op, const Actor& actor,
                                                 const store::Stored<Org>& old,
                                                 const OrgChange& change) {
  Org org = old.record;
  org.name = change.name.value_or(org.name);
  org.settings = change.settings.value_or(org.settings);
  org.quota_bytes = change.quota_bytes.value_or(org.quota_bytes);
  ASSIGN_OR_RETURN(org.hosts, CheckHosts(change.hosts.value_or(org.hosts)));
  RETURN_IF_ERROR(CheckOrg(org));
  store::Batch batch;
  batch.Replace(Orgs(), old, org);
  const std::vector<std::string> added = Without(org.hosts, old.record.hosts);
  const std::vector<std::string> removed = Without(old.record.hosts, org.hosts);
  if (added.size() + removed.size() > kHostsMax) {
    return Fail(ErrorCode::kInvalidArgument, "hosts: at most 11 come and go at once");
  }
  for (const std::string& host : added) {
    batch.Create(HostNames(), HostName{.host = host, .org = org.id});
  }
  for (const std::string& host : removed) {
    ASSIGN_OR_RETURN(const auto name, store::Load(ground_.store, op, HostNames(), HostKey(host)));
    batch.Erase(HostNames(), name);
  }
  AddAudit(batch, actor, ground_.clock.Now(),
           {.org = org.id, .action = "org.changed", .target = TargetOf(org.id)});
  const Result<store::Receipt> receipt = ground_.store.Commit(op, std::move(batch));
  if (!receipt && receipt.error().code == ErrorCode::kConflict) {
    RETURN_IF_ERROR(CheckFree(ground_.store, op, added));
  }
  RETURN_IF_ERROR(receipt);
  return store::Stored<Org>{.record = org, .version = receipt->version, .unknown = old.unknown};
}

Result<void> Organisations::Erase(const store::OpContext& op, const Actor& actor,
                                  const store::Stored<Org>& old) {
  if (old.record.id == DefaultOrg()) {
    return Fail(ErrorCode::kInvalidArgument, "the default organisation stays");
  }
  store::Batch batch;
  batch.Erase(Orgs(), old);
  for (const std::string& host : old.record.hosts) {
    ASSIGN_OR_RETURN(const auto name, store::Load(ground_.store, op, HostNames(), HostKey(host)));
    batch.Erase(HostNames(), name);
  }
  RETURN_IF_ERROR(AddLeaving(ground_.store, op, batch, old.record.id));
  AddAudit(batch, actor, ground_.clock.Now(),
           {.org = DefaultOrg(),
            .action = "org.erased",
            .target = TargetOf(old.record.id),
            .detail = {{"name", old.record.name}}});
  RETURN_IF_ERROR(ground_.store.Commit(op, std::move(batch)));
  return {};
}

Result<void> Organisations::AddDefault(store::Batch& batch, std::string name) const {
  if (!IsName(name)) {
    return Fail(ErrorCode::kInvalidArgument, "organisation: 1 to 200 bytes of text");
  }
  batch.Create(Orgs(),
               Org{.id = DefaultOrg(), .name = std::move(name), .created_at = ground_.clock.Now()});
  return {};
}

store::Add CountUser(const OrgId& org, std::int64_t delta) {
  return {.table = &kOrgUsage, .key = OrgKey(org), .counter = std::string(kUsers), .delta = delta};
}

store::Add CountBytes(const Org& org, std::int64_t delta) {
  store::Add add{
      .table = &kOrgUsage, .key = OrgKey(org.id), .counter = std::string(kBytes), .delta = delta};
  add.at_most = org.quota_bytes.value_or(add.at_most);
  return add;
}

store::Add CountSuperadmin(std::int64_t delta) {
  return {.table = &kOrgUsage,
          .key = {.partition = "server"},
          .counter = "superadmins",
          .delta = delta,
          .at_least = 1};
}

}  // namespace atrium::identity
