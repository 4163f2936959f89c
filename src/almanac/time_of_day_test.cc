// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "almanac/time_of_day.h"

#include <gtest/gtest.h>

#include <string_view>

#include "base/error.h"
#include "base/strong_id.h"
#include "base/testing.h"

namespace atrium::almanac {
namespace {

static_assert(HasTextForm<TimeOfDay>);
static_assert(TimeOfDay().Seconds() == 0);

TEST(TimeOfDayTest, SecondsAreWrittenOnlyWhenThereAreSome) {
  EXPECT_EQ(TimeOfDay::Parse("09:30").value().Render(), "09:30");
  EXPECT_EQ(TimeOfDay::Parse("09:30:00").value().Render(), "09:30");
  EXPECT_EQ(TimeOfDay::Parse("09:30:07").value().Render(), "09:30:07");
  EXPECT_EQ(TimeOfDay::Parse("00:00").value().Seconds(), 0);
  EXPECT_EQ(TimeOfDay::Parse("23:59:59").value().Seconds(), 86'399);
}

TEST(TimeOfDayTest, WhatIsNoTimeIsRefused) {
  for (const std::string_view text :
       {"", "9:30", "24:00", "24:00:00", "12:60", "12:00:60", "12:00:", "12.00", "12:0x", "-1:00",
        "12:00:00Z", "12:00Z", " 12:00", "12-00-00", "1200", "120000"}) {
    EXPECT_THAT(TimeOfDay::Parse(text), FailsWith(ErrorCode::kInvalidArgument)) << text;
  }
}

TEST(TimeOfDayTest, SecondsBeyondTheDayAreItsNearerEnd) {
  EXPECT_EQ(TimeOfDay::FromSeconds(86'400).Render(), "23:59:59");
  EXPECT_EQ(TimeOfDay::FromSeconds(-1).Render(), "00:00");
  EXPECT_LT(TimeOfDay::FromSeconds(59), TimeOfDay::FromSeconds(60));
}

}  // namespace
}  // namespace atrium::almanac
