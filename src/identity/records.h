// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "api/caller.h"
#include "base/instant.h"
#include "identity/picture.h"

namespace atrium::identity {

using api::OrgId;
using api::Role;
using api::UserId;

/// A group of people with a server name, or several, of their own.
struct Org {
  OrgId id{};
  std::string name{};
  /// Lower case, without port. A request for any other host belongs to the default organisation.
  std::vector<std::string> hosts{};
  /// Of all files together; nullopt: as much as the disk holds.
  std::optional<std::int64_t> quota_bytes{};
  std::map<std::string, std::string> settings{};
  Instant created_at{};
};
BOOST_DESCRIBE_STRUCT(Org, (), (id, name, hosts, quota_bytes, settings, created_at))

/// A host belongs to one organisation.
struct HostName {
  std::string host{};
  OrgId org{};
};
BOOST_DESCRIBE_STRUCT(HostName, (), (host, org))

enum class UserStatus : std::uint8_t { kActive, kDeactivated };
BOOST_DESCRIBE_ENUM(UserStatus, kActive, kDeactivated)

/// A person. What only the server may know of them is in UserSecrets.
struct User {
  UserId id{};
  OrgId org{};
  /// As EmailAddress spells it; no two people of a server have the same.
  std::string email{};
  std::string name{};
  Role role = Role::kUser;
  UserStatus status = UserStatus::kActive;
  std::optional<std::int64_t> quota_bytes{};
  std::string time_zone = "UTC";
  Instant created_at{};
  /// Credentials carry the number they were made under, and are worth nothing under another one:
  /// counting it up ends all of them at once.
  std::uint64_t generation = 0;
  /// The same for sessions alone.
  std::uint64_t session_generation = 0;
  /// Which UserPhoto there is; nullopt: none.
  std::optional<std::string> photo{};
};
BOOST_DESCRIBE_STRUCT(User, (),
                      (id, org, email, name, role, status, quota_bytes, time_zone, created_at,
                       generation, session_generation, photo))

/// What a person looks like, as they want to be seen.
struct UserPhoto {
  UserId user{};
  /// Of the bytes: another photo has another one.
  std::string version{};
  PictureType type = PictureType::kPng;
  /// In base64.
  std::string content{};
  Instant changed_at{};
};
BOOST_DESCRIBE_STRUCT(UserPhoto, (), (user, version, type, content, changed_at))

struct UserSecrets {
  UserId user{};
  /// Empty: there is no password.
  std::string password_hash{};
  /// Sealed; empty: no second factor.
  std::string totp_secret{};
  /// Sealed; a second factor that was begun and not yet confirmed by a code.
  std::string totp_pending{};
  /// The step of the last code that was taken: none is taken twice.
  std::uint64_t totp_last_step = 0;
  /// Hashes of those that are left.
  std::vector<std::string> recovery_codes{};
  /// When the second factor was turned on.
  std::optional<Instant> totp_since{};
  /// Links that undo a change of the address and were mailed in between are void: an older one was
  /// used, which has undone what they would bring back.
  std::optional<Instant> undo_void_from{};
  std::optional<Instant> undo_void_until{};

