// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "identity/sign_in.h"

#include <utility>

#include "base/utf8.h"
#include "identity/email_address.h"
#include "identity/keys.h"
#include "identity/password_rules.h"
#include "store/once_only.h"

namespace atrium::identity {
namespace {

constexpr std::size_t kAccountBytesMax = 254;

std::unexpected<Error> Wrong() {
  return Fail(ErrorCode::kUnauthenticated, "the address or the password is wrong");
}

}  // namespace

Result<UserSecrets> SignIn::CheckPassword(const UserSecrets& secrets, const std::string& password) {
  if (secrets.password_hash.empty()) {
    RETURN_IF_ERROR(parts_.hasher.VerifyAgainstNobody(password));
    return Wrong();
  }
  ASSIGN_OR_RETURN(const PasswordMatch match,
                   parts_.hasher.Verify(password, secrets.password_hash));
  UserSecrets checked = secrets;
  switch (match) {
    case PasswordMatch::kNo:
      return Wrong();
    case PasswordMatch::kYes:
      break;
    case PasswordMatch::kYesButOld:
      ASSIGN_OR_RETURN(checked.password_hash, parts_.hasher.Hash(password));
      break;
  }
  return checked;
}

Result<UserSecrets> SignIn::PassSecondFactor(const UserSecrets& secrets,
                                             const std::optional<std::string>& otp) const {
  if (!SecondFactor::IsOn(secrets)) {
    return secrets;
  }
  if (!otp || otp->empty()) {
    return Fail(ErrorCode::kUnauthenticated, "otp: a code of the second factor is needed");
  }
  Result<UserSecrets> used = parts_.second_factor.Use(secrets, *otp);
  if (!used && used.error().code == ErrorCode::kPermissionDenied) {
    return Fail(ErrorCode::kUnauthenticated, used.error().client_message);
  }
  return used;
}

Result<Proven> SignIn::ProvePassword(const store::OpContext& op, const Door& door,
                                     const PasswordSignIn& given) {
  const Result<EmailAddress> email = EmailAddress::Parse(given.email);
  // Whoever tries out what cannot be an address is counted like the others.
  const std::string account =
      email ? email->Text() : std::string(TruncateUtf8(given.email, kAccountBytesMax));
  ASSIGN_OR_RETURN(GuessLimits::Guess guess, parts_.limits.CountSignIn(op, account, door.address));
  ASSIGN_OR_RETURN(const auto user, parts_.accounts.FindByEmail(op, account));
  const bool known = user && user->record.status == UserStatus::kActive &&
                     (user->record.org == door.org || user->record.role == Role::kSuperadmin);
  if (!known) {
    RETURN_IF_ERROR(parts_.hasher.VerifyAgainstNobody(given.password));
    return Wrong();
  }
  ASSIGN_OR_RETURN(const auto secrets, parts_.accounts.FindSecrets(op, user->record.id));
  if (!secrets) {
    return Wrong();
  }
  ASSIGN_OR_RETURN(UserSecrets checked, CheckPassword(secrets->record, given.password));
  ASSIGN_OR_RETURN(checked, PassSecondFactor(checked, given.otp));
  return Proven{.user = *user,
                .secrets_before = secrets,
                .secrets = std::move(checked),
                .guess = std::move(guess)};
}

Result<Proven> SignIn::ProveAgain(const store::OpContext& op, const Door& door,
                                  const store::Stored<User>& user, const GivenProof& given) {
  if (!given.password && !given.otp) {
    return Fail(ErrorCode::kInvalidArgument, "password: is required, or a code in otp");
  }
  ASSIGN_OR_RETURN(GuessLimits::Guess guess,
                   parts_.limits.CountSignIn(op, user.record.email, door.address));
  ASSIGN_OR_RETURN(const auto secrets, parts_.accounts.FindSecrets(op, user.record.id));
  UserSecrets checked = secrets ? secrets->record : UserSecrets{.user = user.record.id};
  if (given.password) {
    Result<UserSecrets> right = CheckPassword(checked, *given.password);
    if (!right && right.error().code == ErrorCode::kUnauthenticated) {
      return Fail(ErrorCode::kPermissionDenied, "password: is wrong");
    }
    ASSIGN_OR_RETURN(checked, std::move(right));
  }
  if (given.otp) {
    if (!SecondFactor::IsOn(checked)) {
      return Fail(ErrorCode::kPermissionDenied, "otp: there is no second factor");
    }
    ASSIGN_OR_RETURN(checked, parts_.second_factor.Use(checked, *given.otp));
  }
  return Proven{.user = user,
                .secrets_before = secrets,
                .secrets = std::move(checked),
                .guess = std::move(guess)};
}

void SignIn::AddSecrets(store::Batch& batch, const Proven& proven) const {
  if (proven.secrets_before && proven.secrets_before->record != proven.secrets) {
    batch.Replace(Secrets(), *proven.secrets_before, proven.secrets);
  }
}

Result<OpenedSession> SignIn::Open(const store::OpContext& op, const Actor& actor,
                                   const Proven& proven) {
  store::Batch batch;
  OpenedSession opened = parts_.sessions.Open(batch, actor, proven.user.record, "password");
  RETURN_IF_ERROR(CommitProven(op, std::move(batch), proven));
  return opened;
}

Result<void> SignIn::CommitProven(const store::OpContext& op, store::Batch batch,
                                  const Proven& proven) {
  AddSecrets(batch, proven);
  // Held to the person as they were: not deactivated, and no new password, in between.
  batch.Check(Users(), proven.user);
  RETURN_IF_ERROR(parts_.limits.CommitRight(store::Unnamed(op), batch, proven.guess));
  return {};
}

Result<OpenedSession> SignIn::WithPassword(const store::OpContext& op, const Actor& actor,
                                           const Door& door, const PasswordSignIn& given) {
  ASSIGN_OR_RETURN(const Proven proven, ProvePassword(op, door, given));
  return Open(op, actor, proven);
}

Result<OpenedSession> SignIn::ChangePassword(const store::OpContext& op, const Actor& actor,
                                             const Door& door, const PasswordSignIn& given,
                                             std::string_view wanted) {
  ASSIGN_OR_RETURN(const Proven proven, ProvePassword(op, door, given));
  User renewed = proven.user.record;
  RETURN_IF_ERROR(CheckNewPassword(wanted, {.email = renewed.email, .name = renewed.name}));
  // On top of what proving changed: a code that was used for this is used up.
  UserSecrets secrets = proven.secrets;
  ASSIGN_OR_RETURN(secrets.password_hash, parts_.hasher.Hash(wanted));
  ++renewed.generation;
  store::Batch batch;
  batch.Replace(Secrets(), *proven.secrets_before, secrets);
  batch.Replace(Users(), proven.user, renewed);
  OpenedSession opened = parts_.sessions.Open(batch, actor, renewed, "password");
  AddAudit(batch, actor, ground_.clock.Now(),
           {.org = renewed.org, .action = "password.changed", .target = TargetOf(renewed.id)});
  RETURN_IF_ERROR(parts_.limits.CommitRight(store::Unnamed(op), batch, proven.guess));
  return opened;
}

}  // namespace atrium::identity
