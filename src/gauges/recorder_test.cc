// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "gauges/recorder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "base/instant.h"
#include "base/result.h"
#include "base/testing.h"
#include "engines/memory/engine.h"
#include "gauges/instruments.h"
#include "gauges/keys.h"
#include "gauges/records.h"
#include "gauges/resolution.h"
#include "jobs/job.h"
#include "store/engine.h"
#include "store/op_context_testing.h"
#include "store/row.h"
#include "store/store.h"

namespace atrium::gauges {
namespace {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

Instant Begin() {
  return ParseInstant("2027-01-15T08:00:00Z").value();
}

/// Shows what a test says.
class FakeInstruments final : public Instruments {
 public:
  Result<Reading> Read() override {
    if (broken) {
      return FailPrivately(ErrorCode::kUnavailable, "broken");
    }
    return reading;
  }

  Reading reading{};
  bool broken = false;
};

class RecorderTest : public ::testing::Test {
 protected:
  /// A server that has just started.
  void Restart() {
    instruments_.reading.requests = 0;
    instruments_.reading.bytes_out = 0;
    recorder_.emplace(store_, clock_, instruments_);
  }

  /// A minute in which that much was asked.
  void Minute(std::uint64_t requests) {
    clock_.Advance(minutes(1));
    instruments_.reading.requests += requests;
    instruments_.reading.bytes_out += requests * 1000;
    ASSERT_THAT(recorder_->Sample(), IsOk());
  }

  std::vector<Point> All(seconds step) {
    const std::string partition = PartitionOf(step);
    const auto page = store::List<Point>(
        store_, store::kTestOp, {.table = &kPointTable, .partition = partition, .limit = 1000});
    std::vector<Point> points;
    for (const auto& stored : page.value().records) {
      points.push_back(stored.record);
    }
    return points;
  }

  static std::uint64_t RequestsOf(const std::vector<Point>& points) {
    std::uint64_t sum = 0;
    for (const Point& point : points) {
      sum += point.requests;
    }
    return sum;
  }

