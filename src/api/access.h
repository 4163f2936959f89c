// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <string_view>
#include <vector>

#include "api/caller.h"
#include "base/result.h"
#include "http/request.h"
#include "http/route.h"
#include "store/op_context.h"

namespace atrium::api {

/// What turns the credential of a request into a caller; the room of identity is one.
class Doorkeeper {
 public:
  Doorkeeper() = default;
  Doorkeeper(const Doorkeeper&) = delete;
  Doorkeeper& operator=(const Doorkeeper&) = delete;
  virtual ~Doorkeeper() = default;

  /// Null when the request carries no credential. kUnauthenticated for one that is unknown, ended,
  /// expired or of another organisation than the host belongs to; kPermissionDenied for an unsafe
  /// request whose cookie may have been sent by the page of another site. Bounded reads only.
  virtual Result<std::shared_ptr<const Caller>> Identify(const http::Request& request) const = 0;

  /// Who has this credential now, when it was known before: what derives from it and what goes on
  /// behind it asks this. kUnauthenticated when it has ended, on whichever server.
  virtual Result<std::shared_ptr<const Caller>> Recall(const store::OpContext& op,
                                                       const CredentialRef& credential,
                                                       http::Staleness allowed) const = 0;

  /// Whether somebody can sign in at all. Until then nothing works but the set-up.
  virtual bool IsSetUp() const = 0;
};

/// The rules that routes name. One place decides for all of them:
///
///   public      everybody, once the server is set up; a caller is known where there is one
///   session     whoever has any session or token, guests and unconfirmed people too
///   self        people, about their own account: also those who may only read
///   member      people who work in an area: reading needs its read scope, changing its write scope
///               and a role above readonly
///   admin       administrators
///   superadmin  those who look after the server
///
/// The operator passes all of them. Outlived by the doorkeeper, outlives the router.
class AccessRules {
 public:
  explicit AccessRules(const Doorkeeper& doorkeeper);
  AccessRules(const AccessRules&) = delete;
  AccessRules& operator=(const AccessRules&) = delete;
  ~AccessRules();

  const http::AccessRule& Public() const;
  const http::AccessRule& Session() const;
  const http::AccessRule& Self() const;
  const http::AccessRule& Member(Area area) const;
  const http::AccessRule& Admin() const;
  const http::AccessRule& Superadmin() const;

 private:
  class Rule;
  const http::AccessRule& RuleAt(std::size_t index) const;

  std::vector<std::unique_ptr<Rule>> rules_;
};

}  // namespace atrium::api
