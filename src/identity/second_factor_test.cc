// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "identity/second_factor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "base/testing.h"
#include "identity/base32.h"
#include "identity/room_testing.h"
#include "identity/totp.h"

namespace atrium::identity {
namespace {

using std::chrono::seconds;
using ::testing::AllOf;
using ::testing::Each;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

class SecondFactorTest : public testing::RoomTest {
 protected:
  std::string CodeAt(const std::string& secret, seconds ahead = seconds(0)) {
    return TotpCode(secret, TotpStep(clock_.Now() + ahead));
  }
  std::string Begin() {
    return DecodeBase32(room_.second_factor.Begin({}, bob_.record).value().secret).value();
  }
  Result<std::vector<std::string>> Confirm(const std::string& code) {
    return room_.second_factor.Confirm({}, ActorFor(bob_.record), bob_.record, code);
  }
  std::string TurnOn() {
    std::string secret = Begin();
    EXPECT_THAT(Confirm(CodeAt(secret)), IsOk());
    return secret;
  }
  Result<UserSecrets> Use(const std::string& code) {
    return room_.second_factor.Use(SecretsOf(bob_).record, code);
  }
  Result<void> End(const Actor& actor, const std::optional<std::string>& code) {
    return room_.second_factor.End({}, actor, bob_.record, code);
  }

