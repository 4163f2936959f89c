// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "jobs/clock_witness.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "base/clock.h"
#include "base/testing.h"
#include "engines/memory/engine.h"
#include "jobs/runner.h"
#include "jobs/store_ledger.h"
#include "store/forwarding_engine_testing.h"

namespace atrium::jobs {
namespace {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::minutes;

constexpr Instant kStart{std::chrono::milliseconds(1'800'000'000'000)};

class ClockWitnessTest : public ::testing::Test {
 protected:
  void SetUp() override {
    Start();
    ASSERT_THAT(witness_->Look(), IsOk());
  }

  /// A server that has just started.
  void Start() { witness_.emplace(engine_, clock_); }

  void RunFor(hours time) {
    for (minutes ran{}; ran < time; ran += minutes(10)) {
      clock_.Advance(minutes(10));
      ASSERT_THAT(witness_->Look(), IsOk());
    }
  }

  bool IsTrusted() { return witness_->CheckTrusted().has_value(); }

  FixedClock clock_{kStart};
  engines::MemoryEngine engine_{clock_};
  std::optional<ClockWitness> witness_;
};

TEST_F(ClockWitnessTest, TimeThatPassesIsBelieved) {
  RunFor(hours(100));
  EXPECT_TRUE(IsTrusted());
  EXPECT_EQ(witness_->Problem(), std::nullopt);
}

TEST_F(ClockWitnessTest, AYearAheadIsNotBelievedAndTheWordsSayWhatToDo) {
  clock_.Set(kStart + days(365));
  EXPECT_THAT(witness_->CheckTrusted(),
              FailsSaying(ErrorCode::kRefusedByState, "atrium jobs trust-clock"));
  EXPECT_THAT(witness_->Problem(), ::testing::Optional(::testing::HasSubstr("2028-01-")));
  const auto record = witness_->Look();
  ASSERT_THAT(record, IsOk());
  EXPECT_EQ(BelievedTime(*record), kStart);
}

TEST_F(ClockWitnessTest, AClockThatComesBackIsBelievedAtOnce) {
  clock_.Set(kStart + days(365));
  EXPECT_FALSE(IsTrusted());
  RunFor(hours(2));
  clock_.Set(kStart + hours(2));
  EXPECT_TRUE(IsTrusted());
}

TEST_F(ClockWitnessTest, TwoServersDoNotMakeADayPassTwiceAsFast) {
  ClockWitness other(engine_, clock_);
  ASSERT_THAT(other.Look(), IsOk());
  clock_.Set(kStart + days(365));
  EXPECT_FALSE(IsTrusted());
  for (int i = 0; i < 6 * 23; ++i) {
    clock_.Advance(minutes(10));
    ASSERT_THAT(witness_->Look(), IsOk());
    ASSERT_THAT(other.Look(), IsOk());
  }
  EXPECT_FALSE(IsTrusted());
  RunFor(hours(2));
  EXPECT_TRUE(IsTrusted());
}

/// Has somebody else write between a read and the commit after it.
class Overtaken final : public store::ForwardingEngine {
 public:
  using ForwardingEngine::ForwardingEngine;

  Result<store::Receipt> Commit(const store::OpContext& op, store::WriteSet writes) override {
    if (const auto once = std::exchange(before_commit, nullptr)) {
      once();
    }
    return ForwardingEngine::Commit(op, std::move(writes));
  }

