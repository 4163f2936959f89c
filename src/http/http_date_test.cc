// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/http_date.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string_view>

#include "base/error.h"
#include "base/testing.h"

namespace atrium::http {
namespace {

using std::chrono::sys_days;
using std::chrono::sys_seconds;
using namespace std::chrono_literals;

constexpr sys_seconds kExample = sys_days{1994y / 11 / 6} + 8h + 49min + 37s;

TEST(HttpDateTest, TheThreeFormsMeanTheSame) {
  EXPECT_THAT(ParseHttpDate("Sun, 06 Nov 1994 08:49:37 GMT"), Holds(kExample));
  EXPECT_THAT(ParseHttpDate("Sunday, 06-Nov-94 08:49:37 GMT"), Holds(kExample));
  EXPECT_THAT(ParseHttpDate("Sun Nov  6 08:49:37 1994"), Holds(kExample));
}

TEST(HttpDateTest, TwoDigitYearsBelowSeventyAreOfThisCentury) {
  EXPECT_THAT(ParseHttpDate("Wednesday, 31-Dec-69 00:00:00 GMT"),
              FailsSaying(ErrorCode::kInvalidArgument, "day of the week"));
  EXPECT_THAT(ParseHttpDate("Tuesday, 31-Dec-69 00:00:00 GMT"), Holds(sys_days{2069y / 12 / 31}));
  EXPECT_THAT(ParseHttpDate("Thursday, 01-Jan-70 00:00:00 GMT"), Holds(sys_seconds{}));
}

TEST(HttpDateTest, LeapDaysAndLeapSecondsExist) {
  EXPECT_THAT(ParseHttpDate("Thu, 29 Feb 2024 23:59:60 GMT"), Holds(sys_days{2024y / 3 / 1}));
  EXPECT_THAT(ParseHttpDate("Wed, 29 Feb 2023 00:00:00 GMT"),
              FailsSaying(ErrorCode::kInvalidArgument, "does not exist"));
}

TEST(HttpDateTest, AnythingElseIsRefused) {
  for (const std::string_view bad : {"",
                                     "0",
                                     "Sun, 06 Nov 1994 08:49:37",
                                     "Sun, 06 Nov 1994 08:49:37 UTC",
                                     "Sun, 06 Nov 1994 08:49:37 GMT ",
                                     " Sun, 06 Nov 1994 08:49:37 GMT",
                                     "sun, 06 Nov 1994 08:49:37 GMT",
                                     "Sun, 6 Nov 1994 08:49:37 GMT",
                                     "Sun, 06 nov 1994 08:49:37 GMT",
                                     "Sun, 06 Nov 94 08:49:37 GMT",
                                     "Sun, 06 Nov 1994 8:49:37 GMT",
                                     "Sun, 06 Nov 1994 24:00:00 GMT",
                                     "Sun, 06 Nov 1994 08:60:37 GMT",
                                     "Sun, 06 Nov 1994 08:49:61 GMT",
                                     "Sun, 00 Nov 1994 08:49:37 GMT",
                                     "Mon, 06 Nov 1994 08:49:37 GMT",
                                     "Sun, 06-Nov-94 08:49:37 GMT",
                                     "Sunday, 06-Nov-1994 08:49:37 GMT",
                                     "Sun Nov 6 08:49:37 1994",
                                     "Sun Nov  6 08:49:37 1994 GMT",
                                     "Sun Nov 06 08:49:37 +994",
                                     "1994-11-06T08:49:37Z",
                                     "Sun, -6 Nov 1994 08:49:37 GMT"}) {
    EXPECT_THAT(ParseHttpDate(bad), FailsWith(ErrorCode::kInvalidArgument)) << bad;
  }
}

TEST(HttpDateTest, RenderingWritesTheFixedForm) {
  EXPECT_EQ(RenderHttpDate(kExample), "Sun, 06 Nov 1994 08:49:37 GMT");
  EXPECT_EQ(RenderHttpDate(sys_seconds{}), "Thu, 01 Jan 1970 00:00:00 GMT");
}

TEST(HttpDateTest, TimesThatCannotBeWrittenBecomeTheNearest) {
  EXPECT_EQ(RenderHttpDate(sys_seconds::max()), "Fri, 31 Dec 9999 23:59:59 GMT");
  EXPECT_EQ(RenderHttpDate(sys_seconds::min()), "Sat, 01 Jan 0000 00:00:00 GMT");
}

TEST(HttpDateTest, EveryDayOfFourCenturiesReadsBackTheSame) {
  for (sys_days day{1800y / 1 / 1}; day < sys_days{2200y / 1 / 1}; day += std::chrono::days{1}) {
    const sys_seconds time = day + 12h + 34min + 56s;
    ASSERT_THAT(ParseHttpDate(RenderHttpDate(time)), Holds(time));
  }
}

}  // namespace
}  // namespace atrium::http
