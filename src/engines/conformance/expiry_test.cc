// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "engines/conformance/engine_testing.h"

namespace atrium::engines {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using store::Add;
using store::Erase;
using store::Expectation;
using store::Key;
using store::Put;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class Expiry : public EngineTest {
 protected:
  Put PutUntil(Instant expires_at) {
    return {&kThings, key_, "{1}", Expectation::None(), expires_at};
  }

  const Key key_{"p", "s"};
};
FOR_ALL_ENGINES(Expiry);

TEST_P(Expiry, ARowIsThereUntilTheMillisecondBefore) {
  const Instant expires_at = In(milliseconds(1000));
  Committed(PutUntil(expires_at));
  Time().Advance(milliseconds(999));
  EXPECT_EQ(Get(kThings, key_)->expires_at, expires_at);
  EXPECT_THAT(Sorts({.table = &kThings, .partition = "p"}), ElementsAre("s"));
  EXPECT_EQ(WalkAll(kThings).size(), 1);
}

TEST_P(Expiry, ARowIsGoneFromItsInstantOn) {
  Committed(PutUntil(In(milliseconds(1000))));
  Time().Advance(milliseconds(1000));
  EXPECT_EQ(Get(kThings, key_), std::nullopt);
  EXPECT_THAT(Sorts({.table = &kThings, .partition = "p"}), IsEmpty());
  EXPECT_THAT(WalkAll(kThings), IsEmpty());
}

TEST_P(Expiry, GoesByTheCalendarsTime) {
  Committed(PutUntil(In(hours(1))));
  Time().Set(In(hours(2)));
  EXPECT_EQ(Get(kThings, key_), std::nullopt);
}

TEST_P(Expiry, InThePastIsAtOnce) {
  for (const Instant past :
       {In(milliseconds(0)), In(hours(-1)), Instant(milliseconds(0)), Instant(milliseconds(-1))}) {
    EXPECT_THAT(Commit(PutUntil(past)), IsOk());
    EXPECT_EQ(Get(kThings, key_), std::nullopt);
  }
}

TEST_P(Expiry, InTheFarFutureIsKept) {
  const Instant far = *ParseInstant("9999-12-31T23:59:59.999Z");
  Committed(PutUntil(far));
  EXPECT_EQ(Get(kThings, key_)->expires_at, far);
}

TEST_P(Expiry, IsTakenAwayByAPutWithoutOne) {
  Committed(PutUntil(In(hours(1))));
  Committed(Put{&kThings, key_, "{2}"});
  Time().Advance(hours(2));
  EXPECT_EQ(DocumentAt(kThings, key_), "{2}");
  EXPECT_EQ(Get(kThings, key_)->expires_at, std::nullopt);
}

TEST_P(Expiry, CanBePostponedAndBroughtForward) {
  Committed(PutUntil(In(hours(1))));
  Committed(PutUntil(In(hours(3))));
  Time().Advance(hours(2));
  EXPECT_EQ(DocumentAt(kThings, key_), "{1}");
  Committed(PutUntil(In(milliseconds(1))));
  Time().Advance(milliseconds(1));
  EXPECT_EQ(DocumentAt(kThings, key_), "absent");
}

TEST_P(Expiry, APutOverAnExpiredRowDoesNotKeepItsCounters) {
  Committed(PutUntil(In(hours(1))));
  Committed(Add{&kThings, key_, "n", 5});
  Time().Advance(hours(1));
  const store::Version version = Committed(Put{&kThings, key_, "{2}"});
  EXPECT_EQ(Get(kThings, key_), (store::Row{.document = "{2}", .version = version}));
}

TEST_P(Expiry, AddingToAnExpiredRowBeginsAnew) {
  Committed(PutUntil(In(hours(1))));
  Committed(Add{&kThings, key_, "n", 5}, Add{&kThings, key_, "m", 5});
  Time().Advance(hours(1));
  const store::Version version = Committed(Add{&kThings, key_, "n", 1});
  EXPECT_EQ(Get(kThings, key_),
            (store::Row{.document = "{}", .version = version, .counters = {{"n", 1}}}));
}

TEST_P(Expiry, TheBoundsOfACounterBeginAnewToo) {
  Committed(PutUntil(In(hours(1))));
  const Add add{.table = &kThings, .key = key_, .counter = "n", .delta = 5, .at_most = 5};
  EXPECT_THAT(Commit(add), IsOk());
  EXPECT_THAT(Commit(add), FailsWith(ErrorCode::kLimitExceeded));
  Time().Advance(hours(1));
  EXPECT_THAT(Commit(add), IsOk());
}

TEST_P(Expiry, AnExpiredRowCreatedAgainHasAHigherVersion) {
  const store::Version first = Committed(PutUntil(In(milliseconds(1))));
  Time().Advance(milliseconds(1));
  const store::Version second = Committed(Put{&kThings, key_, "{2}", Expectation::Absent()});
  EXPECT_GT(second, first);
  EXPECT_THAT(Commit(Put{&kThings, key_, "{3}", Expectation::At(first)}),
              FailsWith(ErrorCode::kConflict));
}

TEST_P(Expiry, AnExpiredRowCanBeErased) {
  Committed(PutUntil(In(milliseconds(1))));
  Time().Advance(milliseconds(1));
  EXPECT_THAT(Commit(Erase{&kThings, key_}), IsOk());
  EXPECT_EQ(Get(kThings, key_), std::nullopt);
}

TEST_P(Expiry, LiveRowsBetweenExpiredOnesAreListed) {
  for (const char* sort : {"a", "b", "c", "d", "e"}) {
    Committed(Put{&kThings,
                  {"p", sort},
                  sort,
                  Expectation::None(),
                  sort[0] % 2 == 0 ? std::nullopt : std::optional(In(hours(1)))});
  }
  Time().Advance(hours(1));
  for (const std::size_t limit : {1U, 2U, 3U}) {
    EXPECT_THAT(Sorts({.table = &kThings, .partition = "p", .limit = limit}),
                ElementsAre("b", "d"));
    EXPECT_THAT(Sorts({.table = &kThings,
                       .partition = "p",
                       .limit = limit,
                       .direction = store::Direction::kBackward}),
                ElementsAre("d", "b"));
    EXPECT_EQ(WalkAll(kThings, limit).size(), 2);
  }
}

TEST_P(Expiry, WhatAnUncommittedPutWouldHavePostponedExpires) {
  Committed(PutUntil(In(hours(1))));
  EXPECT_THAT(Commit(PutUntil(In(hours(3))),
                     store::Check{&kThings, {"p", "nobody"}, Expectation::Present()}),
              FailsWith(ErrorCode::kConflict));
  Time().Advance(hours(1));
  EXPECT_EQ(Get(kThings, key_), std::nullopt);
}

}  // namespace
}  // namespace atrium::engines
