// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "jobs/runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "base/result.h"
#include "base/testing.h"
#include "engines/memory/engine.h"
#include "jobs/job.h"
#include "jobs/ledger.h"
#include "jobs/schedule.h"
#include "jobs/store_ledger.h"

namespace atrium::jobs {
namespace {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::Optional;

constexpr Instant kNow{days(20'000)};

/// Everything happens on the test's own thread, by RunDue.
class RunnerTest : public ::testing::Test {
 protected:
  RunnerOptions Named(const std::string& server) const {
    return {.server = server, .fraction = [] { return 0.0; }};
  }

  JobSpec Hourly(std::function<Result<void>(JobContext&)> run) const {
    return {.name = "purge", .schedule = Every{hours(1)}, .run = std::move(run)};
  }

  JobSpec Counting() {
    return Hourly([this](JobContext&) {
      ++runs_;
      return Result<void>();
    });
  }

  JobSpec Failing() {
    return Hourly([this](JobContext&) -> Result<void> {
      ++runs_;
      return Fail(ErrorCode::kUnavailable, "no answer");
    });
  }

  JobStatus Status() { return runner_.List().value().at(0); }
  FinishedRun Newest() { return ledger_.History("purge", 1).value().at(0); }

  int runs_ = 0;
  FixedClock clock_{kNow};
  engines::MemoryEngine engine_{clock_};
  StoreLedger ledger_{engine_};
  Runner runner_{ledger_, clock_, Named("one")};
};

TEST_F(RunnerTest, RunsAJobWhenItIsDueAndNotBefore) {
  ASSERT_THAT(runner_.Register(Counting()), IsOk());
  EXPECT_EQ(runner_.RunDue(), 1U);
  EXPECT_EQ(runner_.RunDue(), 0U);
  clock_.Advance(hours(1) - milliseconds(1));
  EXPECT_EQ(runner_.RunDue(), 0U);
  clock_.Advance(milliseconds(1));
  EXPECT_EQ(runner_.RunDue(), 1U);
  EXPECT_EQ(runs_, 2);
}

TEST_F(RunnerTest, AJumpOfTheClockForwardIsOneRun) {
  ASSERT_THAT(runner_.Register(Counting()), IsOk());
  runner_.RunDue();
  clock_.Set(kNow + days(30));
  EXPECT_EQ(runner_.RunDue(), 1U);
  EXPECT_EQ(runner_.RunDue(), 0U);
}

TEST_F(RunnerTest, AJumpOfTheClockBackDoesNotStarve) {
  ASSERT_THAT(runner_.Register(Counting()), IsOk());
  runner_.RunDue();
  clock_.Set(kNow - days(30));
  EXPECT_EQ(runner_.RunDue(), 1U);
  EXPECT_EQ(runner_.RunDue(), 0U);
}

TEST_F(RunnerTest, WritesDownWhatHappened) {
  ASSERT_THAT(runner_.Register(Hourly([this](JobContext& context) {
    context.Report("half-way");
    clock_.Advance(seconds(7));
    context.Report("all of it");
    return Result<void>();
  })),
              IsOk());
  runner_.RunDue();
  const FinishedRun run = Newest();
  EXPECT_EQ(run.outcome, Outcome::kSucceeded);
  EXPECT_EQ(run.server, "one");
  EXPECT_EQ(run.attempt, 1U);
  EXPECT_EQ(run.started, kNow);
  EXPECT_EQ(run.duration, seconds(7));
  EXPECT_EQ(run.error, "");
  EXPECT_EQ(run.progress, "all of it");
}

TEST_F(RunnerTest, DurationsDoNotFollowAClockThatIsSet) {
  ASSERT_THAT(runner_.Register(Hourly([this](JobContext&) {
    clock_.Advance(seconds(7));
    clock_.Set(kNow - days(1));
    return Result<void>();
  })),
              IsOk());
  runner_.RunDue();
  EXPECT_EQ(Newest().duration, seconds(7));
}

TEST_F(RunnerTest, FailuresAreRetriedWithBackOffAndThenGivenUp) {
  ASSERT_THAT(runner_.Register(Failing()), IsOk());
  EXPECT_EQ(runner_.RunDue(), 1U);
  EXPECT_THAT(Status().next_run, Optional(kNow + seconds(30)));
  clock_.Advance(seconds(29));
  EXPECT_EQ(runner_.RunDue(), 0U);
  clock_.Advance(seconds(1));
  EXPECT_EQ(runner_.RunDue(), 1U);
  clock_.Advance(seconds(60));
  EXPECT_EQ(runner_.RunDue(), 1U);
  EXPECT_EQ(Newest().attempt, 3U);
  EXPECT_THAT(Status().next_run, Optional(kNow + seconds(90) + hours(1)));
}

TEST_F(RunnerTest, FailuresAreVisible) {
  ASSERT_THAT(runner_.Register(Failing()), IsOk());
  runner_.RunDue();
  EXPECT_EQ(Newest().outcome, Outcome::kFailed);
  EXPECT_THAT(Newest().error, HasSubstr("no answer"));
  EXPECT_THAT(Status().last_run, Optional(Field(&FinishedRun::outcome, Outcome::kFailed)));
}

TEST_F(RunnerTest, ASuccessAfterFailuresStartsCountingAgain) {
  ASSERT_THAT(runner_.Register(Hourly([this](JobContext&) -> Result<void> {
    if (++runs_ == 1) {
      return Fail(ErrorCode::kUnavailable, "no answer");
    }
    return {};
  })),
              IsOk());
  runner_.RunDue();
  clock_.Advance(minutes(1));
  runner_.RunDue();
  EXPECT_EQ(Newest().attempt, 2U);
  clock_.Advance(hours(1));
  runner_.RunDue();
  EXPECT_EQ(Newest().attempt, 1U);
}

TEST_F(RunnerTest, AJobThatThrowsHasFailed) {
  ASSERT_THAT(runner_.Register(Hourly(
                  [](JobContext&) -> Result<void> { throw std::runtime_error("unexpected"); })),
              IsOk());
  EXPECT_EQ(runner_.RunDue(), 1U);
  EXPECT_EQ(Newest().outcome, Outcome::kFailed);
  EXPECT_THAT(Newest().error, HasSubstr("unexpected"));
}

TEST_F(RunnerTest, TwoServersDoNotRunOneJobTwice) {
  Runner other(ledger_, clock_, Named("two"));
  ASSERT_THAT(runner_.Register(Counting()), IsOk());
  ASSERT_THAT(other.Register(Counting()), IsOk());
  EXPECT_EQ(runner_.RunDue() + other.RunDue(), 1U);
  EXPECT_EQ(runs_, 1);
}

TEST_F(RunnerTest, WhatOneServerRunsAnotherDoesNotBegin) {
  Runner other(ledger_, clock_, Named("two"));
  ASSERT_THAT(other.Register(Counting()), IsOk());
  ASSERT_THAT(runner_.Register(Hourly([&](JobContext&) {
    EXPECT_EQ(other.RunDue(), 0U);
    EXPECT_THAT(other.RunNow("purge"), FailsWith(ErrorCode::kConflict));
    return Result<void>();
  })),
              IsOk());
  EXPECT_EQ(runner_.RunDue(), 1U);
  EXPECT_EQ(runs_, 0);
}

TEST_F(RunnerTest, LeasesAreRenewedWhileTheJobRuns) {
  Runner other(ledger_, clock_, Named("two"));
  ASSERT_THAT(other.Register(Counting()), IsOk());
  ASSERT_THAT(runner_.Register(Hourly([&](JobContext& context) {
    for (int i = 0; i < 10; ++i) {
      clock_.Advance(seconds(30));
      runner_.Tick();
      EXPECT_EQ(other.RunDue(), 0U);
    }
    EXPECT_FALSE(context.ShouldStop());
    return Result<void>();
  })),
              IsOk());
  EXPECT_EQ(runner_.RunDue(), 1U);
  EXPECT_EQ(Newest().outcome, Outcome::kSucceeded);
}

TEST_F(RunnerTest, AJobThatLostItsLeaseIsAskedToStop) {
  Runner other(ledger_, clock_, Named("two"));
  ASSERT_THAT(other.Register(Counting()), IsOk());
  ASSERT_THAT(runner_.Register(Hourly([&](JobContext& context) -> Result<void> {
    clock_.Advance(seconds(60));
    EXPECT_EQ(other.RunDue(), 1U);
    EXPECT_FALSE(context.ShouldStop());
    runner_.Tick();
    EXPECT_TRUE(context.ShouldStop());
    return Fail(ErrorCode::kUnavailable, "stopped half-way");
  })),
              IsOk());
  runner_.RunDue();
  EXPECT_THAT(ledger_.History("purge", 10),
              Holds(ElementsAre(AllOf(Field(&FinishedRun::server, "two"),
                                      Field(&FinishedRun::outcome, Outcome::kSucceeded)),
                                AllOf(Field(&FinishedRun::server, "one"),
                                      Field(&FinishedRun::outcome, Outcome::kAbandoned)))));
}

TEST_F(RunnerTest, AJobCanMakeSureThatItStillHasItsLease) {
  Runner other(ledger_, clock_, Named("two"));
  ASSERT_THAT(other.Register(Counting()), IsOk());
  ASSERT_THAT(runner_.Register(Hourly([&](JobContext& context) -> Result<void> {
    EXPECT_THAT(context.Renew(), IsOk());
    clock_.Advance(seconds(60));
    EXPECT_EQ(other.RunDue(), 1U);
    EXPECT_THAT(context.Renew(), FailsWith(ErrorCode::kConflict));
    EXPECT_TRUE(context.ShouldStop());
    return {};
  })),
              IsOk());
  runner_.RunDue();
}

TEST_F(RunnerTest, RunNowDoesNotWaitForTheSchedule) {
  ASSERT_THAT(runner_.Register(Counting()), IsOk());
  runner_.RunDue();
  ASSERT_THAT(runner_.RunNow("purge"), IsOk());
  EXPECT_THAT(Status().next_run, Optional(kNow));
  EXPECT_EQ(runner_.RunDue(), 1U);
  EXPECT_EQ(runner_.RunDue(), 0U);
}

TEST_F(RunnerTest, ManualJobsRunOnlyWhenAskedFor) {
  JobSpec spec = Counting();
  spec.schedule = Manual();
  ASSERT_THAT(runner_.Register(spec), IsOk());
  EXPECT_EQ(runner_.RunDue(), 0U);
  EXPECT_EQ(Status().next_run, std::nullopt);
  ASSERT_THAT(runner_.RunNow("purge"), IsOk());
  EXPECT_EQ(runner_.RunDue(), 1U);
}

TEST_F(RunnerTest, RunNowOfAnUnknownJobIsNotFound) {
  EXPECT_THAT(runner_.RunNow("nothing"), FailsWith(ErrorCode::kNotFound));
  EXPECT_THAT(runner_.History("nothing", 1), FailsWith(ErrorCode::kNotFound));
}

TEST_F(RunnerTest, RegistrationRefusesSecondsAndLatecomers) {
  ASSERT_THAT(runner_.Register(Counting()), IsOk());
  EXPECT_THAT(runner_.Register(Counting()), FailsWith(ErrorCode::kAlreadyExists));
  JobSpec nameless = Counting();
  nameless.name = "";
  EXPECT_THAT(runner_.Register(nameless), FailsWith(ErrorCode::kInvalidArgument));
}

TEST_F(RunnerTest, ListTellsWhatRuns) {
  ASSERT_THAT(runner_.Register(Hourly([this](JobContext& context) {
    context.Report("1 of 2");
    const JobStatus status = Status();
    EXPECT_TRUE(status.running.has_value());
    EXPECT_EQ(status.progress, "1 of 2");
    EXPECT_EQ(status.last_run, std::nullopt);
    return Result<void>();
  })),
              IsOk());
  runner_.RunDue();
  EXPECT_FALSE(Status().running.has_value());
  EXPECT_EQ(Status().progress, "");
  EXPECT_EQ(Render(Status().schedule), "every 3600 s");
}

TEST_F(RunnerTest, AStoppedRunnerBeginsNothing) {
  ASSERT_THAT(runner_.Register(Counting()), IsOk());
  runner_.Stop();
  EXPECT_EQ(runner_.RunDue(), 0U);
  EXPECT_THAT(runner_.RunNow("purge"), FailsWith(ErrorCode::kUnavailable));
}

/// A ledger that cannot be reached until it is told otherwise.
class BrokenLedger final : public Ledger {
 public:
  explicit BrokenLedger(Ledger& inner) : inner_(inner) {}

  Result<JobState> Read(const std::string& job) override {
    RETURN_IF_ERROR(Reach());
    return inner_.Read(job);
  }
  Result<std::optional<Lease>> Acquire(const AcquireRequest& request) override {
    RETURN_IF_ERROR(Reach());
    return inner_.Acquire(request);
  }
  Result<void> Renew(const Lease& lease, Instant now) override {
    RETURN_IF_ERROR(Reach());
    return inner_.Renew(lease, now);
  }
  Result<void> Finish(const Lease& lease, const FinishRequest& finish) override {
    RETURN_IF_ERROR(Reach());
    return inner_.Finish(lease, finish);
  }
  Result<std::vector<FinishedRun>> History(const std::string& job, std::size_t limit) override {
    RETURN_IF_ERROR(Reach());
    return inner_.History(job, limit);
  }

  bool broken = false;

 private:
  Result<void> Reach() const {
    return broken ? Result<void>(Fail(ErrorCode::kUnavailable, "no ledger")) : Result<void>();
  }

  Ledger& inner_;
};

TEST_F(RunnerTest, NothingIsRunWithoutALedger) {
  BrokenLedger ledger(ledger_);
  ledger.broken = true;
  Runner runner(ledger, clock_, Named("one"));
  ASSERT_THAT(runner.Register(Counting()), IsOk());
  EXPECT_EQ(runner.RunDue(), 0U);
  EXPECT_THAT(runner.List(), FailsWith(ErrorCode::kUnavailable));
  ledger.broken = false;
  EXPECT_EQ(runner.RunDue(), 1U);
}

TEST_F(RunnerTest, AJobGoesOnWithoutALedgerUntilItsLeaseMayBeLost) {
  BrokenLedger ledger(ledger_);
  Runner runner(ledger, clock_, Named("one"));
  ASSERT_THAT(runner.Register(Hourly([&](JobContext& context) -> Result<void> {
    ledger.broken = true;
    clock_.Advance(seconds(59));
    runner.Tick();
    EXPECT_FALSE(context.ShouldStop());
    clock_.Advance(seconds(1));
    runner.Tick();
    EXPECT_TRUE(context.ShouldStop());
    return {};
  })),
              IsOk());
  EXPECT_EQ(runner.RunDue(), 1U);
}

}  // namespace
}  // namespace atrium::jobs
