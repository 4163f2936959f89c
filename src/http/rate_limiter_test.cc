// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/rate_limiter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

#include "base/testing.h"

namespace atrium::http {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::Eq;
using ::testing::Optional;

ClientBudget::Rates TwoPerSecond() {
  ClientBudget::Rates rates{};
  rates.fill({.per_second = 2, .burst = 3});
  return rates;
}

class RateLimiterTest : public ::testing::Test {
 protected:
  std::optional<seconds> Take(RateClass rate_class = RateClass::kStandard) {
    return limiter_.BudgetOf(client_)->Take(rate_class, limiter_.Rates(), now_);
  }

  RateLimiter limiter_{TwoPerSecond()};
  IpAddress client_ = ParseIpAddress("192.0.2.1").value();
  ClientBudget::Time now_{seconds(1000)};
};

TEST_F(RateLimiterTest, BurstIsFreeAndThenTheRateHolds) {
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(Take(), std::nullopt);
  }
  EXPECT_THAT(Take(), Optional(Eq(seconds(1))));
  now_ += milliseconds(500);
  EXPECT_EQ(Take(), std::nullopt);
  EXPECT_THAT(Take(), Optional(Eq(seconds(1))));
}

TEST_F(RateLimiterTest, ClassesAreCountedApart) {
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(Take(RateClass::kCostly), std::nullopt);
  }
  EXPECT_NE(Take(RateClass::kCostly), std::nullopt);
  EXPECT_EQ(Take(RateClass::kStandard), std::nullopt);
}

TEST_F(RateLimiterTest, UnlimitedIsNeverRefused) {
  for (int i = 0; i < 1000; ++i) {
    EXPECT_EQ(Take(RateClass::kUnlimited), std::nullopt);
  }
}

TEST_F(RateLimiterTest, ClientsAreCountedApart) {
  for (int i = 0; i < 4; ++i) {
    (void)Take();
  }
  client_ = ParseIpAddress("192.0.2.2").value();
  EXPECT_EQ(Take(), std::nullopt);
}

TEST_F(RateLimiterTest, AddressesOfOneIpv6NetworkShareABudget) {
  client_ = ParseIpAddress("2001:db8:1:2::1").value();
  const auto first = limiter_.BudgetOf(client_);
  EXPECT_EQ(first, limiter_.BudgetOf(ParseIpAddress("2001:db8:1:2:ffff::9").value()));
  EXPECT_NE(first, limiter_.BudgetOf(ParseIpAddress("2001:db8:1:3::1").value()));
}

TEST_F(RateLimiterTest, MappedAddressIsTheIpv4Client) {
  EXPECT_EQ(limiter_.BudgetOf(client_),
            limiter_.BudgetOf(ParseIpAddress("::ffff:192.0.2.1").value()));
}

TEST_F(RateLimiterTest, SweepForgetsOnlyThoseWithAFullBudgetAndNoHolder) {
  for (int i = 0; i < 3; ++i) {
    (void)Take();
  }
  limiter_.Sweep(now_);
  EXPECT_EQ(limiter_.size(), 1U);
  now_ += seconds(10);
  std::shared_ptr<ClientBudget> held = limiter_.BudgetOf(client_);
  limiter_.Sweep(now_);
  EXPECT_EQ(limiter_.size(), 1U);
  held.reset();
  limiter_.Sweep(now_);
  EXPECT_EQ(limiter_.size(), 0U);
}

TEST_F(RateLimiterTest, ClockThatStandsStillGivesNothing) {
  for (int i = 0; i < 3; ++i) {
    (void)Take();
  }
  for (int i = 0; i < 5; ++i) {
    EXPECT_NE(Take(), std::nullopt);
  }
}

}  // namespace
}  // namespace atrium::http
