// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "identity/second_factor.h"

#include <algorithm>
#include <utility>

#include "base/constant_time.h"
#include "identity/base32.h"
#include "identity/keys.h"
#include "identity/totp.h"

namespace atrium::identity {
namespace {

constexpr std::string_view kIssuer = "Atrium";

std::unexpected<Error> WrongCode() {
  return Fail(ErrorCode::kPermissionDenied, "otp: the code is wrong, or was used before");
}

}  // namespace

void SecondFactor::TurnOff(UserSecrets& secrets) {
  secrets.totp_secret.clear();
  secrets.totp_pending.clear();
  secrets.recovery_codes.clear();
  secrets.totp_since.reset();
}

std::string SecondFactor::SealedFor(const UserId& user) {
  return "user/" + user.Render() + "/totp";
}

Result<store::Stored<UserSecrets>> SecondFactor::LoadSecrets(const store::OpContext& op,
                                                             const User& user) const {
  ASSIGN_OR_RETURN(auto secrets, parts_.accounts.FindSecrets(op, user.id));
  if (!secrets) {
    return FailPrivately(ErrorCode::kCorrupt, "a person without secrets");
  }
  return *std::move(secrets);
}

Result<Enrolment> SecondFactor::Begin(const store::OpContext& op, const User& user) {
  ASSIGN_OR_RETURN(const auto old, LoadSecrets(op, user));
  if (IsOn(old.record)) {
    return Fail(ErrorCode::kConflict, "the second factor is on already");
  }
  const std::string secret = NewTotpSecret();
  UserSecrets begun = old.record;
  ASSIGN_OR_RETURN(begun.totp_pending, parts_.box.Seal(secret, SealedFor(user.id)));
  store::Batch batch;
  batch.Replace(Secrets(), old, begun);
  batch.SetAnswer({.status = 409, .body = R"({"title":"the secret is shown once"})"});
  RETURN_IF_ERROR(ground_.store.Commit(op, std::move(batch)));
  return Enrolment{.secret = EncodeBase32(secret), .uri = TotpUri(kIssuer, user.email, secret)};
}

Result<std::vector<std::string>> SecondFactor::Confirm(const store::OpContext& op,
                                                       const Actor& actor, const User& user,
                                                       std::string_view code) {
  ASSIGN_OR_RETURN(const auto old, LoadSecrets(op, user));
  if (old.record.totp_pending.empty()) {
    return Fail(ErrorCode::kConflict, "a second factor was not begun");
  }
  ASSIGN_OR_RETURN(const std::string secret,
                   parts_.box.Open(old.record.totp_pending, SealedFor(user.id)));
  const auto step = MatchTotp(secret, code, ground_.clock.Now(), 0);
  if (!step) {
    return WrongCode();
  }
  std::vector<std::string> codes = NewRecoveryCodes();
  UserSecrets on = old.record;
  on.totp_secret = std::exchange(on.totp_pending, {});
  on.totp_last_step = *step;
  on.totp_since = ground_.clock.Now();
  on.recovery_codes.clear();
  for (const std::string& one : codes) {
    on.recovery_codes.push_back(RecoveryCodeHash(one));
  }
  store::Batch batch;
  batch.Replace(Secrets(), old, on);
  AddAudit(batch, actor, ground_.clock.Now(),
           {.org = user.org, .action = "second_factor.on", .target = TargetOf(user.id)});
  batch.SetAnswer({.status = 409, .body = R"({"title":"the codes are shown once"})"});
  RETURN_IF_ERROR(ground_.store.Commit(op, std::move(batch)));
  return codes;
}

Result<UserSecrets> SecondFactor::Use(const UserSecrets& secrets, std::string_view code) const {
  ASSIGN_OR_RETURN(const std::string secret,
                   parts_.box.Open(secrets.totp_secret, SealedFor(secrets.user)));
  UserSecrets used = secrets;
  if (const auto step = MatchTotp(secret, code, ground_.clock.Now(), secrets.totp_last_step)) {
    used.totp_last_step = *step;
    return used;
  }
  const std::string hash = RecoveryCodeHash(code);
  const auto found = std::ranges::find_if(
      used.recovery_codes, [&](const std::string& one) { return ConstantTimeEqual(one, hash); });
  if (found == used.recovery_codes.end()) {
    return WrongCode();
  }
  used.recovery_codes.erase(found);
  return used;
}

Result<void> SecondFactor::End(const store::OpContext& op, const Actor& actor, const User& user,
                               const std::optional<std::string>& code) {
  ASSIGN_OR_RETURN(const auto old, LoadSecrets(op, user));
  if (!IsOn(old.record)) {
    return Fail(ErrorCode::kConflict, "the second factor is off already");
  }
  GuessLimits::Guess guess;
  if (actor.user == user.id) {
    if (!code) {
      return Fail(ErrorCode::kInvalidArgument, "otp: a code is needed");
    }
    // Whoever stole a session must not find the code by trying all of them.
    ASSIGN_OR_RETURN(
        guess, parts_.limits.CountLink(op, "second-factor:" + user.id.Render(), actor.client));
    RETURN_IF_ERROR(Use(old.record, *code));
  } else {
    RETURN_IF_ERROR(CheckMayManage(actor, user.org, user.role));
    RETURN_IF_ERROR(CheckMayEmpower(actor, user.role));
  }
  UserSecrets off = old.record;
  TurnOff(off);
  store::Batch batch;
  batch.Replace(Secrets(), old, off);
  batch.SetAnswer({.status = 204});
  AddAudit(batch, actor, ground_.clock.Now(),
           {.org = user.org, .action = "second_factor.off", .target = TargetOf(user.id)});
  RETURN_IF_ERROR(parts_.limits.CommitRight(op, batch, guess));
  return {};
}

}  // namespace atrium::identity
