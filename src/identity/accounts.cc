// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "identity/accounts.h"

#include <utility>

#include "base/utf8.h"
#include "identity/keys.h"
#include "identity/organisations.h"
#include "identity/password_rules.h"
#include "identity/time_zone.h"

namespace atrium::identity {
namespace {

constexpr std::size_t kNameBytesMax = 200;

Result<void> CheckUser(const User& user) {
  if (user.name.size() > kNameBytesMax || !IsValidUtf8(user.name)) {
    return Fail(ErrorCode::kInvalidArgument, "name: at most 200 bytes of text");
  }
  if (user.quota_bytes && *user.quota_bytes < 0) {
    return Fail(ErrorCode::kInvalidArgument, "quota_bytes: not below zero");
  }
  if (user.role == Role::kGuest) {
    return Fail(ErrorCode::kInvalidArgument, "role: guests have no account");
  }
  return {};
}

/// Conflicts while people are made are about what is taken, not about what was read.
Error Taken() {
  return Fail(ErrorCode::kAlreadyExists, "email: somebody has this address already").error();
}

bool LooksAfterServer(const User& user) {
  return user.role == Role::kSuperadmin && user.status == UserStatus::kActive;
}

/// kLimitExceeded is what the counter of superadmins says about the last one.
Error ExplainChange(Error error) {
  if (error.code == ErrorCode::kLimitExceeded) {
    return Fail(ErrorCode::kConflict, "this is the last superadmin, who stays").error();
  }
  return error;
}

std::string NameOf(const EmailAddress& email, const std::string& name) {
  return name.empty() ? std::string(email.Local()) : name;
}

}  // namespace

Result<void> CheckMayManage(const Actor& actor, const OrgId& org, Role role) {
  if (actor.is_operator || actor.role == Role::kSuperadmin) {
    return {};
  }
  if (actor.org != org) {
    return Fail(ErrorCode::kNotFound, "there is nobody of that kind");
  }
  if (actor.role < Role::kAdmin || role > actor.role) {
    return Fail(ErrorCode::kPermissionDenied, "your role does not allow that");
  }
  return {};
}

Result<store::Stored<User>> Accounts::Load(const store::OpContext& op, const UserId& id) const {
  ASSIGN_OR_RETURN(auto found, store::Find(ground_.store, op, Users(), UserKeyOf(id)));
  if (!found) {
    return Fail(ErrorCode::kNotFound, "there is nobody of that kind");
  }
  return *std::move(found);
}

Result<std::optional<store::Stored<User>>> Accounts::FindByEmail(const store::OpContext& op,
                                                                 std::string_view email) const {
  return store::FindBy(ground_.store, op, Users(), kUserEmails, EmailKey(email));
}

Result<std::optional<store::Stored<UserSecrets>>> Accounts::FindSecrets(const store::OpContext& op,
                                                                        const UserId& id) const {
  return store::Find(ground_.store, op, Secrets(), UserKeyOf(id));
}

Result<User> Accounts::Compose(const OrgId& org, const NewUser& wanted) const {
  ASSIGN_OR_RETURN(const EmailAddress email, EmailAddress::Parse(wanted.email));
  ASSIGN_OR_RETURN(std::string zone, CheckTimeZone(wanted.time_zone.value_or("UTC")));
  User user{.id = UserId(ground_.ids.NewTimeUuid()),
            .org = org,
            .email = email.Text(),
            .name = NameOf(email, wanted.name),
            .role = wanted.role,
            .quota_bytes = wanted.quota_bytes,
            .time_zone = std::move(zone),
            .created_at = ground_.clock.Now()};
  RETURN_IF_ERROR(CheckUser(user));
  return user;
}

Result<User> Accounts::AddUser(store::Batch& batch, const OrgId& org, const NewUser& wanted) {
  ASSIGN_OR_RETURN(User user, Compose(org, wanted));
  UserSecrets secrets{.user = user.id};
  if (wanted.password) {
    RETURN_IF_ERROR(CheckNewPassword(*wanted.password, {.email = user.email, .name = user.name}));
    ASSIGN_OR_RETURN(secrets.password_hash, hasher_.Hash(*wanted.password));
  }
  batch.Create(Users(), user);
  batch.Create(Secrets(), secrets);
  batch.Add(CountUser(org, 1));
  if (LooksAfterServer(user)) {
    batch.Add(CountSuperadmin(1));
  }
  return user;
}

Result<store::Stored<User>> Accounts::Create(const store::OpContext& op, const Actor& actor,
                                             const OrgId& org, const NewUser& wanted) {
  RETURN_IF_ERROR(CheckMayManage(actor, org, wanted.role));
  ASSIGN_OR_RETURN(const auto home, store::Find(ground_.store, op, Orgs(), OrgKey(org)));
  if (!home) {
    return Fail(ErrorCode::kNotFound, "there is no such organisation");
  }
  store::Batch batch;
  ASSIGN_OR_RETURN(const User user, AddUser(batch, org, wanted));
  batch.Check(Orgs(), *home);
  AddAudit(batch, actor, user.created_at,
           {.org = org,
            .action = "user.created",
            .target = TargetOf(user.id),
            .detail = {{"email", user.email}, {"role", WordFor(user.role)}}});
  const Result<store::Receipt> receipt = ground_.store.Commit(op, std::move(batch));
  if (!receipt && receipt.error().code == ErrorCode::kConflict) {
    return std::unexpected(Taken());
  }
  RETURN_IF_ERROR(receipt);
  return store::Stored<User>{.record = user, .version = receipt->version};
}

Result<store::Stored<User>> Accounts::CreateFirst(const store::OpContext& op, const Actor& actor,
                                                  const NewUser& wanted) {
  store::Batch batch;
  NewUser first = wanted;
  first.role = Role::kSuperadmin;
  ASSIGN_OR_RETURN(const User user, AddUser(batch, DefaultOrg(), first));
  Organisations(ground_).AddDefault(batch, "Default");
  AddAudit(batch, actor, user.created_at,
           {.org = DefaultOrg(),
            .action = "server.set_up",
            .target = TargetOf(user.id),
            .detail = {{"email", user.email}}});
  const Result<store::Receipt> receipt = ground_.store.Commit(op, std::move(batch));
  if (!receipt && receipt.error().code == ErrorCode::kConflict) {
    return Fail(ErrorCode::kAlreadyExists, "this server was set up already");
  }
  RETURN_IF_ERROR(receipt);
  return store::Stored<User>{.record = user, .version = receipt->version};
}

namespace {

Result<User> Apply(User user, const UserChange& change) {
  if (change.email) {
    ASSIGN_OR_RETURN(const EmailAddress email, EmailAddress::Parse(*change.email));
    user.email = email.Text();
  }
  if (change.time_zone) {
    ASSIGN_OR_RETURN(user.time_zone, CheckTimeZone(*change.time_zone));
  }
  user.name = change.name.value_or(user.name);
  user.role = change.role.value_or(user.role);
  user.quota_bytes = change.quota_bytes ? change.quota_bytes : user.quota_bytes;
  const UserStatus before = std::exchange(user.status, change.status.value_or(user.status));
  if (before == UserStatus::kActive && user.status == UserStatus::kDeactivated) {
    ++user.generation;
  }
  RETURN_IF_ERROR(CheckUser(user));
  return user;
}

/// What the log says of a change: the members that differ, with their new values.
std::map<std::string, std::string> Differences(const User& before, const User& after) {
  std::map<std::string, std::string> found;
  if (before.email != after.email) {
    found["email"] = after.email;
    found["email_before"] = before.email;
  }
  if (before.role != after.role) {
    found["role"] = WordFor(after.role);
  }
  if (before.status != after.status) {
    found["status"] = WordFor(after.status);
  }
  if (before.name != after.name) {
    found["name"] = after.name;
  }
  return found;
}

}  // namespace

Result<store::Stored<User>> Accounts::Change(const store::OpContext& op, const Actor& actor,
                                             const store::Stored<User>& old,
                                             const UserChange& change) {
  ASSIGN_OR_RETURN(const User user, Apply(old.record, change));
  const bool own = actor.user == old.record.id;
  if (!own || user.role != old.record.role) {
    RETURN_IF_ERROR(CheckMayManage(actor, user.org, std::max(user.role, old.record.role)));
  }
  store::Batch batch;
  batch.Replace(Users(), old, user);
  const int delta =
      static_cast<int>(LooksAfterServer(user)) - static_cast<int>(LooksAfterServer(old.record));
  if (delta != 0) {
    batch.Add(CountSuperadmin(delta));
  }
  const bool ended = user.status != old.record.status && user.status == UserStatus::kDeactivated;
  AddAudit(batch, actor, ground_.clock.Now(),
           {.org = user.org,
            .action = ended ? "user.deactivated" : "user.changed",
            .target = TargetOf(user.id),
            .detail = Differences(old.record, user)});
  const Result<store::Receipt> receipt = ground_.store.Commit(op, std::move(batch));
  if (!receipt) {
    const bool moved = receipt.error().code == ErrorCode::kConflict;
    return std::unexpected(
        moved && user.email != old.record.email ? Taken() : ExplainChange(receipt.error()));
  }
  return store::Stored<User>{.record = user, .version = receipt->version, .unknown = old.unknown};
}

Result<void> Accounts::Erase(const store::OpContext& op, const Actor& actor,
                             const store::Stored<User>& old) {
  RETURN_IF_ERROR(CheckMayManage(actor, old.record.org, old.record.role));
  store::Batch batch;
  batch.Erase(Users(), old);
  ASSIGN_OR_RETURN(const auto secrets, FindSecrets(op, old.record.id));
  if (secrets) {
    batch.Erase(Secrets(), *secrets);
  }
  ASSIGN_OR_RETURN(
      const auto linked,
      store::List<ExternalIdentity>(
          ground_.store, op, {.table = &kExternalByUser, .partition = PartitionOf(old.record.id)}));
  for (const auto& identity : linked.records) {
    ASSIGN_OR_RETURN(const auto found,
                     store::Find(ground_.store, op, ExternalIdentities(),
                                 ExternalKey(identity.record.issuer, identity.record.subject)));
    if (found) {
      batch.Erase(ExternalIdentities(), *found);
    }
  }
  batch.Add(CountUser(old.record.org, -1));
  if (LooksAfterServer(old.record)) {
    batch.Add(CountSuperadmin(-1));
  }
  AddAudit(batch, actor, ground_.clock.Now(),
           {.org = old.record.org,
            .action = "user.erased",
            .target = TargetOf(old.record.id),
            .detail = {{"email", old.record.email}}});
  const Result<store::Receipt> receipt = ground_.store.Commit(op, std::move(batch));
  if (!receipt) {
    return std::unexpected(ExplainChange(receipt.error()));
  }
  return {};
}

Result<void> Accounts::AddPassword(const store::OpContext& op, store::Batch& batch,
                                   const store::Stored<User>& user, std::string_view password) {
  RETURN_IF_ERROR(
      CheckNewPassword(password, {.email = user.record.email, .name = user.record.name}));
  ASSIGN_OR_RETURN(std::string hash, hasher_.Hash(password));
  ASSIGN_OR_RETURN(const auto old, FindSecrets(op, user.record.id));
  UserSecrets secrets = old ? old->record : UserSecrets{.user = user.record.id};
  secrets.password_hash = std::move(hash);
  if (old) {
    batch.Replace(Secrets(), *old, secrets);
  } else {
    batch.Create(Secrets(), secrets);
  }
  User renewed = user.record;
  ++renewed.generation;
  batch.Replace(Users(), user, renewed);
  return {};
}

Result<void> Accounts::SetPassword(const store::OpContext& op, const Actor& actor,
                                   const store::Stored<User>& user, std::string_view password) {
  if (actor.user != user.record.id) {
    RETURN_IF_ERROR(CheckMayManage(actor, user.record.org, user.record.role));
  }
  store::Batch batch;
  RETURN_IF_ERROR(AddPassword(op, batch, user, password));
  AddAudit(
      batch, actor, ground_.clock.Now(),
      {.org = user.record.org, .action = "password.changed", .target = TargetOf(user.record.id)});
  RETURN_IF_ERROR(ground_.store.Commit(op, std::move(batch)));
  return {};
}

}  // namespace atrium::identity
