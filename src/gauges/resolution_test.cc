// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "gauges/resolution.h"

#include <gtest/gtest.h>

#include <chrono>
#include <optional>

#include "base/instant.h"

namespace atrium::gauges {
namespace {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

Instant Now() {
  return ParseInstant("2027-01-15T08:07:31.250Z").value();
}

TEST(ResolutionTest, AStretchBeginsAtAMultipleOfItsLength) {
  EXPECT_EQ(RenderInstant(StretchOf(Now(), minutes(5))), "2027-01-15T08:05:00.000Z");
  EXPECT_EQ(RenderInstant(StretchOf(Now(), hours(1))), "2027-01-15T08:00:00.000Z");
  EXPECT_EQ(RenderInstant(StretchOf(Now(), days(1))), "2027-01-15T00:00:00.000Z");
}

TEST(ResolutionTest, ABeginningBelongsToItsStretchAndAnEndDoesNot) {
  const Instant begin = StretchOf(Now(), minutes(5));
  EXPECT_EQ(StretchOf(begin, minutes(5)), begin);
  EXPECT_EQ(StretchOf(begin + minutes(5), minutes(5)), begin + minutes(5));
  EXPECT_EQ(StretchOf(begin - milliseconds(1), minutes(5)), begin - minutes(5));
}

TEST(ResolutionTest, AClockBefore1970IsNoTrouble) {
  EXPECT_EQ(StretchOf(Instant(milliseconds(-1)), minutes(5)), Instant(minutes(-5)));
}

TEST(ResolutionTest, TheFinestThatReachesBackAnswers) {
  EXPECT_EQ(ResolutionFor(Now() - hours(24), Now()).step, minutes(5));
  EXPECT_EQ(ResolutionFor(Now() - days(2), Now()).step, minutes(5));
  EXPECT_EQ(ResolutionFor(Now() - days(2) - seconds(1), Now()).step, hours(1));
  EXPECT_EQ(ResolutionFor(Now() - days(61), Now()).step, days(1));
  EXPECT_EQ(ResolutionFor(Now() - days(5000), Now()).step, days(1));
}

TEST(ResolutionTest, OnlyStepsThatAreKeptAreFound) {
  EXPECT_EQ(FindResolution(hours(1)), kResolutions[1]);
  EXPECT_EQ(FindResolution(seconds(60)), std::nullopt);
}

TEST(ResolutionTest, WhatIsKeptFitsIntoOneAnswer) {
  for (const Resolution& one : kResolutions) {
    EXPECT_LT(one.kept / one.step, static_cast<std::int64_t>(kPointsMax));
  }
}

}  // namespace
}  // namespace atrium::gauges
