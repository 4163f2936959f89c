// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "jobs/schedule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <optional>

#include "base/error.h"
#include "base/instant.h"
#include "base/testing.h"

namespace atrium::jobs {
namespace {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;
using ::testing::Optional;

/// Midnight UTC.
constexpr Instant kDay{days(20'000)};
constexpr Every kHourly{hours(1)};
constexpr DailyAt kNightly{hours(3) + minutes(30)};

TEST(ScheduleTest, RefusesPeriodsAndTimesThatAreNone) {
  EXPECT_THAT(Validate(Every{seconds(0)}), FailsSaying(ErrorCode::kInvalidArgument, "period"));
  EXPECT_THAT(Validate(Every{seconds(-5)}), FailsSaying(ErrorCode::kInvalidArgument, "period"));
  EXPECT_THAT(Validate(DailyAt{hours(24)}), FailsSaying(ErrorCode::kInvalidArgument, "day"));
  EXPECT_THAT(Validate(DailyAt{minutes(-1)}), FailsSaying(ErrorCode::kInvalidArgument, "day"));
}

TEST(ScheduleTest, AcceptsTheBounds) {
  EXPECT_THAT(Validate(Every{seconds(1)}), IsOk());
  EXPECT_THAT(Validate(DailyAt{minutes(0)}), IsOk());
  EXPECT_THAT(Validate(DailyAt{hours(23) + minutes(59)}), IsOk());
  EXPECT_THAT(Validate(Manual()), IsOk());
}

TEST(ScheduleTest, IsRenderedForPeople) {
  EXPECT_EQ(Render(Every{minutes(2)}), "every 120 s");
  EXPECT_EQ(Render(kNightly), "daily at 03:30 UTC");
  EXPECT_EQ(Render(DailyAt{hours(23)}), "daily at 23:00 UTC");
  EXPECT_EQ(Render(Manual()), "when asked for");
}

TEST(NextRunTest, AJobNeverStartedIsDueAtOnce) {
  EXPECT_THAT(NextRun(kHourly, std::nullopt, kDay), Optional(kDay));
  EXPECT_THAT(NextRun(kNightly, std::nullopt, kDay + hours(12)), Optional(kDay + hours(12)));
}

TEST(NextRunTest, AManualJobIsNeverDue) {
  EXPECT_EQ(NextRun(Manual(), std::nullopt, kDay), std::nullopt);
  EXPECT_EQ(NextRun(Manual(), kDay - days(400), kDay), std::nullopt);
}

TEST(NextRunTest, APeriodCountsFromTheLastStart) {
  EXPECT_THAT(NextRun(kHourly, kDay, kDay + minutes(10)), Optional(kDay + hours(1)));
}

TEST(NextRunTest, ADayEndsAtTheTimeOfDay) {
  const Instant due = kDay + hours(3) + minutes(30);
  EXPECT_THAT(NextRun(kNightly, kDay + hours(1), kDay + hours(2)), Optional(due));
  EXPECT_THAT(NextRun(kNightly, due, due), Optional(due + days(1)));
  EXPECT_THAT(NextRun(kNightly, due + milliseconds(1), due + hours(1)), Optional(due + days(1)));
  EXPECT_THAT(NextRun(kNightly, due - milliseconds(1), due), Optional(due));
}

TEST(NextRunTest, AJumpForwardIsOneRun) {
  const Instant jumped = kDay + days(30) + minutes(7);
  EXPECT_LE(NextRun(kHourly, kDay, jumped), jumped);
  EXPECT_THAT(NextRun(kHourly, jumped, jumped), Optional(jumped + hours(1)));
  EXPECT_LE(NextRun(kNightly, kDay, jumped), jumped);
  EXPECT_GT(NextRun(kNightly, jumped, jumped), jumped);
}

TEST(NextRunTest, AFarJumpBackIsDueAtOnce) {
  EXPECT_THAT(NextRun(kHourly, kDay + days(365), kDay), Optional(kDay));
  EXPECT_THAT(NextRun(kNightly, kDay + days(365), kDay), Optional(kDay));
}

TEST(NextRunTest, ASmallJumpBackIsTakenForTheClockOfAnotherServer) {
  EXPECT_THAT(NextRun(kHourly, kDay + seconds(2), kDay), Optional(kDay + seconds(2) + hours(1)));
  EXPECT_THAT(NextRun(kHourly, kDay + hours(1), kDay), Optional(kDay + hours(2)));
}

TEST(BackoffTest, DoublesUpToTheCap) {
  const RetryPolicy policy{.first_wait = seconds(10), .wait_max = seconds(50)};
  EXPECT_EQ(Backoff(policy, 1, 0.0), seconds(5));
  EXPECT_EQ(Backoff(policy, 2, 0.0), seconds(10));
  EXPECT_EQ(Backoff(policy, 3, 0.0), seconds(20));
  EXPECT_EQ(Backoff(policy, 4, 0.0), seconds(25));
  EXPECT_EQ(Backoff(policy, 4'000'000'000U, 0.0), seconds(25));
}

TEST(BackoffTest, SpreadsOverTheUpperHalf) {
  const RetryPolicy policy{.first_wait = seconds(10)};
  EXPECT_EQ(Backoff(policy, 1, 0.0), seconds(5));
  EXPECT_EQ(Backoff(policy, 1, 0.5), milliseconds(7500));
}

}  // namespace
}  // namespace atrium::jobs
