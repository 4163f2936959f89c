// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <string>

#include "engines/conformance/engine_testing.h"

namespace atrium::engines {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using store::Add;
using store::Append;
using store::Check;
using store::Erase;
using store::Expectation;
using store::Key;
using store::Put;
using store::Version;

class Versions : public EngineTest {
 protected:
  std::uint64_t Microseconds() {
    return static_cast<std::uint64_t>(
        std::chrono::microseconds(Time().Now().time_since_epoch()).count());
  }
  Version VersionAt(const store::Table& table, const Key& key) {
    const std::optional<store::Row> row = Get(table, key);
    return row ? row->version : Version{};
  }

  const Key key_{"p", "s"};
};
FOR_ALL_ENGINES(Versions);

TEST_P(Versions, AllRowsOfACommitShareTheVersionOfItsReceipt) {
  Committed(Put{&kThings, {"p", "counted"}, "{}"});
  const Version version = Committed(Put{&kThings, {"p", "a"}, "1"}, Put{&kOthers, {"q", "b"}, "2"},
                                    Add{&kThings, {"p", "counted"}, "n", 1},
                                    Append{&kLog, "l", "3"}, Append{&kLog, "l", "4"});
  EXPECT_EQ(VersionAt(kThings, {"p", "a"}), version);
  EXPECT_EQ(VersionAt(kOthers, {"q", "b"}), version);
  EXPECT_EQ(VersionAt(kThings, {"p", "counted"}), version);
  for (const std::uint64_t number : {0U, 1U, 2U}) {
    EXPECT_EQ(VersionAt(kLog, {"l", store::SequenceKey(number)}), version);
  }
}

TEST_P(Versions, EachWriteOfARowGrowsItsVersion) {
  Version last;
  const auto grows = [&](Version version) {
    EXPECT_GT(version, last);
    EXPECT_EQ(VersionAt(kThings, key_), version);
    last = version;
  };
  grows(Committed(Put{&kThings, key_, "1"}));
  grows(Committed(Put{&kThings, key_, "2"}));
  grows(Committed(Put{&kThings, key_, "2"}));
  grows(Committed(Add{&kThings, key_, "n", 1}));
  grows(Committed(Add{&kThings, key_, "n", 0}));
}

TEST_P(Versions, NeighboursKeepTheirs) {
  const Version version = Committed(Put{&kThings, key_, "1"});
  Committed(Put{&kThings, {"p", "t"}, "2"});
  EXPECT_EQ(VersionAt(kThings, key_), version);
}

TEST_P(Versions, ACheckWritesNothing) {
  const Version version = Committed(Put{&kThings, key_, "1"});
  Committed(Check{&kThings, key_, Expectation::Present()}, Put{&kOthers, {"p", "t"}, "2"});
  EXPECT_EQ(VersionAt(kThings, key_), version);
  Committed(Check{&kThings, {"p", "nobody"}, Expectation::Absent()}, Put{&kOthers, key_, "2"});
  EXPECT_EQ(Get(kThings, {"p", "nobody"}), std::nullopt);
}

TEST_P(Versions, ErasingAndCreatingAgainGrowsToo) {
  const Version first = Committed(Put{&kThings, key_, "1"});
  const Version gone = Committed(Erase{&kThings, key_});
  const Version second = Committed(Put{&kThings, key_, "1"});
  EXPECT_LT(first, gone);
  EXPECT_LT(gone, second);
  EXPECT_THAT(Commit(Put{&kThings, key_, "2", Expectation::At(first)}),
              FailsWith(ErrorCode::kConflict));
}

TEST_P(Versions, AreTheClockInMicroseconds) {
  Time().Advance(hours(1));
  const Version version = Committed(Put{&kThings, key_, "1"});
  EXPECT_GE(version.number, Microseconds());
  EXPECT_LT(version.number, Microseconds() + 1000);
}

TEST_P(Versions, GrowWhileTheClockStandsStillOrRunsBack) {
  Version last = Committed(Put{&kThings, key_, "1"});
  for (int i = 0; i < 20; ++i) {
    Time().Set(Time().Now() - milliseconds(i));
    const Version next = Committed(Put{&kThings, key_, "1"});
    EXPECT_GT(next, last);
    last = next;
  }
}

TEST_P(Versions, AClockBefore1970IsNoTrouble) {
  Time().Set(Instant(milliseconds(-5)));
  const Version first = Committed(Put{&kThings, key_, "1"});
  EXPECT_GT(Committed(Put{&kThings, key_, "1"}), first);
}

/// What a row can be like before a commit.
enum class State : std::uint8_t { kNeverThere, kErased, kExpired, kThere };

class Expectations : public EngineTest {
 protected:
  /// Brings the row into the state, each time under another key; answers the last version it had.
  Version Prepare(State state) {
    key_.sort = std::to_string(++rows_);
    if (state == State::kNeverThere) {
      return {};
    }
    const Version version = Committed(
        Put{&kThings, key_, "before", Expectation::None(),
            state == State::kExpired ? std::optional(In(milliseconds(5))) : std::nullopt});
    if (state == State::kErased) {
      Committed(Erase{&kThings, key_});
    }
    if (state == State::kExpired) {
      Time().Advance(milliseconds(5));
    }
    return version;
  }

