// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "identity/attempts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "base/testing.h"
#include "identity/room_testing.h"

namespace atrium::identity {
namespace {

using std::chrono::hours;
using std::chrono::seconds;

constexpr const char* kBob = "bob@example.org";

class GuessLimitsTest : public testing::RoomTest {
 protected:
  static IpAddress At(const std::string& address) { return ParseIpAddress(address).value(); }
  Result<GuessLimits::Guess> Guess(const std::string& account, const std::string& address) {
    return room_.limits.CountSignIn({}, account, At(address));
  }
  void GuessOften(int times, const std::string& account, const std::string& address) {
    for (int i = 0; i < times; ++i) {
      ASSERT_THAT(Guess(account, address), IsOk()) << i;
    }
  }
  Result<GuessLimits::Guess> TryLink(const std::string& subject, const std::string& address) {
    return room_.limits.CountLink({}, subject, At(address));
  }
  Result<void> TakeBack(const GuessLimits::Guess& guess) {
    store::Batch batch;
    RETURN_IF_ERROR(room_.limits.TakeBack({}, batch, guess));
    RETURN_IF_ERROR(store_.Commit({}, std::move(batch)));
    return {};
  }
  std::uint32_t FailuresOf(const std::string& subject) {
    const auto found = store::Find(store_, {}, AttemptCounts(), AttemptKey(subject)).value();
    return found ? found->record.failures : 0;
  }
  /// How long an address must wait now; zero: not at all.
  seconds WaitFor(const std::string& account, const std::string& address) {
    const auto guess = Guess(account, address);
    return guess ? seconds(0) : guess.error().retry_after;
  }
};

TEST_F(GuessLimitsTest, AGuessIsOneCommitBeforeItIsLookedAt) {
  EXPECT_EQ(CommitsOf([&](const store::OpContext& op) {
              return room_.limits.CountSignIn(op, kBob, At("192.0.2.1"));
            }),
            1U);
  EXPECT_EQ(FailuresOf("account:bob@example.org"), 1U);
  EXPECT_EQ(FailuresOf("address:192.0.2.1"), 1U);
  EXPECT_EQ(FailuresOf("account-address:bob@example.org@192.0.2.1"), 1U);
}

TEST_F(GuessLimitsTest, TheWaitGrowsWithEachWrongGuessAndEnds) {
  GuessOften(6, kBob, "192.0.2.1");
  for (const seconds wait : {seconds(1), seconds(2), seconds(4), seconds(8), seconds(16)}) {
    EXPECT_THAT(Guess(kBob, "192.0.2.1"), FailsWith(ErrorCode::kRateLimited));
    EXPECT_EQ(WaitFor(kBob, "192.0.2.1"), wait);
    clock_.Advance(wait);
    EXPECT_THAT(Guess(kBob, "192.0.2.1"), IsOk());
  }
  clock_.Advance(hours(24));
  EXPECT_EQ(FailuresOf("account-address:bob@example.org@192.0.2.1"), 0U);
  GuessOften(5, kBob, "192.0.2.1");
}

TEST_F(GuessLimitsTest, TheWaitHasAnEndOfItsOwn) {
  GuessOften(6, kBob, "192.0.2.1");
  for (int i = 0; i < 20; ++i) {
    clock_.Advance(std::chrono::minutes(15));
    ASSERT_THAT(Guess(kBob, "192.0.2.1"), IsOk());
  }
  EXPECT_EQ(WaitFor(kBob, "192.0.2.1"), std::chrono::minutes(15));
}

TEST_F(GuessLimitsTest, AGuessThatIsRefusedIsNotCounted) {
  GuessOften(6, kBob, "192.0.2.1");
  EXPECT_THAT(Guess(kBob, "192.0.2.1"), FailsWith(ErrorCode::kRateLimited));
  EXPECT_EQ(FailuresOf("account:bob@example.org"), 6U);
}

TEST_F(GuessLimitsTest, AnotherAddressAndAnotherAccountAreNotHeldUp) {
  GuessOften(6, kBob, "192.0.2.1");
  EXPECT_THAT(Guess(kBob, "192.0.2.2"), IsOk());
  EXPECT_THAT(Guess("eve@example.org", "192.0.2.1"), IsOk());
}

TEST_F(GuessLimitsTest, AnAddressThatTriesManyAccountsIsHeldUp) {
  for (int i = 0; i < 31; ++i) {
    ASSERT_THAT(Guess("user" + std::to_string(i), "2001:db8::1"), IsOk()) << i;
  }
  EXPECT_THAT(Guess("somebody", "2001:db8::1"), FailsWith(ErrorCode::kRateLimited));
  EXPECT_THAT(Guess("somebody", "2001:db8::2"), FailsWith(ErrorCode::kRateLimited));
  EXPECT_THAT(Guess("somebody", "2001:db8:0:1::1"), IsOk());
  clock_.Advance(hours(1));
  EXPECT_THAT(Guess("somebody", "2001:db8::1"), IsOk());
}

TEST_F(GuessLimitsTest, AnAccountUnderSiegeAdmitsEachFreshAddressOnce) {
  for (int i = 0; i < 101; ++i) {
    ASSERT_THAT(Guess(kBob, "198.51.100." + std::to_string(i)), IsOk());
  }
  EXPECT_THAT(Guess(kBob, "198.51.100.7"), FailsWith(ErrorCode::kRateLimited));
  const auto fresh = Guess(kBob, "203.0.113.9");
  ASSERT_THAT(fresh, IsOk());
  EXPECT_THAT(Guess(kBob, "203.0.113.9"), FailsWith(ErrorCode::kRateLimited));
  ASSERT_THAT(TakeBack(*fresh), IsOk());
  // The owner, who was right, may come again; the siege goes on for the others.
  EXPECT_THAT(Guess(kBob, "203.0.113.9"), IsOk());
  EXPECT_THAT(Guess(kBob, "198.51.100.7"), FailsWith(ErrorCode::kRateLimited));
  clock_.Advance(hours(24));
  EXPECT_THAT(Guess(kBob, "198.51.100.7"), IsOk());
}

TEST_F(GuessLimitsTest, ARightGuessTakesBackItsOwnCountsAlone) {
  GuessOften(3, "eve@example.org", "192.0.2.1");
  GuessOften(2, kBob, "192.0.2.7");
  GuessOften(2, kBob, "192.0.2.1");
  const auto right = Guess(kBob, "192.0.2.1");
  ASSERT_THAT(right, IsOk());
  ASSERT_THAT(TakeBack(*right), IsOk());
  EXPECT_EQ(FailuresOf("account-address:bob@example.org@192.0.2.1"), 0U);
  EXPECT_EQ(FailuresOf("account-address:bob@example.org@192.0.2.7"), 2U);
  EXPECT_EQ(FailuresOf("account-address:eve@example.org@192.0.2.1"), 3U);
  EXPECT_EQ(FailuresOf("address:192.0.2.1"), 5U);
  EXPECT_EQ(FailuresOf("account:bob@example.org"), 4U);
}

TEST_F(GuessLimitsTest, TheFirstGuessThatIsRightLeavesNothingButWhereItCameFrom) {
  const auto right = Guess(kBob, "192.0.2.1");
  ASSERT_THAT(TakeBack(right.value()), IsOk());
  EXPECT_EQ(CountRows(kAttemptTable), 1U);
  clock_.Advance(GuessLimits::kKnownFor);
  EXPECT_EQ(CountRows(kAttemptTable), 0U);
}

TEST_F(GuessLimitsTest, ASiegeLeavesRoomForMistakesWhereTheOwnerSignedInBefore) {
  ASSERT_THAT(TakeBack(Guess(kBob, "192.0.2.1").value()), IsOk());
  for (std::uint32_t i = 0; i <= kAccountLimit.free; ++i) {
    ASSERT_THAT(Guess(kBob, "198.51." + std::to_string(i / 200) + "." + std::to_string(i % 200)),
                IsOk());
  }
  EXPECT_THAT(Guess(kBob, "192.0.2.1"), IsOk());
  EXPECT_THAT(Guess(kBob, "192.0.2.1"), IsOk());
  EXPECT_THAT(Guess(kBob, "203.0.113.9"), IsOk());
  EXPECT_THAT(Guess(kBob, "203.0.113.9"), FailsWith(ErrorCode::kRateLimited));
}

TEST_F(GuessLimitsTest, AGuessThatMeetsAnotherIsCountedAllTheSame) {
  engine_.before_commits.emplace_back(
      [&] { EXPECT_THAT(Guess("eve@example.org", "192.0.2.1"), IsOk()); });
  EXPECT_THAT(Guess(kBob, "192.0.2.1"), IsOk());
  EXPECT_EQ(FailuresOf("address:192.0.2.1"), 2U);
}

TEST_F(GuessLimitsTest, WhatABurstExhaustsIsRefusedToWhoeverComesLast) {
  GuessOften(5, kBob, "192.0.2.1");
  engine_.before_commits.emplace_back([&] { EXPECT_THAT(Guess(kBob, "192.0.2.1"), IsOk()); });
  EXPECT_THAT(Guess(kBob, "192.0.2.1"), FailsWith(ErrorCode::kRateLimited));
}

TEST_F(GuessLimitsTest, ALinkHasLimitsOfItsOwn) {
  for (int i = 0; i < 6; ++i) {
    ASSERT_THAT(TryLink("abc", "192.0.2." + std::to_string(i)), IsOk());
  }
  EXPECT_THAT(TryLink("abc", "192.0.2.99"), FailsWith(ErrorCode::kRateLimited));
  EXPECT_THAT(TryLink("def", "192.0.2.99"), IsOk());
  clock_.Advance(seconds(1));
  EXPECT_THAT(TryLink("abc", "192.0.2.99"), IsOk());
}

}  // namespace
}  // namespace atrium::identity
