// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "jobs/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <stop_token>
#include <string>

#include "base/error.h"
#include "base/instant.h"
#include "base/result.h"
#include "base/testing.h"
#include "jobs/job.h"
#include "jobs/ledger.h"
#include "jobs/schedule.h"

namespace atrium::jobs {
namespace {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;
using ::testing::Optional;

constexpr Instant kNow{days(20'000)};

JobSpec Hourly() {
  return {.name = "purge",
          .schedule = Every{hours(1)},
          .lease = seconds(60),
          .retry = {.attempts_max = 3, .first_wait = seconds(60), .wait_max = seconds(600)},
          .run = [](JobContext&) { return Result<void>(); }};
}

FinishedRun Ended(Outcome outcome, unsigned attempt = 1) {
  return {.server = "one", .attempt = attempt, .started = kNow - minutes(5), .outcome = outcome};
}

JobState Running(Instant renewed_at, unsigned attempt = 1, Instant started = kNow - hours(2)) {
  return {.active = ActiveRun{.lease = {.job = "purge",
                                        .server = "one",
                                        .token = 1,
                                        .renewed_at = renewed_at,
                                        .duration = seconds(60)},
                              .started = started,
                              .attempt = attempt}};
}

TEST(PlanTest, AJobNeverRunIsDueAsTheFirstAttempt) {
  const Plan plan = MakePlan(Hourly(), {}, kNow);
  EXPECT_TRUE(plan.IsDue(kNow));
  EXPECT_EQ(plan.attempt, 1U);
}

TEST(PlanTest, SuccessIsFollowedBySchedule) {
  const Plan plan = MakePlan(Hourly(), {.last_run = Ended(Outcome::kSucceeded)}, kNow);
  EXPECT_THAT(plan.at, Optional(kNow + minutes(55)));
  EXPECT_FALSE(plan.IsDue(kNow));
}

TEST(PlanTest, FailureIsFollowedByTheNextAttempt) {
  const JobState state{.last_run = Ended(Outcome::kFailed, 2), .retry_at = kNow + seconds(90)};
  const Plan plan = MakePlan(Hourly(), state, kNow);
  EXPECT_THAT(plan.at, Optional(kNow + seconds(90)));
  EXPECT_EQ(plan.attempt, 3U);
}

TEST(PlanTest, AFailureGivenUpIsFollowedBySchedule) {
  const Plan plan = MakePlan(Hourly(), {.last_run = Ended(Outcome::kFailed, 3)}, kNow);
  EXPECT_THAT(plan.at, Optional(kNow + minutes(55)));
  EXPECT_EQ(plan.attempt, 1U);
}

TEST(PlanTest, AStoppedRunIsRepeatedAsTheSameAttempt) {
  const JobState state{.last_run = Ended(Outcome::kStopped, 2), .retry_at = kNow};
  const Plan plan = MakePlan(Hourly(), state, kNow);
  EXPECT_TRUE(plan.IsDue(kNow));
  EXPECT_EQ(plan.attempt, 2U);
}

TEST(PlanTest, ARunningJobIsNotDueHoweverLate) {
  const Plan plan = MakePlan(Hourly(), Running(kNow - seconds(59)), kNow);
  EXPECT_TRUE(plan.held);
  EXPECT_FALSE(plan.IsDue(kNow));
}

TEST(PlanTest, AnAbandonedRunIsRepeatedAsTheNextAttempt) {
  const Plan plan = MakePlan(Hourly(), Running(kNow - seconds(60)), kNow);
  EXPECT_TRUE(plan.IsDue(kNow));
  EXPECT_EQ(plan.attempt, 2U);
}

TEST(PlanTest, AJobAbandonedTooOftenWaitsForItsSchedule) {
  const JobState state = Running(kNow - minutes(10), 3, kNow - minutes(20));
  const Plan plan = MakePlan(Hourly(), state, kNow);
  EXPECT_FALSE(plan.held);
  EXPECT_THAT(plan.at, Optional(kNow + minutes(40)));
  EXPECT_EQ(plan.attempt, 1U);
}

TEST(PlanTest, AClockSetBackStarvesNeitherRetriesNorLeases) {
  const JobState retrying{.last_run = Ended(Outcome::kFailed), .retry_at = kNow + days(365)};
  EXPECT_TRUE(MakePlan(Hourly(), retrying, kNow).IsDue(kNow));
  EXPECT_TRUE(MakePlan(Hourly(), Running(kNow + days(365)), kNow).IsDue(kNow));
}

TEST(RetryAfterTest, FollowsTheOutcome) {
  const JobSpec spec = Hourly();
  EXPECT_EQ(RetryAfter(spec, Ended(Outcome::kSucceeded), kNow, 0.0), std::nullopt);
  EXPECT_THAT(RetryAfter(spec, Ended(Outcome::kStopped, 3), kNow, 0.0), Optional(kNow));
  EXPECT_THAT(RetryAfter(spec, Ended(Outcome::kFailed, 1), kNow, 0.0),
              Optional(kNow + seconds(30)));
  EXPECT_THAT(RetryAfter(spec, Ended(Outcome::kFailed, 2), kNow, 0.0),
              Optional(kNow + seconds(60)));
  EXPECT_EQ(RetryAfter(spec, Ended(Outcome::kFailed, 3), kNow, 0.0), std::nullopt);
}

TEST(JobSpecTest, RefusesNamesThatAreNone) {
  for (const char* name : {"", "Purge", "purge trash", "purge/trash", "purge_trash", "pürge"}) {
    JobSpec spec = Hourly();
    spec.name = name;
    EXPECT_THAT(Validate(spec), FailsSaying(ErrorCode::kInvalidArgument, "job name")) << name;
  }
  JobSpec spec = Hourly();
  spec.name = std::string(65, 'x');
  EXPECT_THAT(Validate(spec), FailsSaying(ErrorCode::kInvalidArgument, "job name"));
  spec.name = "files.gc-2";
  EXPECT_THAT(Validate(spec), IsOk());
}

TEST(JobSpecTest, RefusesWhatCannotBeRun) {
  JobSpec idle = Hourly();
  idle.run = nullptr;
  EXPECT_THAT(Validate(idle), FailsSaying(ErrorCode::kInvalidArgument, "nothing to run"));
  JobSpec brief = Hourly();
  brief.lease = seconds(0);
  EXPECT_THAT(Validate(brief), FailsSaying(ErrorCode::kInvalidArgument, "lease"));
  JobSpec hopeless = Hourly();
  hopeless.retry.attempts_max = 0;
  EXPECT_THAT(Validate(hopeless), FailsSaying(ErrorCode::kInvalidArgument, "attempt"));
  JobSpec restless = Hourly();
  restless.schedule = Every{seconds(0)};
  EXPECT_THAT(Validate(restless), FailsSaying(ErrorCode::kInvalidArgument, "period"));
}

TEST(JobContextTest, MadeByHandItDoesNothing) {
  JobContext context{std::stop_token()};
  context.Report("half-way");
  EXPECT_THAT(context.Renew(), IsOk());
  EXPECT_FALSE(context.ShouldStop());
}

}  // namespace
}  // namespace atrium::jobs