  const store::Stored<User> bob_ = Add({.email = "bob@example.org"});
};

TEST_F(SecondFactorTest, IsOnOnceAFirstCodeWasRight) {
  const auto enrolment = room_.second_factor.Begin({}, bob_.record).value();
  EXPECT_THAT(enrolment.uri, HasSubstr("secret=" + enrolment.secret));
  EXPECT_FALSE(SecondFactor::IsOn(SecretsOf(bob_).record));
  const std::string secret = DecodeBase32(enrolment.secret).value();
  EXPECT_THAT(Confirm("abcdef"), FailsSaying(ErrorCode::kPermissionDenied, "otp: "));
  EXPECT_FALSE(SecondFactor::IsOn(SecretsOf(bob_).record));
  EXPECT_THAT(Confirm(CodeAt(secret)), Holds(SizeIs(kRecoveryCodes)));
  EXPECT_TRUE(SecondFactor::IsOn(SecretsOf(bob_).record));
  EXPECT_THAT(LastLine(), AllOf(Field(&AuditLine::action, "second_factor.on"),
                                Field(&AuditLine::target, TargetOf(bob_.record.id))));
}

TEST_F(SecondFactorTest, EachStepIsOneCommit) {
  std::string secret;
  EXPECT_EQ(CommitsOf([&](const store::OpContext& op) {
              auto enrolment = room_.second_factor.Begin(op, bob_.record);
              secret = DecodeBase32(enrolment.value().secret).value();
              return enrolment;
            }),
            1U);
  EXPECT_EQ(CommitsOf([&](const store::OpContext& op) {
              return room_.second_factor.Confirm(op, ActorFor(bob_.record), bob_.record,
                                                 CodeAt(secret));
            }),
            1U);
  EXPECT_EQ(CommitsOf([&](const store::OpContext& op) {
              return room_.second_factor.End(op, Operator(), bob_.record, std::nullopt);
            }),
            1U);
}

TEST_F(SecondFactorTest, SecretsAreSealedAndRecoveryCodesHashed) {
  const std::string secret = Begin();
  const auto codes = Confirm(CodeAt(secret)).value();
  const UserSecrets stored = SecretsOf(bob_).record;
  EXPECT_THAT(stored.totp_secret, Not(HasSubstr(secret)));
  EXPECT_THAT(stored.totp_secret, Not(HasSubstr(EncodeBase32(secret))));
  EXPECT_THAT(stored.totp_pending, IsEmpty());
  for (const std::string& code : codes) {
    EXPECT_THAT(stored.recovery_codes, Each(Not(HasSubstr(code))));
  }
}

TEST_F(SecondFactorTest, TheCodeThatTurnedItOnIsUsedUp) {
  const std::string secret = TurnOn();
  EXPECT_THAT(Use(CodeAt(secret)), FailsWith(ErrorCode::kPermissionDenied));
  EXPECT_THAT(Use(CodeAt(secret, seconds(30))), IsOk());
}

TEST_F(SecondFactorTest, AUsedCodeMovesTheStepAndAnOlderOneIsRefused) {
  const std::string secret = TurnOn();
  clock_.Advance(seconds(90));
  const auto used = Use(CodeAt(secret));
  ASSERT_THAT(used, IsOk());
  EXPECT_EQ(used->totp_last_step, TotpStep(clock_.Now()));
  EXPECT_THAT(room_.second_factor.Use(*used, CodeAt(secret)),
              FailsWith(ErrorCode::kPermissionDenied));
  EXPECT_THAT(room_.second_factor.Use(*used, CodeAt(secret, seconds(-30))),
              FailsWith(ErrorCode::kPermissionDenied));
  EXPECT_THAT(Use(CodeAt(secret, seconds(-30))), IsOk());
  EXPECT_THAT(Use(CodeAt(secret, seconds(60))), FailsWith(ErrorCode::kPermissionDenied));
}

TEST_F(SecondFactorTest, TheSecretOfAnotherPersonDoesNotOpen) {
  TurnOn();
  UserSecrets stolen = SecretsOf(bob_).record;
  stolen.user = ann_.record.id;
  EXPECT_THAT(room_.second_factor.Use(stolen, "123456"), FailsWith(ErrorCode::kCorrupt));
}

TEST_F(SecondFactorTest, IsNotBegunTwiceNorConfirmedUnbegun) {
  EXPECT_THAT(Confirm("123456"), FailsWith(ErrorCode::kConflict));
  const std::string first = Begin();
  const std::string second = Begin();
  EXPECT_THAT(Confirm(CodeAt(first)), FailsWith(ErrorCode::kPermissionDenied));
  EXPECT_THAT(Confirm(CodeAt(second)), IsOk());
  EXPECT_THAT(room_.second_factor.Begin({}, bob_.record), FailsWith(ErrorCode::kConflict));
}

TEST_F(SecondFactorTest, ItsOwnerNeedsACodeToEndIt) {
  const std::string secret = TurnOn();
  const Actor bob = ActorFor(bob_.record);
  EXPECT_THAT(End(bob, std::nullopt), FailsSaying(ErrorCode::kInvalidArgument, "otp"));
  EXPECT_THAT(End(bob, CodeAt(secret)), FailsWith(ErrorCode::kPermissionDenied));
  clock_.Advance(seconds(30));
  EXPECT_THAT(End(bob, CodeAt(secret)), IsOk());
  EXPECT_FALSE(SecondFactor::IsOn(SecretsOf(bob_).record));
  EXPECT_THAT(SecretsOf(bob_).record.recovery_codes, IsEmpty());
  EXPECT_THAT(LastLine(), Field(&AuditLine::action, "second_factor.off"));
  EXPECT_THAT(End(bob, "123456"), FailsWith(ErrorCode::kConflict));
}

TEST_F(SecondFactorTest, AStolenSessionCannotTryAllCodes) {
  TurnOn();
  const Actor thief = ActorFor(bob_.record);
  for (int i = 0; i < 6; ++i) {
    ASSERT_THAT(End(thief, "abcdef"), FailsWith(ErrorCode::kPermissionDenied));
  }
  EXPECT_THAT(End(thief, "abcdef"), FailsWith(ErrorCode::kRateLimited));
}

TEST_F(SecondFactorTest, AnAdministratorEndsItWithoutOne) {
  TurnOn();
  const auto eve = Add({.email = "eve@example.org"});
  EXPECT_THAT(End(ActorFor(eve.record), std::nullopt), FailsWith(ErrorCode::kPermissionDenied));
  EXPECT_THAT(End(ActorFor(ann_.record), std::nullopt), IsOk());
}

}  // namespace
}  // namespace atrium::identity
