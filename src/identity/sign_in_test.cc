// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "identity/sign_in.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "base/testing.h"
#include "identity/base32.h"
#include "identity/password_hash.h"
#include "identity/room_testing.h"
#include "identity/totp.h"

namespace atrium::identity {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using testing::kOtherPassword;
using testing::kPassword;
using ::testing::SizeIs;
using testing::WithBearer;

constexpr const char* kBob = "bob@example.org";
constexpr const char* kWrong = "the address or the password is wrong";

class SignInTest : public testing::RoomTest {
 protected:
  /// Writes a hash of another time into the secrets.
  void PutHash(const std::string& hash) {
    const auto old = SecretsOf(bob_);
    UserSecrets secrets = old.record;
    secrets.password_hash = hash;
    store::Batch batch;
    batch.Replace(Secrets(), old, secrets);
    ASSERT_THAT(store_.Commit({}, std::move(batch)), IsOk());
  }
  static std::string CheapHash() {
    return PasswordHasher({.memory_kib = 64, .iterations = 1}).Hash(kPassword).value();
  }
  /// Turns the second factor on and answers its secret, in raw bytes.
  std::string TurnOn(std::vector<std::string>* recovery_codes = nullptr) {
    const User bob = bob_.record;
    const auto enrolment = room_.second_factor.Begin({}, bob).value();
    std::string secret = DecodeBase32(enrolment.secret).value();
    auto codes = room_.second_factor.Confirm({}, ActorFor(bob), bob, CodeOf(secret));
    EXPECT_THAT(codes, IsOk());
    if (recovery_codes != nullptr) {
      *recovery_codes = codes.value();
    }
    clock_.Advance(std::chrono::seconds(30));
    return secret;
  }
  std::string CodeOf(const std::string& secret) { return TotpCode(secret, TotpStep(clock_.Now())); }
  Result<OpenedSession> ChangePassword(const PasswordSignIn& given) {
    return room_.sign_in.ChangePassword({}, ActorFor(bob_.record), From("192.0.2.1"), given,
                                        kOtherPassword);
  }