  std::function<void()> before_commit{};
};

TEST_F(ClockWitnessTest, ALookDoesNotUndoThatSomebodyTrustsTheClock) {
  clock_.Set(kStart + days(365));
  EXPECT_FALSE(IsTrusted());
  Overtaken overtaken(engine_);
  ClockWitness other(overtaken, clock_);
  overtaken.before_commit = [&] { ASSERT_THAT(witness_->Trust(), IsOk()); };
  const auto looked = other.Look();
  ASSERT_THAT(looked, IsOk());
  EXPECT_EQ(looked->doubt, std::nullopt);
  EXPECT_TRUE(IsTrusted());
}

TEST_F(ClockWitnessTest, ANewTimeIsBelievedOnceItHasRunForADayAlsoOverRestarts) {
  clock_.Set(kStart + days(365));
  EXPECT_FALSE(IsTrusted());
  RunFor(hours(12));
  EXPECT_FALSE(IsTrusted());
  Start();
  ASSERT_THAT(witness_->Look(), IsOk());
  RunFor(hours(11));
  EXPECT_FALSE(IsTrusted());
  RunFor(hours(1));
  EXPECT_TRUE(IsTrusted());
}

TEST_F(ClockWitnessTest, EachFurtherJumpBeginsTheDayAnew) {
  clock_.Set(kStart + days(365));
  EXPECT_FALSE(IsTrusted());
  RunFor(hours(23));
  clock_.Set(kStart + days(730));
  EXPECT_FALSE(IsTrusted());
  RunFor(hours(23));
  EXPECT_FALSE(IsTrusted());
  RunFor(hours(1));
  EXPECT_TRUE(IsTrusted());
}

TEST_F(ClockWitnessTest, AServerThatWasOffForAMonthWaitsAndOneThatWasOffForANightDoesNot) {
  clock_.Set(kStart + hours(10));
  Start();
  EXPECT_TRUE(IsTrusted());
  clock_.Set(kStart + days(30));
  Start();
  EXPECT_FALSE(IsTrusted());
}

TEST_F(ClockWitnessTest, AClockThatWasSetBackWaitsToo) {
  clock_.Set(kStart - days(30));
  EXPECT_FALSE(IsTrusted());
}

TEST_F(ClockWitnessTest, SomebodyMaySayThatItIsRight) {
  clock_.Set(kStart + days(30));
  EXPECT_FALSE(IsTrusted());
  EXPECT_THAT(witness_->Trust(), Holds(kStart + days(30)));
  EXPECT_TRUE(IsTrusted());
  Start();
  EXPECT_TRUE(IsTrusted());
}

TEST_F(ClockWitnessTest, WhoeverHasJustStartedReadsTheTimeThatIsBelieved) {
  clock_.Set(kStart + hours(1));
  EXPECT_THAT(ReadBelievedTime(engine_, clock_), Holds(kStart + hours(1)));
  clock_.Set(kStart + days(365));
  EXPECT_THAT(ReadBelievedTime(engine_, clock_), Holds(kStart));
}

TEST_F(ClockWitnessTest, AJobThatErasesByAgeWaitsAndOthersDoNot) {
  StoreLedger ledger(engine_);
  Runner runner(ledger, clock_, {.server = "one", .witness = &*witness_});
  int erased = 0;
  int sampled = 0;
  ASSERT_THAT(runner.Register({.name = "erase",
                               .schedule = Every{.period = hours(1)},
                               .retry = {.attempts_max = 1},
                               .erases_by_age = true,
                               .run =
                                   [&](JobContext&) {
                                     ++erased;
                                     return Result<void>();
                                   }}),
              IsOk());
  ASSERT_THAT(runner.Register({.name = "sample",
                               .schedule = Every{.period = hours(1)},
                               .run =
                                   [&](JobContext& context) {
                                     EXPECT_EQ(context.Terms().trace, "sample");
                                     ++sampled;
                                     return Result<void>();
                                   }}),
              IsOk());
  runner.RunDue();
  EXPECT_EQ(erased, 1);
  clock_.Set(kStart + days(365));
  runner.RunDue();
  EXPECT_EQ(erased, 1);
  EXPECT_EQ(sampled, 2);
  const auto runs = runner.History("erase", 1);
  ASSERT_THAT(runs, IsOk());
  EXPECT_EQ(runs->front().outcome, Outcome::kFailed);
  EXPECT_THAT(runs->front().error, ::testing::HasSubstr("the clock jumped"));
  ASSERT_THAT(witness_->Trust(), IsOk());
  clock_.Advance(hours(1));
  runner.RunDue();
  EXPECT_EQ(erased, 2);
}

}  // namespace
}  // namespace atrium::jobs
