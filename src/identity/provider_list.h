// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/describe/class.hpp>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/sealed_box.h"
#include "identity/audit.h"
#include "identity/ground.h"
#include "identity/records.h"
#include "oidc/provider.h"
#include "store/op_context.h"
#include "store/record.h"

namespace atrium::identity {

struct NewProvider {
  std::string id{};
  std::string name{};
  std::string issuer{};
  std::string client_id{};
  std::optional<std::string> client_secret{};
  bool trusted = false;
  bool creates_users = false;
};
BOOST_DESCRIBE_STRUCT(NewProvider, (),
                      (id, name, issuer, client_id, client_secret, trusted, creates_users))

/// A provider without its secret: all that is ever shown of one.
struct ShownProvider {
  std::string id{};
  std::string name{};
  std::string issuer{};
  std::string client_id{};
  bool trusted = false;
  bool creates_users = false;
};
BOOST_DESCRIBE_STRUCT(ShownProvider, (), (id, name, issuer, client_id, trusted, creates_users))

ShownProvider Show(const Provider& provider);

/// The providers that each organisation has entered. Their secrets are sealed, and never shown
/// again.
class ProviderList {
 public:
  ProviderList(const Ground& ground, const SealedBox& box) : ground_(ground), box_(box) {}

  /// In the order of their ids.
  Result<std::vector<Provider>> List(const store::OpContext& op, const OrgId& org) const;
  /// kNotFound when there is none.
  Result<store::Stored<Provider>> Load(const store::OpContext& op, const OrgId& org,
                                       const std::string& id) const;
  /// Creates it, or replaces the one of the same id; without a secret the present one stays, but
  /// is never handed to another issuer. kInvalidArgument names what is wrong, kLimitExceeded is for
  /// more than kProvidersMax.
  Result<store::Stored<Provider>> Put(const store::OpContext& op, const Actor& actor,
                                      const OrgId& org, const NewProvider& wanted);
  /// People keep what links them to accounts there: a provider may come back.
  Result<void> Erase(const store::OpContext& op, const Actor& actor, const OrgId& org,
                     const std::string& id);

  /// The associated text with which the secret of a provider is sealed.
  static std::string SealedFor(const OrgId& org, std::string_view id);
  /// Who we are at the provider, with the secret opened.
  Result<oidc::Provider> ClientOf(const Provider& provider) const;

  static constexpr std::size_t kProvidersMax = 50;

 private:
  Result<store::Stored<Provider>> PutOnce(const store::OpContext& op, const Actor& actor,
                                          const OrgId& org, const NewProvider& wanted);
  Result<std::string> SecretFor(const OrgId& org, const NewProvider& wanted,
                                const Provider* old) const;

  const Ground ground_;
  const SealedBox& box_;
};

}  // namespace atrium::identity
