// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "identity/audit.h"
#include "identity/email_address.h"
#include "identity/ground.h"
#include "identity/password_hash.h"
#include "identity/records.h"
#include "store/batch.h"
#include "store/record.h"

namespace atrium::identity {

struct NewUser {
  std::string email{};
  std::string name{};
  Role role = Role::kUser;
  /// Without one, the person signs in by mailed link or through a provider.
  std::optional<std::string> password{};
  std::optional<std::int64_t> quota_bytes{};
  std::optional<std::string> time_zone{};
};
BOOST_DESCRIBE_STRUCT(NewUser, (), (email, name, role, password, quota_bytes, time_zone))

/// Members that are not there stay as they are.
struct UserChange {
  std::optional<std::string> email{};
  std::optional<std::string> name{};
  std::optional<Role> role{};
  std::optional<UserStatus> status{};
  /// Null takes the quota away.
  std::optional<std::optional<std::int64_t>> quota_bytes{};
  std::optional<std::string> time_zone{};
};
BOOST_DESCRIBE_STRUCT(UserChange, (), (email, name, role, status, quota_bytes, time_zone))

/// What a server begins with.
struct FirstSteps {
  NewUser user{};
  /// What the default organisation is called.
  std::string organisation = "Default";
};

/// What joins the commit that makes somebody: a first session, an invitation.
using Alongside = std::function<void(store::Batch&, const User&)>;

/// The people of the server.
class Accounts {
 public:
  Accounts(const Ground& ground, PasswordHasher& hasher) : ground_(ground), hasher_(hasher) {}

  /// kNotFound when there is none.
  Result<store::Stored<User>> Load(const store::OpContext& op, const UserId& id) const;
  Result<std::optional<store::Stored<User>>> FindByEmail(const store::OpContext& op,
                                                         std::string_view email) const;
  /// Never absent: whoever has no row has no secrets.
  Result<std::optional<store::Stored<UserSecrets>>> FindSecrets(const store::OpContext& op,
                                                                const UserId& id) const;

  /// One commit for person, address, secrets and the line of the log. kAlreadyExists when the
  /// address is taken, kPermissionDenied for a role above the actor's own, and to a token for that
  /// of an administrator.
  Result<store::Stored<User>> Create(const store::OpContext& op, const Actor& actor,
                                     const OrgId& org, const NewUser& wanted,
                                     const Alongside& also = {});

  /// The first person, who looks after the server, together with the default organisation.
  /// kAlreadyExists once there is one, however many ask at the same time.
  Result<store::Stored<User>> CreateFirst(const store::OpContext& op, const Actor& actor,
                                          const FirstSteps& wanted, const Alongside& also = {});

  /// What is not there stays. Deactivating somebody ends all their credentials; activating them
  /// again brings none back. The last superadmin keeps the role: kConflict. A token changes neither
  /// role nor address of an administrator: kPermissionDenied. `also` joins the commit, with the
  /// person as they become.
  Result<store::Stored<User>> Change(const store::OpContext& op, const Actor& actor,
                                     const store::Stored<User>& old, const UserChange& change,
                                     const Alongside& also = {});

  /// The person with everything that is theirs alone; the log stays.
  Result<void> Erase(const store::OpContext& op, const Actor& actor,
                     const store::Stored<User>& old);

  /// Gives them a password and ends all their credentials. For resets and for administrators.
  Result<void> SetPassword(const store::OpContext& op, const Actor& actor,
                           const store::Stored<User>& user, std::string_view password);
  /// The same as a part of a greater commit.
  Result<void> AddPassword(const store::OpContext& op, store::Batch& batch,
                           const store::Stored<User>& user, std::string_view password);
  /// What is stored of a password. kInvalidArgument for one that this person may not have.
  Result<std::string> HashFor(const User& user, std::string_view password);

  /// Adds a person to the batch: user, secrets, counters. For whoever commits more than that.
  Result<User> AddUser(store::Batch& batch, const OrgId& org, const NewUser& wanted);
  /// The same with a password that was hashed before by HashNew(); empty: none.
  Result<User> AddHashed(store::Batch& batch, const OrgId& org, const NewUser& wanted,
                         std::string password_hash);
  /// The hash of a password somebody chose for an account that is not there yet.
  Result<std::string> HashNew(const NewUser& wanted);

 private:
  Result<User> Compose(const OrgId& org, const NewUser& wanted) const;
  Result<void> CheckFree(const store::OpContext& op, const User& user) const;
  Result<void> AddUnlinking(const store::OpContext& op, store::Batch& batch, const UserId& user);
  /// Rows that are worth nothing any more, now that their person is gone.
  void ForgetCredentials(const store::OpContext& op, const UserId& user);

  const Ground ground_;
  PasswordHasher& hasher_;
};

/// Whether `actor` may look after somebody of this organisation and role: kPermissionDenied, or
/// kNotFound for people of another organisation, whose existence is nobody else's business.
Result<void> CheckMayManage(const Actor& actor, const OrgId& org, Role role);

/// Whether `actor` may decide who is an administrator, and by what one signs in: kPermissionDenied
/// for a token, by which whoever copied it would become one. `role` is the highest that somebody
/// has or gets. Beside CheckMayManage(), not in its place.
Result<void> CheckMayEmpower(const Actor& actor, Role role);

}  // namespace atrium::identity
