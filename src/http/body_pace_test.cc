// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/body_pace.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>

namespace atrium::http {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

constexpr std::size_t kKiB = std::size_t{1} << 10;
constexpr std::size_t kMiB = std::size_t{1} << 20;
constexpr BodyPace::Limits kLimits{
    .stretch = seconds(30), .bytes_per_second_min = 1024, .time_max = minutes(15)};

/// How long it takes until a body that goes on like this is given up; a day when it never is.
seconds TimeUntilGivenUp(BodyPace pace, std::size_t bytes, seconds each) {
  for (seconds passed = each; passed < std::chrono::days(1); passed += each) {
    if (!pace.Keeps(bytes, each)) {
      return passed;
    }
  }
  return std::chrono::days(1);
}

TEST(BodyPaceTest, NothingIsAskedOfTheFirstStretch) {
  BodyPace pace(kLimits);
  EXPECT_TRUE(pace.Keeps(1, seconds(29)));
  EXPECT_TRUE(pace.Keeps(0, seconds(1)));
  EXPECT_FALSE(pace.Keeps(1, milliseconds(1)));
}

TEST(BodyPaceTest, WhoWasFastAtFirstIsGivenUpAllTheSame) {
  BodyPace pace(kLimits);
  ASSERT_TRUE(pace.Keeps(48 * kMiB, seconds(1)));
  EXPECT_LT(TimeUntilGivenUp(pace, 1, seconds(29)), minutes(2));
}

TEST(BodyPaceTest, ASteadyTrickleIsEnoughUpToTheLongestTime) {
  EXPECT_EQ(TimeUntilGivenUp(BodyPace(kLimits), 10 * kKiB, seconds(10)), minutes(15) + seconds(10));
  BodyPace::Limits endless = kLimits;
  endless.time_max.reset();
  EXPECT_EQ(TimeUntilGivenUp(BodyPace(endless), 10 * kKiB, seconds(10)), std::chrono::days(1));
}

TEST(BodyPaceTest, APauseIsMadeUpForWithinItsStretch) {
  BodyPace pace(kLimits);
  EXPECT_TRUE(pace.Keeps(kKiB, seconds(1)));
  EXPECT_TRUE(pace.Keeps(64 * kKiB, seconds(29) + milliseconds(500)));
}

TEST(BodyPaceTest, WithoutALeastRateOnlyTheLongestTimeCounts) {
  BodyPace::Limits limits = kLimits;
  limits.bytes_per_second_min = 0;
  EXPECT_EQ(TimeUntilGivenUp(BodyPace(limits), 1, seconds(20)), minutes(15) + seconds(20));
}

}  // namespace
}  // namespace atrium::http