  /// Each mutation that can hold an expectation answers alike.
  template <typename MakeExpectation>
  void Expect(State state, bool holds, const MakeExpectation& make) {
    SCOPED_TRACE(::testing::Message() << "state " << static_cast<int>(state));
    const auto check = [&](const Result<store::Receipt>& receipt) {
      if (holds) {
        EXPECT_THAT(receipt, IsOk());
      } else {
        EXPECT_THAT(receipt, FailsWith(ErrorCode::kConflict));
      }
    };
    Expectation expect = make(Prepare(state));
    check(Commit(Put{&kThings, key_, "after", expect}));
    expect = make(Prepare(state));
    check(Commit(Erase{&kThings, key_, expect}));
    expect = make(Prepare(state));
    check(
        Commit(Add{.table = &kThings, .key = key_, .counter = "n", .delta = 1, .expect = expect}));
    expect = make(Prepare(state));
    check(Commit(Check{&kThings, key_, expect}, Put{&kOthers, {"p", "s"}, "{}"}));
    check(Commit(Put{&kOthers, {"p", "s"}, "{}"}, Check{&kThings, key_, expect}));
  }

  Key key_{"p", ""};
  int rows_ = 0;
};
FOR_ALL_ENGINES(Expectations);

TEST_P(Expectations, NoneHoldsAlways) {
  const auto none = [](Version) { return Expectation::None(); };
  Expect(State::kNeverThere, true, none);
  Expect(State::kErased, true, none);
  Expect(State::kExpired, true, none);
  Expect(State::kThere, true, none);
}

TEST_P(Expectations, AbsentHoldsForRowsThatAreNotThere) {
  const auto absent = [](Version) { return Expectation::Absent(); };
  Expect(State::kNeverThere, true, absent);
  Expect(State::kErased, true, absent);
  Expect(State::kExpired, true, absent);
  Expect(State::kThere, false, absent);
}

TEST_P(Expectations, PresentHoldsForRowsThatAreThere) {
  const auto present = [](Version) { return Expectation::Present(); };
  Expect(State::kNeverThere, false, present);
  Expect(State::kErased, false, present);
  Expect(State::kExpired, false, present);
  Expect(State::kThere, true, present);
}

TEST_P(Expectations, AtHoldsForThatVersionOfARowThatIsThere) {
  const auto at = [](Version version) { return Expectation::At(version); };
  Expect(State::kNeverThere, false, at);
  Expect(State::kErased, false, at);
  Expect(State::kExpired, false, at);
  Expect(State::kThere, true, at);
}

TEST_P(Expectations, AtAnotherVersionDoesNotHold) {
  Expect(State::kThere, false,
         [](Version version) { return Expectation::At({version.number - 1}); });
  Expect(State::kThere, false,
         [](Version version) { return Expectation::At({version.number + 1}); });
  Expect(State::kThere, false, [](Version) { return Expectation::At({}); });
}

TEST_P(Expectations, AreAboutTheStateBeforeTheCommit) {
  const Key other{"p", "other"};
  const Version version = Committed(Put{&kThings, other, "1"});
  // Several counters of one row, each with the same expectation: the first does not break the rest.
  const auto add = [&](std::string counter, Expectation expect) {
    return Add{.table = &kThings,
               .key = other,
               .counter = std::move(counter),
               .delta = 1,
               .expect = expect};
  };
  EXPECT_THAT(Commit(add("a", Expectation::At(version)), add("b", Expectation::At(version))),
              IsOk());
  Committed(Erase{&kThings, other});
  EXPECT_THAT(Commit(add("a", Expectation::Absent()), add("b", Expectation::Absent())), IsOk());
  EXPECT_EQ(CounterAt(kThings, other, "a"), 1);
  EXPECT_EQ(CounterAt(kThings, other, "b"), 1);
}

TEST_P(Expectations, OneThatDoesNotHoldLeavesNothingBehind) {
  const Key kept{"p", "kept"};
  const Key counted{"p", "counted"};
  const Version version = Committed(Put{&kThings, kept, "1"}, Add{&kThings, counted, "n", 5},
                                    Append{&kLog, "l", "first"});
  const auto kept_before = Get(kThings, kept);
  const auto counted_before = Get(kThings, counted);
  const auto head_before = Get(kLog, {"l", store::SequenceKey(0)});

  EXPECT_THAT(Commit(Put{&kThings, {"p", "new"}, "2"}, Erase{&kThings, kept},
                     Add{&kThings, counted, "n", 1}, Add{&kOthers, {"q", "new"}, "n", 1},
                     Append{&kLog, "l", "second"}, Append{&kOtherLog, "l", "first"},
                     Check{&kOthers, {"q", "nobody"}, Expectation::Present()}),
              FailsWith(ErrorCode::kConflict));

  EXPECT_EQ(Get(kThings, kept), kept_before);
  EXPECT_EQ(Get(kThings, counted), counted_before);
  EXPECT_EQ(Get(kLog, {"l", store::SequenceKey(0)}), head_before);
  EXPECT_EQ(WalkAll(kThings).size(), 2);
  EXPECT_EQ(WalkAll(kLog).size(), 2);
  EXPECT_EQ(WalkAll(kOthers).size(), 0);
  EXPECT_EQ(WalkAll(kOtherLog).size(), 0);
  EXPECT_GT(Committed(Put{&kThings, kept, "2", Expectation::At(version)}), version);
}

TEST_P(Expectations, ARepeatedConditionalCommitIsAConflict) {
  EXPECT_THAT(Commit(Put{&kThings, {"p", "s"}, "1", Expectation::Absent()}), IsOk());
  EXPECT_THAT(Commit(Put{&kThings, {"p", "s"}, "1", Expectation::Absent()}),
              FailsWith(ErrorCode::kConflict));
}

}  // namespace
}  // namespace atrium::engines
