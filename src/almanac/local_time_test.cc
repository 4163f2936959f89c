// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "almanac/local_time.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string_view>

#include "base/error.h"
#include "base/strong_id.h"
#include "base/testing.h"

namespace atrium::almanac {
namespace {

using std::chrono::seconds;

static_assert(HasTextForm<LocalTime>);

LocalTime FromText(std::string_view text) {
  return LocalTime::Parse(text).value();
}

TEST(LocalTimeTest, TextAlwaysHasTheTime) {
  EXPECT_EQ(FromText("2026-03-01").Render(), "2026-03-01T00:00");
  EXPECT_EQ(FromText("2026-03-01T09:00").Render(), "2026-03-01T09:00");
  EXPECT_EQ(FromText("2026-03-01T09:00:00").Render(), "2026-03-01T09:00");
  EXPECT_EQ(FromText("2026-03-01T09:00:01").Render(), "2026-03-01T09:00:01");
}

TEST(LocalTimeTest, WhatIsNoLocalTimeIsRefused) {
  for (const std::string_view text :
       {"", "2026-03-0", "2026-03-01T", "2026-03-01 09:00", "2026-03-01t09:00", "2026-03-01T24:00",
        "2026-03-01T09:00Z", "2026-03-01T09:00:00Z", "2026-03-01T09:00+01:00", "2026-02-29T09:00",
        "09:00"}) {
    EXPECT_THAT(LocalTime::Parse(text), FailsWith(ErrorCode::kInvalidArgument)) << text;
  }
}

TEST(LocalTimeTest, SpansCrossDaysInBothDirections) {
  EXPECT_EQ((FromText("2026-02-28T23:59:59") + seconds(1)).Render(), "2026-03-01T00:00");
  EXPECT_EQ((FromText("2026-03-01T00:00") + seconds(-1)).Render(), "2026-02-28T23:59:59");
  EXPECT_EQ((FromText("1970-01-01T00:00") + seconds(-1)).Render(), "1969-12-31T23:59:59");
  EXPECT_EQ(FromText("2026-03-01T01:00") - FromText("2026-02-28T23:00"), std::chrono::hours(2));
  EXPECT_EQ(FromText("2026-02-28T23:00") - FromText("2026-03-01T01:00"), std::chrono::hours(-2));
}

TEST(LocalTimeTest, ArithmeticStopsAtTheEnds) {
  EXPECT_EQ(LocalTime::Max() + seconds(1), LocalTime::Max());
  EXPECT_EQ(LocalTime::Min() + seconds(-1), LocalTime::Min());
  EXPECT_EQ(LocalTime::Min() + seconds::max(), LocalTime::Max());
  EXPECT_EQ(LocalTime::Max() + seconds::min(), LocalTime::Min());
  EXPECT_EQ(LocalTime::Min() + (LocalTime::Max() - LocalTime::Min()), LocalTime::Max());
}

}  // namespace
}  // namespace atrium::almanac