  FixedClock clock_{Begin()};
  engines::MemoryEngine engine_{clock_};
  store::Store store_{engine_, clock_};
  FakeInstruments instruments_{};
  std::optional<Recorder> recorder_{std::in_place, store_, clock_, instruments_};
};

TEST_F(RecorderTest, ASampleJoinsAPointOfEachLength) {
  instruments_.reading = {.store_bytes = 5, .blob_bytes = 6, .users = 7, .sessions = 8};
  Minute(10);
  const Point wanted{.step_s = 300,
                     .at = Begin(),
                     .seconds = 60,
                     .requests = 10,
                     .bytes_out = 10'000,
                     .store_bytes = 5,
                     .blob_bytes = 6,
                     .users = 7,
                     .sessions = 8};
  EXPECT_THAT(All(minutes(5)), ElementsAre(wanted));
  EXPECT_EQ(All(hours(1)).at(0).requests, 10U);
  EXPECT_EQ(All(hours(1)).at(0).at, Begin());
  EXPECT_EQ(All(days(1)).at(0).requests, 10U);
  EXPECT_EQ(All(days(1)).at(0).at, Begin() - hours(8));
}

TEST_F(RecorderTest, WhatIsCountedAddsUpAndWhatIsMeasuredIsTheLatest) {
  instruments_.reading.users = 3;
  instruments_.reading.sessions = 9;
  Minute(10);
  instruments_.reading.users = 2;
  instruments_.reading.sessions = 4;
  Minute(5);
  const Point point = All(minutes(5)).at(0);
  EXPECT_EQ(point.requests, 15U);
  EXPECT_EQ(point.seconds, 120);
  EXPECT_EQ(point.users, 2U);
  // The most there were: a quiet minute does not hide a busy one.
  EXPECT_EQ(point.sessions, 9U);
}

TEST_F(RecorderTest, ASampleIsOneCommit) {
  Minute(1);
  std::set<store::Version> versions;
  for (const Resolution& resolution : kResolutions) {
    const store::Key key = PointKey(resolution.step, StretchOf(clock_.Now(), resolution.step));
    versions.insert(store_.Get(store::kTestOp, kPointTable, key).value().value().version);
  }
  EXPECT_THAT(versions, SizeIs(1));
}

TEST_F(RecorderTest, ARestartTakesNothingAway) {
  Minute(10);
  Restart();
  Minute(4);
  EXPECT_EQ(All(minutes(5)).at(0).requests, 14U);
  EXPECT_EQ(All(minutes(5)).at(0).seconds, 120);
}

TEST_F(RecorderTest, TimeInWhichTheServerWasAwayIsNotMeasured) {
  Minute(10);
  clock_.Advance(minutes(30));
  Restart();
  Minute(4);
  EXPECT_EQ(All(hours(1)).at(0).seconds, 120);
  EXPECT_THAT(All(minutes(5)), SizeIs(2));
}

TEST_F(RecorderTest, WhatCouldNotBeReadComesWithTheNextSample) {
  instruments_.broken = true;
  clock_.Advance(minutes(1));
  instruments_.reading.requests = 7;
  EXPECT_THAT(recorder_->Sample(), FailsWith(ErrorCode::kUnavailable));
  EXPECT_THAT(All(minutes(5)), IsEmpty());
  instruments_.broken = false;
  Minute(3);
  EXPECT_EQ(All(minutes(5)).at(0).requests, 10U);
  EXPECT_EQ(All(minutes(5)).at(0).seconds, 120);
}

TEST_F(RecorderTest, PartsOfASecondAreNotLost) {
  for (int i = 0; i < 10; ++i) {
    clock_.Advance(milliseconds(1500));
    ASSERT_THAT(recorder_->Sample(), IsOk());
  }
  EXPECT_EQ(All(minutes(5)).at(0).seconds, 15);
}

TEST_F(RecorderTest, AClockThatIsSetForwardLeavesAGap) {
  Minute(10);
  clock_.Set(Begin() + hours(6));
  Minute(5);
  const std::vector<Point> points = All(minutes(5));
  ASSERT_THAT(points, SizeIs(2));
  EXPECT_EQ(points[1].at, Begin() + hours(6));
  EXPECT_EQ(points[1].seconds, 60);
  EXPECT_EQ(RequestsOf(points), 15U);
}

TEST_F(RecorderTest, AClockThatIsSetBackHasSamplesJoinWhatIsThere) {
  Minute(10);
  clock_.Set(Begin());
  Minute(5);
  const std::vector<Point> points = All(minutes(5));
  ASSERT_THAT(points, SizeIs(1));
  EXPECT_EQ(points[0].requests, 15U);
  EXPECT_EQ(points[0].seconds, 120);
}

TEST_F(RecorderTest, ACounterThatFellHasBegunAnew) {
  Minute(10);
  instruments_.reading.requests = 0;
  Minute(4);
  EXPECT_EQ(All(minutes(5)).at(0).requests, 14U);
}

TEST_F(RecorderTest, NoMoreIsKeptThanIsPromised) {
  for (int i = 0; i < 3 * 24 * 12; ++i) {
    clock_.Advance(minutes(5));
    instruments_.reading.requests += 1;
    ASSERT_THAT(recorder_->Sample(), IsOk());
  }
  EXPECT_THAT(All(minutes(5)), SizeIs(2 * 24 * 12));
  // Also those that are too old for the fine ones.
  EXPECT_EQ(RequestsOf(All(hours(1))), 3U * 24 * 12);
}

TEST_F(RecorderTest, TheJobSamples) {
  const jobs::JobSpec job = MakeSampleJob(*recorder_);
  EXPECT_THAT(jobs::Validate(job), IsOk());
  jobs::JobContext context(std::stop_token{});
  EXPECT_THAT(jobs::Call(job, context), IsOk());
  EXPECT_THAT(All(minutes(5)), SizeIs(1));
}

}  // namespace
}  // namespace atrium::gauges