  friend bool operator==(const UserSecrets&, const UserSecrets&) = default;
};
BOOST_DESCRIBE_STRUCT(UserSecrets, (),
                      (user, password_hash, totp_secret, totp_pending, totp_last_step,
                       recovery_codes, totp_since, undo_void_from, undo_void_until))

/// An account elsewhere by which somebody signs in here. Subject and issuer are the key: addresses
/// change hands.
struct ExternalIdentity {
  std::string issuer{};
  std::string subject{};
  UserId user{};
  std::string email{};
  Instant linked_at{};
};
BOOST_DESCRIBE_STRUCT(ExternalIdentity, (), (issuer, subject, user, email, linked_at))

enum class SessionKind : std::uint8_t { kFull, kProvisional, kGuest };
BOOST_DESCRIBE_ENUM(SessionKind, kFull, kProvisional, kGuest)

struct Session {
  /// Of the secret that its holder has.
  std::string hash{};
  std::string id{};
  SessionKind kind = SessionKind::kFull;
  OrgId org{};
  /// nullopt: a guest.
  std::optional<UserId> user{};
  /// The name and the address a guest gave.
  std::string guest_name{};
  std::string guest_email{};
  std::string guest_group{};
  Instant created_at{};
  Instant expires_at{};
  Instant last_used_at{};
  std::string address{};
  std::string agent{};
  std::uint64_t generation = 0;
  std::uint64_t session_generation = 0;
  /// When its person last proved who they are: signing in does, through a provider as of when they
  /// signed in there. Nullopt: not in this session.
  std::optional<Instant> proved_at{};
};
BOOST_DESCRIBE_STRUCT(Session, (),
                      (hash, id, kind, org, user, guest_name, guest_email, guest_group, created_at,
                       expires_at, last_used_at, address, agent, generation, session_generation,
                       proved_at))

enum class TokenType : std::uint8_t { kApi, kPersonal, kAppPassword };
BOOST_DESCRIBE_ENUM(TokenType, kApi, kPersonal, kAppPassword)

struct Token {
  std::string hash{};
  std::string id{};
  TokenType type = TokenType::kPersonal;
  OrgId org{};
  UserId user{};
  /// What its owner calls it.
  std::string name{};
  /// As Scopes renders them.
  std::vector<std::string> scopes{};
  Instant created_at{};
  std::optional<Instant> expires_at{};
  std::optional<Instant> last_used_at{};
  std::string last_address{};
  std::uint64_t generation = 0;
  /// Set when a device signed in with a password to get it: then it ends, as sessions do, when its
  /// person signs out everywhere.
  std::optional<std::uint64_t> session_generation{};
};
BOOST_DESCRIBE_STRUCT(Token, (),
                      (hash, id, type, org, user, name, scopes, created_at, expires_at,
                       last_used_at, last_address, generation, session_generation))

enum class LinkPurpose : std::uint8_t {
  kSignIn,
  kResetPassword,
  kInvitation,
  kConfirmEmail,
  kUndoEmail,  ///< Puts an old address back, whatever happened to the account since.
};
BOOST_DESCRIBE_ENUM(LinkPurpose, kSignIn, kResetPassword, kInvitation, kConfirmEmail, kUndoEmail)

/// A link that was mailed. It works once.
struct MailedLink {
  std::string hash{};
  LinkPurpose purpose = LinkPurpose::kSignIn;
  UserId user{};
  /// Where it was sent; for kConfirmEmail and kUndoEmail the address that becomes the person's.
  std::string email{};
  /// A path of ours.
  std::string return_to{};
  Instant expires_at{};
  std::uint64_t generation = 0;
  std::optional<Instant> mailed_at{};
};
BOOST_DESCRIBE_STRUCT(MailedLink, (),
                      (hash, purpose, user, email, return_to, expires_at, generation, mailed_at))

/// Somebody else's sign-in that may be used here.
struct Provider {
  /// Part of the addresses of its routes: [a-z0-9-], at most 32.
  std::string id{};
  OrgId org{};
  std::string name{};
  std::string issuer{};
  std::string client_id{};
  /// Sealed.
  std::string client_secret{};
  /// Its word that an address was verified is taken: who brings one gets the account with it.
  bool trusted = false;
  /// Who is not known yet gets an account.
  bool creates_users = false;
  Instant created_at{};
};
BOOST_DESCRIBE_STRUCT(Provider, (),
                      (id, org, name, issuer, client_id, client_secret, trusted, creates_users,
                       created_at))

/// A sign-in that went to a provider and is not back yet.
struct ProviderFlow {
  /// Of the state.
  std::string hash{};
  OrgId org{};
  std::string provider{};
  std::string nonce{};
  std::string code_verifier{};
  /// Of a cookie: only the browser that began may end it.
  std::string browser_hash{};
  std::string return_to{};
  std::string redirect_uri{};
  /// Set when somebody who is signed in adds the account to theirs.
  std::optional<UserId> links_to{};
  /// Set when somebody who is signed in proves again who they are: the session.
  std::optional<api::CredentialRef> proves{};
  Instant expires_at{};
  /// The invitation by which a newcomer gets an account.
  std::optional<std::string> invitation{};
  /// Its link came in a letter.
  std::optional<bool> invitation_mailed{};
};
BOOST_DESCRIBE_STRUCT(ProviderFlow, (),
                      (hash, org, provider, nonce, code_verifier, browser_hash, return_to,
                       redirect_uri, links_to, proves, expires_at, invitation, invitation_mailed))

/// How often something was guessed wrongly.
struct Attempts {
  std::string subject{};
  std::uint32_t failures = 0;
  Instant last{};
  Instant forget_at{};
};
BOOST_DESCRIBE_STRUCT(Attempts, (), (subject, failures, last, forget_at))

/// One line of the audit log: who did what to what, from where.
struct AuditLine {
  Instant at{};
  /// "user:<id>", "operator", "session:<id>", or "nobody".
  std::string actor{};
  /// The same for people: an address, a name.
  std::string label{};
  /// noun.verb: "user.created", "session.opened".
  std::string action{};
  /// "user:<id>", "org:<id>", "token:<id>".
  std::string target{};
  std::string address{};
  /// The id of the request, by which the logs of the server know it.
  std::string request{};
  std::map<std::string, std::string> detail{};
};
BOOST_DESCRIBE_STRUCT(AuditLine, (), (at, actor, label, action, target, address, request, detail))

}  // namespace atrium::identity
