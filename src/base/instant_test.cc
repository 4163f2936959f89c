// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "base/instant.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "base/testing.h"

namespace atrium {
namespace {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::sys_days;
using std::chrono::year;

constexpr Instant kEpoch{};

TEST(InstantTest, RendersUtcWithMilliseconds) {
  EXPECT_EQ(RenderInstant(kEpoch), "1970-01-01T00:00:00.000Z");
  EXPECT_EQ(RenderInstant(Instant(milliseconds(1'763'246'040'123))), "2025-11-15T22:34:00.123Z");
}

TEST(InstantTest, RendersMomentsBeforeTheEpoch) {
  EXPECT_EQ(RenderInstant(kEpoch - milliseconds(1)), "1969-12-31T23:59:59.999Z");
}

TEST(InstantTest, RendersTheNearerEndOutsideFourDigitYears) {
  EXPECT_EQ(RenderInstant(Instant::max()), "9999-12-31T23:59:59.999Z");
  EXPECT_EQ(RenderInstant(Instant::min()), "0001-01-01T00:00:00.000Z");
}

TEST(InstantTest, ParsesWhatItRenders) {
  for (const Instant instant :
       {kEpoch, kEpoch - milliseconds(1), Instant(sys_days(year(1) / 1 / 1)),
        Instant(sys_days(year(9999) / 12 / 31)) + milliseconds(86'399'999),
        Instant(milliseconds(1'763'246'040'123))}) {
    EXPECT_THAT(ParseInstant(RenderInstant(instant)), Holds(instant));
  }
}

TEST(InstantTest, ParsesTheExamplesOfRfc3339) {
  EXPECT_THAT(ParseInstant("1985-04-12T23:20:50.52Z"),
              Holds(Instant(milliseconds(482'196'050'520))));
  EXPECT_THAT(ParseInstant("1996-12-19T16:39:57-08:00"),
              Holds(Instant(milliseconds(851'042'397'000))));
  EXPECT_THAT(ParseInstant("1937-01-01T12:00:27.87+00:20"),
              Holds(Instant(milliseconds(-1'041'337'172'130))));
}

TEST(InstantTest, LettersMayBeLowerCase) {
  EXPECT_THAT(ParseInstant("1970-01-02t00:00:00z"), Holds(kEpoch + days(1)));
}

TEST(InstantTest, TheFractionIsOptionalAndCutAtTheMillisecond) {
  EXPECT_THAT(ParseInstant("1970-01-01T00:00:00Z"), Holds(kEpoch));
  EXPECT_THAT(ParseInstant("1970-01-01T00:00:00.5Z"), Holds(kEpoch + milliseconds(500)));
  EXPECT_THAT(ParseInstant("1970-01-01T00:00:00.123999999999999999999Z"),
              Holds(kEpoch + milliseconds(123)));
}

TEST(InstantTest, AnUnknownOffsetMeansUtc) {
  EXPECT_THAT(ParseInstant("1970-01-01T05:00:00-00:00"), Holds(kEpoch + hours(5)));
}

TEST(InstantTest, KnowsLeapYears) {
  EXPECT_THAT(ParseInstant("2024-02-29T00:00:00Z"), IsOk());
  EXPECT_THAT(ParseInstant("2000-02-29T00:00:00Z"), IsOk());
  EXPECT_THAT(ParseInstant("2023-02-29T00:00:00Z"), FailsWith(ErrorCode::kInvalidArgument));
  EXPECT_THAT(ParseInstant("1900-02-29T00:00:00Z"), FailsWith(ErrorCode::kInvalidArgument));
}

TEST(InstantTest, RefusesMomentsPushedOutOfRangeByTheOffset) {
  EXPECT_THAT(ParseInstant("0001-01-01T00:00:00+00:01"), FailsWith(ErrorCode::kInvalidArgument));
  EXPECT_THAT(ParseInstant("9999-12-31T23:59:59-00:01"), FailsWith(ErrorCode::kInvalidArgument));
  EXPECT_THAT(ParseInstant("0001-01-01T00:01:00+00:01"), IsOk());
}

TEST(InstantTest, SaysWhatItExpects) {
  EXPECT_THAT(ParseInstant("tomorrow"), FailsSaying(ErrorCode::kInvalidArgument, "RFC 3339"));
}

class RefusedInstantTest : public ::testing::TestWithParam<const char*> {};

TEST_P(RefusedInstantTest, IsInvalid) {
  EXPECT_THAT(ParseInstant(GetParam()), FailsWith(ErrorCode::kInvalidArgument));
}

INSTANTIATE_TEST_SUITE_P(
    InstantTest, RefusedInstantTest,
    ::testing::Values("", "2026", "2026-11-15", "2026-11-15T22:34:00", "2026-11-15 22:34:00Z",
                      "2026-11-15T22:34Z", "2026-11-15T22:34:00.Z", "2026-11-15T22:34:00,5Z",
                      "2026-11-15T22:34:60Z", "2026-11-15T22:60:00Z", "2026-11-15T24:00:00Z",
                      "2026-00-15T22:34:00Z", "2026-13-15T22:34:00Z", "2026-11-00T22:34:00Z",
                      "2026-11-31T22:34:00Z", "2026-04-31T22:34:00Z", "0000-01-01T00:00:00Z",
                      "10000-01-01T00:00:00Z", "-2026-11-15T22:34:00Z", "+2026-11-15T22:34:00Z",
                      "2026-11-15T22:34:00+24:00", "2026-11-15T22:34:00+01:60",
                      "2026-11-15T22:34:00+0100", "2026-11-15T22:34:00+01", "2026-11-15T22:34:00ZZ",
                      " 2026-11-15T22:34:00Z", "2026-11-15T22:34:00Z ", "2026-1-15T22:34:00Z",
                      "20261115T223400Z", "2026-11-15T22:34:0xZ", "2026-11-15T-2:34:00Z"));

}  // namespace
}  // namespace atrium
