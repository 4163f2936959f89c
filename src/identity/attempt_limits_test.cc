// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "identity/attempt_limits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "base/instant.h"
#include "base/ip_network.h"
#include "base/json_write.h"
#include "base/result.h"
#include "base/testing.h"

namespace atrium::identity {
namespace {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;
using ::testing::Optional;

constexpr Instant kNow{days(20'000)};
constexpr AttemptLimit kLimit{
    .free = 3, .first_wait = seconds(1), .wait_max = seconds(10), .forget_after = hours(1)};

AttemptRecord Failed(std::uint32_t failures, Instant last = kNow) {
  return {.failures = failures, .last = last};
}

auto IsWait(milliseconds wait) {
  return Optional(wait);
}

TEST(AttemptLimitsTest, WhoNeverFailedMayTry) {
  EXPECT_EQ(WaitBefore({}, kLimit, kNow), std::nullopt);
}

TEST(AttemptLimitsTest, TheFirstFailuresAreFree) {
  EXPECT_EQ(WaitBefore(Failed(3), kLimit, kNow), std::nullopt);
}

TEST(AttemptLimitsTest, TheWaitDoublesWithEachFailureUpToTheLongest) {
  EXPECT_THAT(WaitBefore(Failed(4), kLimit, kNow), IsWait(seconds(1)));
  EXPECT_THAT(WaitBefore(Failed(5), kLimit, kNow), IsWait(seconds(2)));
  EXPECT_THAT(WaitBefore(Failed(6), kLimit, kNow), IsWait(seconds(4)));
  EXPECT_THAT(WaitBefore(Failed(7), kLimit, kNow), IsWait(seconds(8)));
  EXPECT_THAT(WaitBefore(Failed(8), kLimit, kNow), IsWait(seconds(10)));
}

TEST(AttemptLimitsTest, AnyNumberOfFailuresHasAWait) {
  constexpr std::uint32_t kMost = std::numeric_limits<std::uint32_t>::max();
  EXPECT_THAT(WaitBefore(Failed(kMost), kLimit, kNow), IsWait(seconds(10)));
}

TEST(AttemptLimitsTest, WhatHasPassedOfTheWaitCounts) {
  EXPECT_THAT(WaitBefore(Failed(6), kLimit, kNow + milliseconds(3999)), IsWait(milliseconds(1)));
  EXPECT_EQ(WaitBefore(Failed(6), kLimit, kNow + seconds(4)), std::nullopt);
}

TEST(AttemptLimitsTest, OldFailuresAreForgotten) {
  const AttemptLimit forgetful{
      .free = 0, .first_wait = hours(2), .wait_max = hours(2), .forget_after = hours(1)};
  EXPECT_THAT(WaitBefore(Failed(9), forgetful, kNow + minutes(59)), IsWait(minutes(61)));
  EXPECT_EQ(WaitBefore(Failed(9), forgetful, kNow + hours(1)), std::nullopt);
}

TEST(AttemptLimitsTest, AClockSetBackNeverDemandsMoreThanTheLongestWait) {
  EXPECT_THAT(WaitBefore(Failed(4, kNow + seconds(9)), kLimit, kNow), IsWait(seconds(10)));
  EXPECT_EQ(WaitBefore(Failed(4, kNow + seconds(10)), kLimit, kNow), std::nullopt);
  EXPECT_EQ(WaitBefore(Failed(8, kNow + days(365)), kLimit, kNow), std::nullopt);
}

TEST(AttemptLimitsTest, AFailureAfterTheClockWasSetBackWaitsAgain) {
  const AttemptRecord again = AfterFailure(Failed(8, kNow + days(365)), kLimit, kNow);
  EXPECT_EQ(again, Failed(9));
  EXPECT_THAT(WaitBefore(again, kLimit, kNow), IsWait(seconds(10)));
}

TEST(AttemptLimitsTest, FailuresAreCounted) {
  EXPECT_EQ(AfterFailure({}, kLimit, kNow), Failed(1));
  EXPECT_EQ(AfterFailure(Failed(4), kLimit, kNow + seconds(5)), Failed(5, kNow + seconds(5)));
}

TEST(AttemptLimitsTest, CountingStartsAgainAfterForgetting) {
  EXPECT_EQ(AfterFailure(Failed(9), kLimit, kNow + hours(1)), Failed(1, kNow + hours(1)));
}

TEST(AttemptLimitsTest, CountingNeverOverflows) {
  constexpr std::uint32_t kMost = std::numeric_limits<std::uint32_t>::max();
  EXPECT_EQ(AfterFailure(Failed(kMost), kLimit, kNow), Failed(kMost));
}

TEST(AttemptLimitsTest, GuessingOneAccountFromOneAddressIsSlow) {
  AttemptRecord record;
  Instant now = kNow;
  std::uint32_t guesses = 0;
  while (now < kNow + days(1)) {
    now += WaitBefore(record, kAccountAddressLimit, now).value_or(milliseconds(0));
    record = AfterFailure(record, kAccountAddressLimit, now);
    ++guesses;
  }
  EXPECT_LT(guesses, 120U);
}

TEST(AttemptLimitsTest, TheRecordIsStoredUnderItsOwnNames) {
  EXPECT_EQ(ToJson(Failed(2)), R"({"failures":2,"last":"2024-10-04T00:00:00.000Z"})");
}

TEST(SignInAttemptsTest, AFreshAddressMayTry) {
  EXPECT_EQ(WaitBeforeSignIn({}, kNow), std::nullopt);
}

TEST(SignInAttemptsTest, TheLongestWaitCounts) {
  EXPECT_THAT(WaitBeforeSignIn({.account_address = Failed(6), .address = Failed(33)}, kNow),
              IsWait(seconds(4)));
  EXPECT_THAT(WaitBeforeSignIn({.account_address = Failed(9), .address = Failed(31)}, kNow),
              IsWait(seconds(8)));
  EXPECT_THAT(WaitBeforeSignIn({.address = Failed(31)}, kNow), IsWait(seconds(1)));
}

TEST(SignInAttemptsTest, ABesiegedAccountAdmitsAFreshAddress) {
  EXPECT_EQ(WaitBeforeSignIn({.account = Failed(5000)}, kNow), std::nullopt);
}

TEST(SignInAttemptsTest, ABesiegedAccountAdmitsAnAddressThatFailedOnOthers) {
  EXPECT_EQ(WaitBeforeSignIn({.address = Failed(3), .account = Failed(5000)}, kNow), std::nullopt);
}

TEST(SignInAttemptsTest, ABesiegedAccountRefusesAnAddressThatFailedOnIt) {
  const Instant failed_at = kNow - hours(1);
  EXPECT_THAT(
      WaitBeforeSignIn({.account_address = Failed(1, failed_at), .account = Failed(101)}, kNow),
      IsWait(hours(23)));
}

TEST(SignInAttemptsTest, TheFailuresOfAnAccountAreFreeUpToAHundred) {
  EXPECT_EQ(WaitBeforeSignIn({.account_address = Failed(1), .account = Failed(100)}, kNow),
            std::nullopt);
}

TEST(SignInAttemptsTest, ASiegeIsForgottenAfterADay) {
  const SignInAttempts attempts{.account_address = Failed(1, kNow - hours(1)),
                                .account = Failed(5000, kNow - days(1))};
  EXPECT_EQ(WaitBeforeSignIn(attempts, kNow), std::nullopt);
}

std::string GroupOf(std::string_view text) {
  const Result<IpAddress> address = ParseIpAddress(text);
  EXPECT_THAT(address, IsOk()) << text;
  return address ? AddressGroup(*address) : "";
}

TEST(AddressGroupTest, AnIpv4AddressStandsForItself) {
  EXPECT_EQ(GroupOf("192.0.2.1"), "192.0.2.1");
  EXPECT_EQ(GroupOf("::ffff:192.0.2.1"), "192.0.2.1");
}

TEST(AddressGroupTest, Ipv6AddressesOfOneNetworkAreOne) {
  EXPECT_EQ(GroupOf("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::/64");
  EXPECT_EQ(GroupOf("2001:db8:1:2:ffff::"), GroupOf("2001:db8:1:2::1"));
  EXPECT_NE(GroupOf("2001:db8:1:3::1"), GroupOf("2001:db8:1:2::1"));
  EXPECT_EQ(GroupOf("::1"), "::/64");
}

TEST(AttemptLimitsTest, ASiegeDoesNotCountAgainstAnAddressThatTheOwnerSignedInFrom) {
  const Instant now(std::chrono::hours(1000));
  SignInAttempts attempts{.account_address = {.failures = 1, .last = now},
                          .account = {.failures = kAccountLimit.free + 1, .last = now}};
  EXPECT_TRUE(WaitBeforeSignIn(attempts, now).has_value());
  attempts.address_is_known = true;
  EXPECT_EQ(WaitBeforeSignIn(attempts, now), std::nullopt);
  attempts.account_address.failures = kAccountAddressLimit.free + 1;
  EXPECT_EQ(WaitBeforeSignIn(attempts, now), kAccountAddressLimit.first_wait);
}

}  // namespace
}  // namespace atrium::identity
