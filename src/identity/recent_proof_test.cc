// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "identity/recent_proof.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "base/testing.h"
#include "identity/base32.h"
#include "identity/room_testing.h"
#include "identity/totp.h"

namespace atrium::identity {
namespace {

using ::testing::ElementsAre;
using testing::kPassword;
using testing::WithBearer;

class RecentProofTest : public testing::RoomTest {
 protected:
  std::shared_ptr<const api::Caller> CallerWith(const std::string& secret) {
    return Identify(WithBearer(secret)).value();
  }
  bool Has(const OpenedSession& opened) {
    return room_.proof.Has({}, *CallerWith(opened.secret)).value();
  }
  Result<void> Give(const OpenedSession& opened, const GivenProof& given,
                    const std::string& address = "192.0.2.1") {
    return room_.proof.Give({}, ActorFor(bob_.record), From(address), *CallerWith(opened.secret),
                            given);
  }
  /// Turns the second factor on and answers its secret.
  std::string TurnOn() {
    const Enrolment begun = room_.second_factor.Begin({}, bob_.record).value();
    const std::string secret = DecodeBase32(begun.secret).value();
    EXPECT_THAT(room_.second_factor.Confirm({}, ActorFor(bob_.record), bob_.record,
                                            TotpCode(secret, TotpStep(clock_.Now()))),
                IsOk());
    return secret;
  }

  const store::Stored<User> bob_ = AddBob();
};

TEST_F(RecentProofTest, SigningInIsAProofForTenMinutes) {
  const OpenedSession opened = OpenSession(bob_);
  EXPECT_TRUE(Has(opened));
  clock_.Advance(kProofKept - std::chrono::milliseconds(1));
  EXPECT_TRUE(Has(opened));
  clock_.Advance(std::chrono::milliseconds(1));
  EXPECT_FALSE(Has(opened));
}

TEST_F(RecentProofTest, AProofCountsForItsOwnSessionAlone) {
  const OpenedSession one = OpenSession(bob_);
  const OpenedSession other = OpenSession(bob_);
  clock_.Advance(kProofKept);
  ASSERT_THAT(Give(one, {.password = kPassword}), IsOk());
  EXPECT_TRUE(Has(one));
  EXPECT_FALSE(Has(other));
  EXPECT_EQ(LastLine().action, "session.proved");
  EXPECT_EQ(Defects(), 0U);
}

TEST_F(RecentProofTest, ATokenProvesNothingWhateverItsScopes) {
  const MadeToken made = MakeToken(bob_, {.name = "x", .scopes = {{"*"}}});
  const auto caller = CallerWith(made.secret);
  EXPECT_THAT(room_.proof.Has({}, *caller), FailsWith(ErrorCode::kPermissionDenied));
  EXPECT_THAT(room_.proof.Give({}, ActorFor(bob_.record), From("192.0.2.1"), *caller,
                               {.password = kPassword}),
              FailsWith(ErrorCode::kPermissionDenied));
}

TEST_F(RecentProofTest, AWrongProofIsNone) {
  const OpenedSession opened = OpenSession(bob_);
  clock_.Advance(kProofKept);
  EXPECT_THAT(Give(opened, {}), FailsWith(ErrorCode::kInvalidArgument));
  EXPECT_THAT(Give(opened, {.password = "wrong"}), FailsWith(ErrorCode::kPermissionDenied));
  EXPECT_THAT(Give(opened, {.otp = "123456"}), FailsWith(ErrorCode::kPermissionDenied));
  EXPECT_FALSE(Has(opened));
}

TEST_F(RecentProofTest, ProofsAreNotTriedOutForever) {
  const OpenedSession opened = OpenSession(bob_);
  for (std::uint32_t i = 0; i <= kAccountAddressLimit.free; ++i) {
    EXPECT_THAT(Give(opened, {.password = "wrong"}), FailsWith(ErrorCode::kPermissionDenied));
  }
  EXPECT_THAT(Give(opened, {.password = kPassword}), FailsWith(ErrorCode::kRateLimited));
}

TEST_F(RecentProofTest, ACodeOfTheSecondFactorIsEnoughAndIsUsedUp) {
  const OpenedSession opened = OpenSession(bob_);
  const std::string secret = TurnOn();
  clock_.Advance(kProofKept);
  const std::string code = TotpCode(secret, TotpStep(clock_.Now()));
  ASSERT_THAT(Give(opened, {.otp = code}), IsOk());
  EXPECT_TRUE(Has(opened));
  EXPECT_THAT(Give(opened, {.otp = code}), FailsWith(ErrorCode::kPermissionDenied));
}

TEST_F(RecentProofTest, MethodsAreThoseThatThePersonHas) {
  EXPECT_THAT(room_.proof.MethodsOf({}, bob_.record).value(), ElementsAre("password"));
  TurnOn();
  EXPECT_THAT(room_.proof.MethodsOf({}, bob_.record).value(), ElementsAre("password", "otp"));
  const store::Stored<User> cat = Add({.email = "cat@example.org"});
  EXPECT_THAT(room_.proof.MethodsOf({}, cat.record).value(), ElementsAre("link"));
}

}  // namespace
}  // namespace atrium::identity
