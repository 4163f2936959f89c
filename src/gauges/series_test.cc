// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "gauges/series.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <utility>

#include "base/clock.h"
#include "base/error.h"
#include "base/instant.h"
#include "base/result.h"
#include "base/testing.h"
#include "engines/memory/engine.h"
#include "gauges/keys.h"
#include "gauges/records.h"
#include "gauges/resolution.h"
#include "store/batch.h"
#include "store/op_context_testing.h"
#include "store/store.h"

namespace atrium::gauges {
namespace {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;
using ::testing::HasSubstr;
using ::testing::Not;

Instant Now() {
  return ParseInstant("2027-01-15T08:07:00Z").value();
}

class SeriesTest : public ::testing::Test {
 protected:
  void Add(seconds step, Instant at, std::uint64_t requests) {
    store::Batch batch;
    batch.Create(Points(), Point{.step_s = step.count(), .at = at, .requests = requests});
    ASSERT_THAT(store_.Commit(store::kTestOp, std::move(batch)), IsOk());
  }

  std::string Read(const SeriesWish& wish) {
    return ReadPoints(store_, store::kTestOp, QueryFor(wish, Now()).value()).value();
  }

  FixedClock clock_{Now()};
  engines::MemoryEngine engine_{clock_};
  store::Store store_{engine_, clock_};
};

TEST_F(SeriesTest, WithoutAWishItIsTheLastDayInTheFinestPoints) {
  const SeriesQuery query = QueryFor({}, Now()).value();
  EXPECT_EQ(query.from, Now() - hours(24));
  EXPECT_EQ(query.to, Now());
  EXPECT_EQ(query.resolution.step, minutes(5));
}

TEST_F(SeriesTest, AStepCanBeNamed) {
  EXPECT_EQ(QueryFor({.step = hours(1)}, Now()).value().resolution, kResolutions[1]);
  EXPECT_THAT(QueryFor({.step = seconds(60)}, Now()),
              FailsSaying(ErrorCode::kInvalidArgument, "step: 300, 3600 or 86400"));
}

TEST_F(SeriesTest, ARangeThatEndsBeforeItBeginsIsRefused) {
  EXPECT_THAT(QueryFor({.from = Now(), .to = Now()}, Now()),
              FailsSaying(ErrorCode::kInvalidArgument, "from: must be before to"));
}

TEST_F(SeriesTest, NothingIsAnEmptyList) {
  EXPECT_EQ(Read({}), "[]");
}

TEST_F(SeriesTest, PointsComeOldestFirstAndOnlyThoseThatWereAskedFor) {
  const Instant today = StretchOf(Now(), days(1));
  Add(minutes(5), today, 1);
  Add(minutes(5), today + hours(1), 2);
  Add(minutes(5), today + hours(2), 3);
  Add(hours(1), today + hours(1), 99);
  const std::string points = Read({.from = today + minutes(61), .to = today + hours(2)});
  EXPECT_EQ(points.find(R"("requests":2)") < points.find(R"("requests":3)"), true);
  EXPECT_THAT(points, HasSubstr(R"("requests":3)"));
  EXPECT_THAT(points, Not(HasSubstr(R"("requests":1,)")));
  EXPECT_THAT(points, Not(HasSubstr(R"("requests":99)")));
}

TEST_F(SeriesTest, TheStretchInWhichTheRangeBeginsBelongsToIt) {
  const Instant at = StretchOf(Now(), minutes(5));
  Add(minutes(5), at, 7);
  EXPECT_THAT(Read({.from = at + minutes(1), .to = at + minutes(2)}), HasSubstr(R"("requests":7)"));
}

TEST_F(SeriesTest, MoreThanOnePageIsReadToItsEnd) {
  const Instant begin = StretchOf(Now(), hours(1)) - days(55);
  constexpr int kHours = 55 * 24;
  for (int i = 0; i < kHours; ++i) {
    Add(hours(1), begin + hours(i), static_cast<std::uint64_t>(i));
  }
  const std::string points = Read({.from = begin});
  EXPECT_THAT(points, HasSubstr(R"("requests":0,)"));
  EXPECT_THAT(points, HasSubstr(R"("requests":1319,)"));
}

}  // namespace
}  // namespace atrium::gauges
