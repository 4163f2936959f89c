// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/strong_id.h"
#include "base/uuid.h"
#include "http/request.h"

namespace atrium::api {

using OrgId = StrongId<struct OrgTag, Uuid>;
using UserId = StrongId<struct UserTag, Uuid>;

/// From the least to the most that somebody may do.
enum class Role : std::uint8_t {
  kGuest,       ///< One group, for a while.
  kReadonly,    ///< Sees, and changes nothing but what belongs to the own account.
  kUser,        ///< Works.
  kAdmin,       ///< Looks after the people of one organisation.
  kSuperadmin,  ///< Looks after the server.
};
BOOST_DESCRIBE_ENUM(Role, kGuest, kReadonly, kUser, kAdmin, kSuperadmin)

/// Parts of the server that a token can be narrowed to.
enum class Area : std::uint8_t { kAccount, kCalendars, kGroups, kFiles, kAdmin };

/// What a credential may be used for: per area nothing, reading, or reading and writing.
class Scopes {
 public:
  enum class Right : std::uint8_t { kNone, kRead, kWrite };

  static Scopes All();
  /// "calendars:read", "files:write", "account:read"; "*" is everything. kInvalidArgument names
  /// what is not one.
  static Result<Scopes> Parse(const std::vector<std::string>& texts);

  /// The shortest list that parses to this.
  std::vector<std::string> Render() const;

  bool Allows(Area area, Right right) const;
  /// Whether all that `other` may, this may.
  bool Covers(const Scopes& other) const;

  friend bool operator==(const Scopes&, const Scopes&) = default;

 private:
  /// Two bits for each area.
  std::uint32_t bits_ = 0;
};

/// By what somebody made known who they are.
enum class Credential : std::uint8_t {
  kOperator,      ///< The control socket, or a command on a stopped server.
  kSession,       ///< Signed in.
  kProvisional,   ///< A session before the e-mail address was confirmed.
  kGuestSession,  ///< One group, half an hour.
  kApiToken,
  kPersonalToken,
  kAppPassword,
};
BOOST_DESCRIBE_ENUM(Credential, kOperator, kSession, kProvisional, kGuestSession, kApiToken,
                    kPersonalToken, kAppPassword)

/// Names a credential, so that what derives from it can say where it comes from and end with it.
struct CredentialRef {
  /// kOperator derives from nothing that could end.
  Credential kind = Credential::kOperator;
  /// Of the session or token, as lists show it.
  std::string id{};
  /// nullopt: a guest's, or the operator.
  std::optional<UserId> user{};

  friend bool operator==(const CredentialRef&, const CredentialRef&) = default;
};
BOOST_DESCRIBE_STRUCT(CredentialRef, (), (kind, id, user))

/// Who is calling. Every credential resolves to one; rooms ask nothing else.
struct Caller final : http::Principal {
  OrgId org{};
  /// nullopt: a guest, or the operator.
  std::optional<UserId> user{};
  std::string email{};
  /// What the audit log calls them: the address, "operator", or the name a guest gave.
  std::string label{};
  Role role = Role::kGuest;
  Scopes scopes{};
  Credential credential = Credential::kGuestSession;
  /// Of the session or token, as lists show it; empty for the operator.
  std::string credential_id{};
  /// The one group of a guest.
  std::string guest_group{};

  std::string Name() const override;
  /// "auth:<user id>" or "guest:<session id>": how groups name their members.
  std::string MemberKey() const;
  bool IsOperator() const { return credential == Credential::kOperator; }
  CredentialRef Ref() const { return {.kind = credential, .id = credential_id, .user = user}; }
};

/// Of a request whose route demands one. Ends the process where none does: a mistake in wiring.
const Caller& CallerOf(const http::Request& request);
/// Null when the route is open to everybody, or nobody is signed in.
const Caller* FindCaller(const http::Request& request);

}  // namespace atrium::api
