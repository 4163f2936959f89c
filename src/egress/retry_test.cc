// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "egress/retry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <optional>

#include "base/clock.h"
#include "egress/message.h"

namespace atrium::egress {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::Optional;

/// Sun, 06 Nov 1994 08:49:37 GMT, the date in the examples of RFC 9110.
constexpr Instant kNow{seconds(784111777)};

TEST(MayRepeatTest, FollowsTheMethodUnlessThePolicyDecides) {
  EXPECT_TRUE(MayRepeat({.method = "GET"}));
  EXPECT_TRUE(MayRepeat({.method = "DELETE"}));
  EXPECT_TRUE(MayRepeat({.method = "PROPFIND"}));
  EXPECT_FALSE(MayRepeat({.method = "POST"}));
  EXPECT_FALSE(MayRepeat({.method = "PATCH"}));
  EXPECT_FALSE(MayRepeat({.method = "get"}));
  EXPECT_TRUE(MayRepeat({.method = "POST", .retry = {.repeat = Repeat::kAllowed}}));
  EXPECT_FALSE(MayRepeat({.method = "GET", .retry = {.repeat = Repeat::kNever}}));
}

TEST(IsTransientStatusTest, KnowsTheFour) {
  for (const int status : {429, 502, 503, 504}) {
    EXPECT_TRUE(IsTransientStatus(status)) << status;
  }
  for (const int status : {200, 301, 400, 401, 404, 408, 500, 501}) {
    EXPECT_FALSE(IsTransientStatus(status)) << status;
  }
}

TEST(BackoffWaitTest, DoublesUpToTheCap) {
  const RetryPolicy policy{.first_wait = milliseconds(100), .wait_max = milliseconds(500)};
  EXPECT_EQ(BackoffWait(policy, 1, 0.5), milliseconds(50));
  EXPECT_EQ(BackoffWait(policy, 2, 0.5), milliseconds(100));
  EXPECT_EQ(BackoffWait(policy, 3, 0.5), milliseconds(200));
  EXPECT_EQ(BackoffWait(policy, 4, 0.5), milliseconds(250));
  EXPECT_EQ(BackoffWait(policy, 4'000'000'000U, 0.5), milliseconds(250));
}

TEST(BackoffWaitTest, SpreadsOverTheWholeRange) {
  const RetryPolicy policy{.first_wait = milliseconds(1000)};
  EXPECT_EQ(BackoffWait(policy, 1, 0.0), milliseconds(0));
  EXPECT_EQ(BackoffWait(policy, 1, 0.999), milliseconds(999));
}

TEST(ParseRetryAfterTest, ReadsSeconds) {
  EXPECT_THAT(ParseRetryAfter("120", kNow), Optional(milliseconds(seconds(120))));
  EXPECT_THAT(ParseRetryAfter("0", kNow), Optional(milliseconds(0)));
}

TEST(ParseRetryAfterTest, ReadsDates) {
  EXPECT_THAT(ParseRetryAfter("Sun, 06 Nov 1994 08:50:07 GMT", kNow),
              Optional(milliseconds(seconds(30))));
}

TEST(ParseRetryAfterTest, APassedDateIsNoWait) {
  EXPECT_THAT(ParseRetryAfter("Sun, 06 Nov 1994 08:00:00 GMT", kNow), Optional(milliseconds(0)));
}

TEST(ParseRetryAfterTest, AbsurdWaitsAreAYear) {
  const milliseconds year = hours(24 * 365);
  EXPECT_THAT(ParseRetryAfter("99999999999999999999", kNow), Optional(year));
  EXPECT_THAT(ParseRetryAfter("4294967295", kNow), Optional(year));
  EXPECT_THAT(ParseRetryAfter("Sun, 06 Nov 2094 08:00:00 GMT", kNow), Optional(year));
}

TEST(ParseRetryAfterTest, OtherTextIsNoAdvice) {
  for (const char* text : {"", "-1", "+1", "1.5", "soon", "12 GMT GMT", "GMT", "tomorrow GMT"}) {
    EXPECT_EQ(ParseRetryAfter(text, kNow), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace atrium::egress
