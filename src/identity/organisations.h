// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "identity/audit.h"
#include "identity/ground.h"
#include "identity/records.h"
#include "store/batch.h"
#include "store/record.h"

namespace atrium::identity {

/// The organisation of all hosts that belong to no other, with an id that never changes, so that
/// nobody has to look for it.
OrgId DefaultOrg();

struct NewOrg {
  std::string name{};
  std::vector<std::string> hosts{};
  std::optional<std::int64_t> quota_bytes{};
  std::map<std::string, std::string> settings{};
};
BOOST_DESCRIBE_STRUCT(NewOrg, (), (name, hosts, quota_bytes, settings))

/// Members that are not there stay as they are.
struct OrgChange {
  std::optional<std::string> name{};
  std::optional<std::vector<std::string>> hosts{};
  /// Null takes the quota away.
  std::optional<std::optional<std::int64_t>> quota_bytes{};
  std::optional<std::map<std::string, std::string>> settings{};
};
BOOST_DESCRIBE_STRUCT(OrgChange, (), (name, hosts, quota_bytes, settings))

/// What an organisation uses, beside what it may.
struct OrgUsage {
  std::int64_t bytes = 0;
  std::int64_t users = 0;
};
BOOST_DESCRIBE_STRUCT(OrgUsage, (), (bytes, users))

/// All organisations together.
struct ServerUsage {
  std::uint64_t orgs = 0;
  OrgUsage usage{};
};

/// Organisations and the hosts they are reached by.
class Organisations {
 public:
  explicit Organisations(const Ground& ground) : ground_(ground) {}

  /// Which organisation a request for this host belongs to, port and case ignored.
  Result<OrgId> OfHost(const store::OpContext& op, std::string_view host) const;
  /// Whether some organisation has this host as its own, port and case ignored.
  Result<bool> HasHost(const store::OpContext& op, std::string_view host) const;

  /// kNotFound when there is none.
  Result<store::Stored<Org>> Load(const store::OpContext& op, const OrgId& id) const;
  Result<OrgUsage> Usage(const store::OpContext& op, const OrgId& id) const;
  /// The sum over all of them, of which there are few.
  Result<ServerUsage> UsageOfAll(const store::OpContext& op) const;

  /// kAlreadyExists when a host belongs to another organisation.
  Result<store::Stored<Org>> Create(const store::OpContext& op, const Actor& actor,
                                    const NewOrg& wanted);
  Result<store::Stored<Org>> Change(const store::OpContext& op, const Actor& actor,
                                    const store::Stored<Org>& old, const OrgChange& change);
  /// kConflict while people belong to it; the default one stays.
  Result<void> Erase(const store::OpContext& op, const Actor& actor, const store::Stored<Org>& old);

  /// The default organisation, as part of the commit that sets the server up.
  Result<void> AddDefault(store::Batch& batch, std::string name) const;

 private:
  const Ground ground_;
};

/// One more, or one fewer, person in the organisation: part of the commit that makes it so.
store::Add CountUser(const OrgId& org, std::int64_t delta);
/// Counts what the organisation stores, within its quota.
store::Add CountBytes(const Org& org, std::int64_t delta);
/// The same for those who look after the server. The last one stays: kLimitExceeded.
store::Add CountSuperadmin(std::int64_t delta);

}  // namespace atrium::identity
