// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "identity/accounts.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/log.h"
#include "base/utf8.h"
#include "identity/keys.h"
#include "identity/organisations.h"
#include "identity/password_rules.h"
#include "identity/time_zone.h"
#include "store/once_only.h"

namespace atrium::identity {
namespace {

constexpr std::size_t kNameBytesMax = 200;
// Each of these rows is a partition of its own, and a commit may touch sixteen of them.
constexpr std::size_t kErasedAtOnce = 10;
constexpr std::size_t kErasedWithPerson = 6;

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

Result<void> CheckMayEmpower(const Actor& actor, Role role) {
  if (actor.by_token && role >= Role::kAdmin) {
    return Fail(ErrorCode::kPermissionDenied,
                "a token does not do this to administrators: sign in, and prove who you are");
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
  if (email.empty()) {
    return std::nullopt;
  }
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

Result<std::string> Accounts::HashNew(const NewUser& wanted) {
  // Whatever else is wrong with it is said before the costly part.
  ASSIGN_OR_RETURN(const User user, Compose(OrgId(), wanted));
  if (!wanted.password) {
    return std::string();
  }
  RETURN_IF_ERROR(CheckNewPassword(*wanted.password, {.email = user.email, .name = user.name}));
  return hasher_.Hash(*wanted.password);
}

Result<User> Accounts::AddUser(store::Batch& batch, const OrgId& org, const NewUser& wanted) {
  ASSIGN_OR_RETURN(std::string hash, HashNew(wanted));
  return AddHashed(batch, org, wanted, std::move(hash));
}

Result<User> Accounts::AddHashed(store::Batch& batch, const OrgId& org, const NewUser& wanted,
                                 std::string password_hash) {
  ASSIGN_OR_RETURN(User user, Compose(org, wanted));
  const UserSecrets secrets{.user = user.id, .password_hash = std::move(password_hash)};
  batch.Create(Users(), user);
  batch.Create(Secrets(), secrets);
  batch.Add(CountUser(org, 1));
  if (LooksAfterServer(user)) {
    batch.Add(CountSuperadmin(1));
  }
  return user;
}

Result<store::Stored<User>> Accounts::Create(const store::OpContext& op, const Actor& actor,
                                             const OrgId& org, const NewUser& wanted,
                                             const Alongside& also) {
  RETURN_IF_ERROR(CheckMayManage(actor, org, wanted.role));
  RETURN_IF_ERROR(CheckMayEmpower(actor, wanted.role));
  RETURN_IF_ERROR(Organisations(ground_).Load(op, org));
  store::Batch batch;
  ASSIGN_OR_RETURN(const User user, AddUser(batch, org, wanted));
  batch.Add(store::Check{
      .table = &kOrgTable, .key = OrgKey(org), .expect = store::Expectation::Present()});
  AddAudit(batch, actor, user.created_at,
           {.org = org,
            .action = "user.created",
            .target = TargetOf(user.id),
            .detail = {{"email", user.email}, {"role", WordFor(user.role)}}});
  if (also) {
    also(batch, user);
  }
  const Result<store::Receipt> receipt = ground_.store.Commit(op, std::move(batch));
  if (!receipt && receipt.error().code == ErrorCode::kConflict) {
    RETURN_IF_ERROR(CheckFree(op, user));
    RETURN_IF_ERROR(Organisations(ground_).Load(op, org));
  }
  RETURN_IF_ERROR(receipt);
  return store::Stored<User>{.record = user, .version = receipt->version};
}

Result<store::Stored<User>> Accounts::CreateFirst(const store::OpContext& op, const Actor& actor,
                                                  const FirstSteps& wanted, const Alongside& also) {
  store::Batch batch;
  NewUser first = wanted.user;
  first.role = Role::kSuperadmin;
  ASSIGN_OR_RETURN(const User user, AddUser(batch, DefaultOrg(), first));
  RETURN_IF_ERROR(Organisations(ground_).AddDefault(batch, wanted.organisation));
  AddAudit(batch, actor, user.created_at,
           {.org = DefaultOrg(),
            .action = "server.set_up",
            .target = TargetOf(user.id),
            .detail = {{"email", user.email}}});
  if (also) {
    also(batch, user);
  }
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
  user.quota_bytes = change.quota_bytes.value_or(user.quota_bytes);
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
                                             const UserChange& change, const Alongside& also) {
  ASSIGN_OR_RETURN(const User user, Apply(old.record, change));
  const bool own = actor.user == old.record.id;
  const Role highest = std::max(user.role, old.record.role);
  if (!own || user.role != old.record.role) {
    RETURN_IF_ERROR(CheckMayManage(actor, user.org, highest));
  }
  if (user.role != old.record.role || user.email != old.record.email) {
    RETURN_IF_ERROR(CheckMayEmpower(actor, highest));
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
  if (also) {
    also(batch, user);
  }
  const Result<store::Receipt> receipt = ground_.store.Commit(op, std::move(batch));
  if (!receipt) {
    if (receipt.error().code == ErrorCode::kConflict) {
      RETURN_IF_ERROR(CheckFree(op, user));
    }
    return std::unexpected(ExplainChange(receipt.error()));
  }
  return store::Stored<User>{.record = user, .version = receipt->version, .unknown = old.unknown};
}

/// kAlreadyExists when somebody else has the address. Asked after a conflict, which may also be
/// about what was read.
Result<void> Accounts::CheckFree(const store::OpContext& op, const User& user) const {
  ASSIGN_OR_RETURN(const auto other, FindByEmail(op, user.email));
  if (other && other->record.id != user.id) {
    return Fail(ErrorCode::kAlreadyExists, "email: somebody has this address already");
  }
  return {};
}

namespace {

/// Adds the end of records that a list names to the batch, and answers how many there were.
template <typename T>
Result<std::size_t> AddErasing(store::Store& store, const store::OpContext& op, store::Batch& batch,
                               const store::Collection<T>& collection,
                               const store::ScanRequest& list) {
  ASSIGN_OR_RETURN(const store::RecordPage<T> page, store::List<T>(store, op, list));
  std::size_t added = 0;
  for (const store::Stored<T>& listed : page.records) {
    ASSIGN_OR_RETURN(const auto found,
                     store::Find(store, op, collection, collection.KeyOf(listed.record)));
    if (found) {
      batch.Erase(collection, *found);
      ++added;
    }
  }
  return added;
}

/// Erases what a list names of a person, in commits of their own.
template <typename T>
Result<void> EraseAll(store::Store& store, const store::OpContext& named,
                      const store::Collection<T>& collection, const store::Table& list,
                      const UserId& user) {
  const store::OpContext op = store::Unnamed(named);
  const std::string partition = PartitionOf(user);
  const store::ScanRequest page{.table = &list, .partition = partition, .limit = kErasedAtOnce};
  std::size_t erased = 0;
  do {
    ASSIGN_OR_RETURN(erased, store::RetryConflicts([&]() -> Result<std::size_t> {
                       store::Batch batch;
                       ASSIGN_OR_RETURN(const std::size_t added,
                                        AddErasing(store, op, batch, collection, page));
                       if (added > 0) {
                         RETURN_IF_ERROR(store.Commit(op, std::move(batch)));
                       }
                       return added;
                     }));
  } while (erased > 0);
  return {};
}

}  // namespace

void Accounts::ForgetCredentials(const store::OpContext& op, const UserId& user) {
  Result<void> forgotten = EraseAll(ground_.store, op, Sessions(), kSessionsByUser, user);
  if (forgotten) {
    forgotten = EraseAll(ground_.store, op, Tokens(), kTokensByUser, user);
  }
  if (!forgotten) {
    log::Warn("credentials of somebody who is gone stay stored",
              {{"user", user.Render()}, {"error", Describe(forgotten.error())}});
  }
}

/// Accounts elsewhere leave with their person. Whoever has more of them than fit loses them before.
Result<void> Accounts::AddUnlinking(const store::OpContext& op, store::Batch& batch,
                                    const UserId& user) {
  const std::string partition = PartitionOf(user);
  const store::ScanRequest list{
      .table = &kExternalByUser, .partition = partition, .limit = kErasedWithPerson};
  ASSIGN_OR_RETURN(const store::Page page, store::CollectPage(ground_.store, op, list));
  if (page.resume) {
    return EraseAll(ground_.store, op, ExternalIdentities(), kExternalByUser, user);
  }
  RETURN_IF_ERROR(AddErasing(ground_.store, op, batch, ExternalIdentities(), list));
  return {};
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
  ASSIGN_OR_RETURN(const auto photo,
                   store::Find(ground_.store, op, UserPhotos(), UserKeyOf(old.record.id)));
  if (photo) {
    batch.Erase(UserPhotos(), *photo);
  }
  RETURN_IF_ERROR(AddUnlinking(op, batch, old.record.id));
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
  ForgetCredentials(store::Afterwards(op), old.record.id);
  return {};
}

Result<std::string> Accounts::HashFor(const User& user, std::string_view password) {
  RETURN_IF_ERROR(CheckNewPassword(password, {.email = user.email, .name = user.name}));
  return hasher_.Hash(password);
}

Result<void> Accounts::AddPassword(const store::OpContext& op, store::Batch& batch,
                                   const store::Stored<User>& user, std::string_view password) {
  ASSIGN_OR_RETURN(std::string hash, HashFor(user.record, password));
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
  RETURN_IF_ERROR(CheckMayEmpower(actor, user.record.role));
  store::Batch batch;
  RETURN_IF_ERROR(AddPassword(op, batch, user, password));
  AddAudit(
      batch, actor, ground_.clock.Now(),
      {.org = user.record.org, .action = "password.changed", .target = TargetOf(user.record.id)});
  RETURN_IF_ERROR(ground_.store.Commit(op, std::move(batch)));
  return {};
}

}  // namespace atrium::identity