  const store::Stored<User> bob_ = AddBob();
};

TEST_F(SignInTest, TheRightPasswordOpensASession) {
  const auto opened = LogIn(" Bob@Example.org ", kPassword);
  ASSERT_THAT(opened, IsOk());
  EXPECT_EQ(Identify(WithBearer(opened->secret)).value()->user, bob_.record.id);
  EXPECT_THAT(LastLine(),
              AllOf(Field(&AuditLine::action, "session.opened"), Field(&AuditLine::label, kBob)));
  // That they signed in from here, and no guess.
  EXPECT_EQ(CountRows(kAttemptTable), 1U);
}

TEST_F(SignInTest, ALoginIsTwoCommitsTheCountedGuessAndTheSession) {
  EXPECT_EQ(CommitsOf([&](const store::OpContext& op) {
              return room_.sign_in.WithPassword(op, Stranger(), From("192.0.2.1"),
                                                {.email = kBob, .password = kPassword});
            }),
            2U);
}

TEST_F(SignInTest, NothingTellsWhatWasWrong) {
  const auto password = LogIn(kBob, kOtherPassword);
  const auto address = LogIn("nobody@example.org", kPassword);
  const auto no_password = LogIn("ann@example.org", kPassword);
  const auto no_address = LogIn("bob", kPassword);
  const auto nothing = LogIn("", kPassword);
  for (const auto* refused : {&password, &address, &no_password, &no_address, &nothing}) {
    EXPECT_THAT(*refused, FailsSaying(ErrorCode::kUnauthenticated, kWrong));
  }
  EXPECT_EQ(CountRows(kSessionTable), 0U);
}

TEST_F(SignInTest, WhatCannotBeAnAddressIsStoredReadably) {
  // Cut to a length in the middle of a character, it would not decode any more.
  const std::string strange = std::string(253, 'x') + "\u00e9\u00e9@";
  EXPECT_THAT(LogIn(strange, kPassword), FailsSaying(ErrorCode::kUnauthenticated, kWrong));
  EXPECT_THAT(LogIn(strange, kPassword), FailsSaying(ErrorCode::kUnauthenticated, kWrong));
  EXPECT_EQ(Defects(), 0U);
}

TEST_F(SignInTest, AnotherOrganisationHasOtherPeople) {
  const OrgId other =
      room_.organisations.Create({}, Operator(), {.name = "Other"}).value().record.id;
  const PasswordSignIn given{.email = kBob, .password = kPassword};
  EXPECT_THAT(room_.sign_in.WithPassword({}, Stranger(), From("192.0.2.1", other), given),
              FailsSaying(ErrorCode::kUnauthenticated, kWrong));
}

TEST_F(SignInTest, GuessingIsSlowedDownAndAnotherAddressGetsIn) {
  for (int i = 0; i < 6; ++i) {
    ASSERT_THAT(LogIn(kBob, kOtherPassword), FailsWith(ErrorCode::kUnauthenticated));
  }
  EXPECT_THAT(LogIn(kBob, kPassword), FailsWith(ErrorCode::kRateLimited));
  EXPECT_THAT(LogIn(kBob, kPassword, "192.0.2.2"), IsOk());
  EXPECT_THAT(LogIn(kBob, kPassword), FailsWith(ErrorCode::kRateLimited));
  clock_.Advance(std::chrono::seconds(1));
  EXPECT_THAT(LogIn(kBob, kPassword), IsOk());
}

TEST_F(SignInTest, AHashOfOldParametersIsReplacedOnLogin) {
  const std::string old = CheapHash();
  PutHash(old);
  EXPECT_EQ(CommitsOf([&](const store::OpContext& op) {
              return room_.sign_in.WithPassword(op, Stranger(), From("192.0.2.1"),
                                                {.email = kBob, .password = kPassword});
            }),
            2U);
  const std::string renewed = SecretsOf(bob_).record.password_hash;
  EXPECT_NE(renewed, old);
  EXPECT_THAT(room_.hasher.Verify(kPassword, renewed), Holds(PasswordMatch::kYes));
  ASSERT_THAT(LogIn(kBob, kPassword), IsOk());
  EXPECT_EQ(SecretsOf(bob_).record.password_hash, renewed);
}

TEST_F(SignInTest, AWrongPasswordDoesNotReplaceAnOldHash) {
  const std::string old = CheapHash();
  PutHash(old);
  EXPECT_THAT(LogIn(kBob, kOtherPassword), FailsWith(ErrorCode::kUnauthenticated));
  EXPECT_EQ(SecretsOf(bob_).record.password_hash, old);
}

TEST_F(SignInTest, ACountThatOthersShareIsNoReasonToRefuse) {
  PutHash(CheapHash());
  engine_.before_commits.emplace_back(nullptr);
  engine_.before_commits.emplace_back([&] {
    ASSERT_THAT(
        room_.limits.CountSignIn({}, "eve@example.org", ParseIpAddress("192.0.2.1").value()),
        IsOk());
  });
  EXPECT_THAT(LogIn(kBob, kPassword), IsOk());
}

TEST_F(SignInTest, SomebodyDeactivatedInTheMiddleDoesNotGetIn) {
  engine_.before_commits.emplace_back(nullptr);
  engine_.before_commits.emplace_back([&] { Change(bob_, {.status = UserStatus::kDeactivated}); });
  EXPECT_THAT(LogIn(kBob, kPassword), FailsWith(ErrorCode::kConflict));
  EXPECT_EQ(CountRows(kSessionTable), 0U);
}

TEST_F(SignInTest, ASecondFactorIsDemandedAfterThePassword) {
  const std::string secret = TurnOn();
  EXPECT_THAT(LogIn(kBob, kPassword), FailsSaying(ErrorCode::kUnauthenticated, "otp: "));
  EXPECT_THAT(LogIn(kBob, kPassword, "192.0.2.1", ""),
              FailsSaying(ErrorCode::kUnauthenticated, "otp: "));
  EXPECT_THAT(LogIn(kBob, kPassword, "192.0.2.1", "000000x"),
              FailsSaying(ErrorCode::kUnauthenticated, "otp: "));
  EXPECT_THAT(LogIn(kBob, kOtherPassword, "192.0.2.1", CodeOf(secret)),
              FailsSaying(ErrorCode::kUnauthenticated, kWrong));
  EXPECT_THAT(LogIn(kBob, kPassword, "192.0.2.1", CodeOf(secret)), IsOk());
}

TEST_F(SignInTest, ACodeOpensOneSession) {
  const std::string secret = TurnOn();
  const std::string code = CodeOf(secret);
  ASSERT_THAT(LogIn(kBob, kPassword, "192.0.2.1", code), IsOk());
  EXPECT_THAT(LogIn(kBob, kPassword, "192.0.2.1", code),
              FailsSaying(ErrorCode::kUnauthenticated, "otp: "));
  clock_.Advance(std::chrono::seconds(30));
  EXPECT_THAT(LogIn(kBob, kPassword, "192.0.2.1", CodeOf(secret)), IsOk());
}

TEST_F(SignInTest, ACodeUsedTwiceAtOnceOpensOneSession) {
  const std::string code = CodeOf(TurnOn());
  engine_.before_commits.emplace_back(nullptr);
  engine_.before_commits.emplace_back(
      [&] { ASSERT_THAT(LogIn(kBob, kPassword, "192.0.2.2", code), IsOk()); });
  EXPECT_THAT(LogIn(kBob, kPassword, "192.0.2.1", code), FailsWith(ErrorCode::kConflict));
  EXPECT_EQ(CountRows(kSessionTable), 1U);
}

TEST_F(SignInTest, ARecoveryCodeOpensOneSession) {
  std::vector<std::string> codes;
  TurnOn(&codes);
  ASSERT_THAT(codes, SizeIs(kRecoveryCodes));
  ASSERT_THAT(LogIn(kBob, kPassword, "192.0.2.1", codes[3]), IsOk());
  EXPECT_THAT(SecretsOf(bob_).record.recovery_codes, SizeIs(kRecoveryCodes - 1));
  EXPECT_THAT(LogIn(kBob, kPassword, "192.0.2.1", codes[3]),
              FailsSaying(ErrorCode::kUnauthenticated, "otp: "));
  EXPECT_THAT(LogIn(kBob, kPassword, "192.0.2.1", codes[4]), IsOk());
}

TEST_F(SignInTest, ANewPasswordLeavesOneSessionTheNewOne) {
  const OpenedSession before = OpenSession(bob_);
  const MadeToken token = MakeToken(bob_, {.name = "script"});
  EXPECT_EQ(CommitsOf([&](const store::OpContext& op) {
              return room_.sign_in.ChangePassword(op, ActorFor(bob_.record), From("192.0.2.1"),
                                                  {.email = kBob, .password = kPassword},
                                                  kOtherPassword);
            }),
            2U);
  EXPECT_THAT(Identify(WithBearer(before.secret)), FailsWith(ErrorCode::kUnauthenticated));
  EXPECT_THAT(Identify(WithBearer(token.secret)), FailsWith(ErrorCode::kUnauthenticated));
  EXPECT_THAT(room_.sessions.List({}, Reload(bob_).record), Holds(SizeIs(1)));
  EXPECT_THAT(Log(), Contains(Field(&AuditLine::action, "password.changed")));
  EXPECT_THAT(LogIn(kBob, kPassword), FailsWith(ErrorCode::kUnauthenticated));
  EXPECT_THAT(LogIn(kBob, kOtherPassword), IsOk());
}

TEST_F(SignInTest, ANewPasswordNeedsTheOldOne) {
  EXPECT_THAT(ChangePassword({.email = kBob, .password = kOtherPassword}),
              FailsWith(ErrorCode::kUnauthenticated));
  EXPECT_EQ(Reload(bob_).record.generation, 0U);
}

TEST_F(SignInTest, ACodeThatChangedThePasswordIsUsedUp) {
  std::vector<std::string> codes;
  const std::string secret = TurnOn(&codes);
  const std::string code = CodeOf(secret);
  ASSERT_THAT(ChangePassword({.email = kBob, .password = kPassword, .otp = code}), IsOk());
  EXPECT_THAT(LogIn(kBob, kOtherPassword, "192.0.2.1", code),
              FailsSaying(ErrorCode::kUnauthenticated, "otp: "));
  EXPECT_THAT(LogIn(kBob, kOtherPassword, "192.0.2.1", codes[0]), IsOk());
}

TEST_F(SignInTest, ARecoveryCodeThatChangedThePasswordIsUsedUp) {
  std::vector<std::string> codes;
  TurnOn(&codes);
  ASSERT_THAT(ChangePassword({.email = kBob, .password = kPassword, .otp = codes[0]}), IsOk());
  EXPECT_THAT(SecretsOf(bob_).record.recovery_codes, SizeIs(kRecoveryCodes - 1));
}

TEST_F(SignInTest, AChangeOfPasswordIsNotHeldUpByOthersAtTheSameAddress) {
  engine_.before_commits.emplace_back(nullptr);
  engine_.before_commits.emplace_back([&] {
    ASSERT_THAT(
        room_.limits.CountSignIn({}, "eve@example.org", ParseIpAddress("192.0.2.1").value()),
        IsOk());
  });
  EXPECT_THAT(ChangePassword({.email = kBob, .password = kPassword}), IsOk());
}

}  // namespace
}  // namespace atrium::identity
