// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/describe/class.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace atrium::app {

// What `atrium user`, `org`, `token`, `provider` and `audit` can be told. What ends in Fields is
// the body of a request of docs/api/identity.md; what was not given is left out of it.

/// Which server is asked. Without a URL, it is the one of the data folder.
struct ServerAccess {
  std::string url{};
  /// "-" is standard input; empty: the variable ATRIUM_TOKEN.
  std::string token_file{};
};

/// Somebody, by e-mail address or by id.
struct Person {
  std::string who{};
  /// Where to look for the address; empty: where the caller belongs.
  std::string org{};
};

struct UserFields {
  std::optional<std::string> email{};
  std::optional<std::string> name{};
  std::optional<std::string> role{};
  std::optional<std::string> status{};
  std::optional<std::string> password{};
  std::optional<std::uint64_t> quota_bytes{};
  std::optional<std::string> time_zone{};
  std::optional<bool> invite{};
};
BOOST_DESCRIBE_STRUCT(UserFields, (),
                      (email, name, role, status, password, quota_bytes, time_zone, invite))

struct UserList {
  std::string org{};
};

struct UserAdd {
  UserFields fields{};
  std::string org{};
  /// "-" is standard input; empty: the account has no password.
  std::string password_file{};
};

struct UserSet {
  Person person{};
  UserFields fields{};
};

struct UserPassword {
  Person person{};
  std::string password_file{};
};

/// What is done to somebody without further words.
enum class UserDeed : std::uint8_t { kShow, kRemove, kInvite, kLogout, kResetSecondFactor };

struct UserDo {
  UserDeed deed = UserDeed::kShow;
  Person person{};
};

struct OrgFields {
  std::optional<std::string> name{};
  std::optional<std::vector<std::string>> hosts{};
  std::optional<std::uint64_t> quota_bytes{};
  std::optional<std::map<std::string, std::string>> settings{};
};
BOOST_DESCRIBE_STRUCT(OrgFields, (), (name, hosts, quota_bytes, settings))

struct OrgList {};

struct OrgAdd {
  OrgFields fields{};
};

struct OrgShow {
  std::string id{};
};

struct OrgSet {
  std::string id{};
  OrgFields fields{};
};

struct OrgRemove {
  std::string id{};
};

struct TokenFields {
  std::string name{};
  std::optional<std::string> type{};
  std::optional<std::vector<std::string>> scopes{};
  std::optional<std::string> expires_at{};
};
BOOST_DESCRIBE_STRUCT(TokenFields, (), (name, type, scopes, expires_at))

struct TokenList {
  std::string who{};
};

struct TokenAdd {
  std::string who{};
  TokenFields fields{};
  std::optional<std::chrono::milliseconds> expires_in{};
};

struct TokenRemove {
  std::string who{};
  std::string id{};
};

struct ProviderFields {
  std::string name{};
  std::string issuer{};
  std::string client_id{};
  std::optional<std::string> client_secret{};
  bool trusted = false;
  bool creates_users = false;
};
BOOST_DESCRIBE_STRUCT(ProviderFields, (),
                      (name, issuer, client_id, client_secret, trusted, creates_users))

struct ProviderList {
  std::string org{};
};

struct ProviderSet {
  std::string id{};
  std::string org{};
  ProviderFields fields{};
  /// "-" is standard input; empty: none is sent.
  std::string client_secret_file{};
};

struct ProviderRemove {
  std::string id{};
  std::string org{};
};

struct InvitationList {
  std::string org{};
};

struct InvitationRevoke {
  std::string id{};
};

struct AuditList {
  std::string org{};
  std::optional<std::uint64_t> before{};
  std::size_t limit = 50;
};

struct AuditExport {
  std::string org{};
  /// "-" is standard output.
  std::string file = "-";
};

using IdentityAction =
    std::variant<UserList, UserAdd, UserSet, UserPassword, UserDo, OrgList, OrgAdd, OrgShow, OrgSet,
                 OrgRemove, TokenList, TokenAdd, TokenRemove, ProviderList, ProviderSet,
                 ProviderRemove, InvitationList, InvitationRevoke, AuditList, AuditExport>;

}  // namespace atrium::app
