// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "files/people.h"
#include "identity/identity.h"

namespace atrium::app {

/// The people of identity, as libraries know them. `identity` outlives it.
class FilesPeople final : public files::People {
 public:
  explicit FilesPeople(const identity::Identity& identity) : identity_(identity) {}

  Result<std::optional<files::Person>> Find(const store::OpContext& op,
                                            const api::UserId& user) const override;
  Result<bool> StillStands(const store::OpContext& op, const api::CredentialRef& credential,
                           http::Staleness allowed) const override;
  Result<std::optional<files::Person>> FindByEmail(const store::OpContext& op,
                                                   std::string_view email) const override;
  Result<void> ReserveForOrg(const store::OpContext& op, const api::OrgId& org, std::int64_t bytes,
                             store::Batch& batch) const override;
  Result<bool> OrgHasRoomFor(const store::OpContext& op, const api::OrgId& org,
                             std::int64_t bytes) const override;
  Result<std::optional<std::int64_t>> BytesOfOrg(const store::OpContext& op,
                                                 const api::OrgId& org) const override;
  Result<std::string> AddressOf(const store::OpContext& op, const api::OrgId& org) const override;
  void WriteDown(store::Batch& batch, const api::UserId& by,
                 const files::Deed& deed) const override;

 private:
  const identity::Identity& identity_;
};

}  // namespace atrium::app
