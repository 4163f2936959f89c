// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <limits>
#include <string>

#include "engines/conformance/engine_testing.h"

namespace atrium::engines {
namespace {

using store::Add;
using store::Counter;
using store::Erase;
using store::Expectation;
using store::Key;
using store::Put;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();

struct Bounds {
  std::int64_t at_least = kMin;
  std::int64_t at_most = kMax;
};

class Counters : public EngineTest {
 protected:
  Result<store::Receipt> AddTo(std::int64_t delta, Bounds bounds = {}) {
    return Commit(Add{.table = &kThings,
                      .key = key_,
                      .counter = "n",
                      .delta = delta,
                      .at_least = bounds.at_least,
                      .at_most = bounds.at_most});
  }
  std::int64_t Value() { return CounterAt(kThings, key_, "n"); }

  const Key key_{"p", "s"};
};
FOR_ALL_ENGINES(Counters);

TEST_P(Counters, AddingMakesTheRow) {
  const store::Version version = Committed(Add{&kThings, key_, "n", -3});
  EXPECT_EQ(Get(kThings, key_),
            (store::Row{.document = "{}", .version = version, .counters = {{"n", -3}}}));
}

TEST_P(Counters, AddingToARowKeepsItsDocumentAndItsExpiry) {
  const auto expires_at = In(std::chrono::hours(1));
  Committed(Put{&kThings, key_, "{1}", Expectation::None(), expires_at});
  const store::Version version = Committed(Add{&kThings, key_, "n", 4});
  EXPECT_EQ(Get(kThings, key_), (store::Row{.document = "{1}",
                                            .version = version,
                                            .expires_at = expires_at,
                                            .counters = {{"n", 4}}}));
}

TEST_P(Counters, APutKeepsTheCounters) {
  Committed(Add{&kThings, key_, "n", 4});
  const store::Version version = Committed(Put{&kThings, key_, "{1}"});
  EXPECT_EQ(Get(kThings, key_),
            (store::Row{.document = "{1}", .version = version, .counters = {{"n", 4}}}));
}

TEST_P(Counters, AnEraseTakesTheCountersAlong) {
  Committed(Add{&kThings, key_, "n", 4});
  Committed(Erase{&kThings, key_});
  Committed(Put{&kThings, key_, "{1}"});
  EXPECT_THAT(Get(kThings, key_)->counters, IsEmpty());
  Committed(Erase{&kThings, key_});
  Committed(Add{&kThings, key_, "n", 1});
  EXPECT_EQ(Value(), 1);
}

TEST_P(Counters, SumsAddUp) {
  for (const std::int64_t delta : {5, -7, 0, 100}) {
    EXPECT_THAT(AddTo(delta), IsOk());
  }
  EXPECT_EQ(Value(), 98);
}

TEST_P(Counters, ComeInTheOrderOfTheirNames) {
  Committed(Add{&kThings, key_, "m", 1}, Add{&kThings, key_, "z", 2});
  Committed(Add{&kThings, key_, "a", 3}, Add{&kThings, key_, Bytes("m\0"), 4});
  Committed(Add{&kThings, key_, Bytes("\xff"), 5}, Add{&kThings, key_, "M", 6});
  EXPECT_THAT(Get(kThings, key_)->counters,
              ElementsAre(Counter{"M", 6}, Counter{"a", 3}, Counter{"m", 1},
                          Counter{Bytes("m\0"), 4}, Counter{"z", 2}, Counter{Bytes("\xff"), 5}));
}

TEST_P(Counters, OfOneRowAreSeparate) {
  Committed(Add{&kThings, key_, "n", 5}, Add{&kThings, key_, "m", -5});
  EXPECT_EQ(Value(), 5);
  EXPECT_EQ(CounterAt(kThings, key_, "m"), -5);
}

TEST_P(Counters, OfTwoRowsAreSeparate) {
  Committed(Add{&kThings, key_, "n", 5}, Add{&kThings, {"p", "t"}, "n", 6},
            Add{&kOthers, key_, "n", 7});
  EXPECT_EQ(Value(), 5);
  EXPECT_EQ(CounterAt(kThings, {"p", "t"}, "n"), 6);
  EXPECT_EQ(CounterAt(kOthers, key_, "n"), 7);
}

TEST_P(Counters, ReachTheirBoundsAndDoNotPassThem) {
  EXPECT_THAT(AddTo(10, {.at_most = 10}), IsOk());
  EXPECT_THAT(AddTo(1, {.at_most = 10}), FailsWith(ErrorCode::kLimitExceeded));
  EXPECT_EQ(Value(), 10);
  EXPECT_THAT(AddTo(-10, {.at_least = 0}), IsOk());
  EXPECT_THAT(AddTo(-1, {.at_least = 0}), FailsWith(ErrorCode::kLimitExceeded));
  EXPECT_EQ(Value(), 0);
}

TEST_P(Counters, AnAbsentRowIsBoundedToo) {
  EXPECT_THAT(AddTo(11, {.at_most = 10}), FailsWith(ErrorCode::kLimitExceeded));
  EXPECT_THAT(AddTo(-1, {.at_least = 0}), FailsWith(ErrorCode::kLimitExceeded));
  EXPECT_EQ(Get(kThings, key_), std::nullopt);
}

TEST_P(Counters, BoundsCountOnlyInTheDirectionOfTheDelta) {
  EXPECT_THAT(AddTo(100), IsOk());
  // The quota was lowered: giving back is allowed although the sum is still above it.
  EXPECT_THAT(AddTo(-10, {.at_least = 0, .at_most = 50}), IsOk());
  EXPECT_THAT(AddTo(0, {.at_least = 0, .at_most = 50}), IsOk());
  EXPECT_THAT(AddTo(1, {.at_least = 0, .at_most = 50}), FailsWith(ErrorCode::kLimitExceeded));
  EXPECT_THAT(AddTo(-100), IsOk());
  EXPECT_THAT(AddTo(5, {.at_least = 0, .at_most = 50}), IsOk());
  EXPECT_THAT(AddTo(-1, {.at_least = 0, .at_most = 50}), FailsWith(ErrorCode::kLimitExceeded));
  EXPECT_EQ(Value(), -5);
}

TEST_P(Counters, DoNotOverflow) {
  EXPECT_THAT(AddTo(kMax), IsOk());
  EXPECT_THAT(AddTo(1), FailsWith(ErrorCode::kLimitExceeded));
  EXPECT_EQ(Value(), kMax);
  EXPECT_THAT(AddTo(kMin), IsOk());
  EXPECT_EQ(Value(), -1);
  EXPECT_THAT(AddTo(kMin), FailsWith(ErrorCode::kLimitExceeded));
  EXPECT_THAT(AddTo(kMin + 1), IsOk());
  EXPECT_EQ(Value(), kMin);
  EXPECT_THAT(AddTo(-1), FailsWith(ErrorCode::kLimitExceeded));
}

TEST_P(Counters, ABoundThatIsPassedLeavesNothingBehind) {
  Committed(Add{&kThings, key_, "n", 5});
  const auto before = Get(kThings, key_);
  EXPECT_THAT(Commit(Put{&kThings, {"p", "new"}, "1"}, Add{&kThings, key_, "m", 1},
                     store::Append{&kLog, "l", "1"},
                     Add{.table = &kThings, .key = key_, .counter = "n", .delta = 1, .at_most = 5}),
              FailsWith(ErrorCode::kLimitExceeded));
  EXPECT_EQ(Get(kThings, key_), before);
  EXPECT_EQ(WalkAll(kThings).size(), 1);
  EXPECT_EQ(WalkAll(kLog).size(), 0);
}

TEST_P(Counters, AMoveBetweenRowsIsOneCommit) {
  const Key to{"q", "t"};
  Committed(Add{&kThings, key_, "n", 5});
  const auto move = [&](std::int64_t amount) {
    return Commit(
        Add{.table = &kThings, .key = key_, .counter = "n", .delta = -amount, .at_least = 0},
        Add{.table = &kOthers, .key = to, .counter = "n", .delta = amount});
  };
  EXPECT_THAT(move(3), IsOk());
  EXPECT_THAT(move(3), FailsWith(ErrorCode::kLimitExceeded));
  EXPECT_EQ(Value(), 2);
  EXPECT_EQ(CounterAt(kOthers, to, "n"), 3);
}

}  // namespace
}  // namespace atrium::engines
