// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "api/caller.h"
#include "base/result.h"
#include "files/records.h"
#include "http/route.h"
#include "store/batch.h"
#include "store/op_context.h"

namespace atrium::files {

struct Person {
  UserId id{};
  OrgId org{};
  std::string name{};
  std::string email{};
  bool is_active = false;
  bool may_write = false;
  /// Grows when all credentials of the person end.
  std::uint64_t generation = 0;
  std::optional<std::int64_t> quota_bytes{};
  /// By what they are known at the moment: what is derived for them ends with it. Of a person that
  /// was only looked up, nothing.
  api::CredentialRef by{};
};

/// Something worth writing down about a library.
struct Deed {
  OrgId org{};
  /// "library.delete".
  std::string action{};
  LibraryId library{};
  std::string detail{};
};

/// What the room must know of people, and tell those who look after them; identity is plugged in
/// here.
class People {
 public:
  People() = default;
  People(const People&) = delete;
  People& operator=(const People&) = delete;
  virtual ~People() = default;

  /// nullopt when there is nobody of that id, or not any more.
  virtual Result<std::optional<Person>> Find(const store::OpContext& op,
                                             const UserId& user) const = 0;
  /// Whether a credential has not ended, on whichever server, by rows as old as is allowed.
  virtual Result<bool> StillStands(const store::OpContext& op, const api::CredentialRef& credential,
                                   http::Staleness allowed) const = 0;
  virtual Result<std::optional<Person>> FindByEmail(const store::OpContext& op,
                                                    std::string_view email) const = 0;
  /// Counts what the organisation stores, and holds the commit to its quota.
  virtual Result<void> ReserveForOrg(const store::OpContext& op, const OrgId& org,
                                     std::int64_t bytes, store::Batch& batch) const = 0;
  /// Whether that would fit now; the commit decides.
  virtual Result<bool> OrgHasRoomFor(const store::OpContext& op, const OrgId& org,
                                     std::int64_t bytes) const = 0;
  /// How much the organisation is counted to store; nullopt when there is none of that id.
  virtual Result<std::optional<std::int64_t>> BytesOfOrg(const store::OpContext& op,
                                                         const OrgId& org) const = 0;
  /// Where people of the organisation reach this server, without a slash at the end.
  virtual Result<std::string> AddressOf(const store::OpContext& op, const OrgId& org) const = 0;
  /// Adds a line of the audit log to the commit.
  virtual void WriteDown(store::Batch& batch, const UserId& by, const Deed& deed) const = 0;
};

}  // namespace atrium::files
