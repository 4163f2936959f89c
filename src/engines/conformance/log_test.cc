// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "engines/conformance/engine_testing.h"

namespace atrium::engines {
namespace {

using store::Append;
using store::Expectation;
using store::SequenceKey;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::IsEmpty;

class Log : public EngineTest {
 protected:
  /// The numbers that are there, without the head.
  std::vector<std::uint64_t> Numbers(std::string_view partition = "l") {
    std::vector<std::uint64_t> numbers;
    for (const std::string& sort :
         Sorts({.table = &kLog, .partition = partition, .range = {.from = SequenceKey(1)}})) {
      numbers.push_back(store::SequenceOf(sort));
    }
    return numbers;
  }
  std::vector<std::uint64_t> Appended(const Result<store::Receipt>& receipt) {
    EXPECT_THAT(receipt, IsOk());
    return receipt ? receipt->appended : std::vector<std::uint64_t>();
  }
};
FOR_ALL_ENGINES(Log);

TEST_P(Log, NumbersBeginWithOneAndHaveNoGaps) {
  EXPECT_THAT(Appended(Commit(Append{&kLog, "l", "a"})), ElementsAre(1));
  EXPECT_THAT(Appended(Commit(Append{&kLog, "l", "b"})), ElementsAre(2));
  EXPECT_THAT(Appended(Commit(Append{&kLog, "l", "c"})), ElementsAre(3));
  EXPECT_THAT(Numbers(), ElementsAre(1, 2, 3));
  EXPECT_EQ(DocumentAt(kLog, {"l", SequenceKey(2)}), "b");
}

TEST_P(Log, ACommitWithoutAppendGivesNoNumbers) {
  EXPECT_THAT(Appended(Commit(store::Put{&kThings, {"p", "s"}, "1"})), IsEmpty());
}

TEST_P(Log, PartitionsAndTablesCountOnTheirOwn) {
  EXPECT_THAT(Appended(Commit(Append{&kLog, "l", "a"}, Append{&kLog, "m", "b"},
                              Append{&kOtherLog, "l", "c"}, Append{&kLog, "l", "d"})),
              ElementsAre(1, 1, 1, 2));
  EXPECT_EQ(DocumentAt(kLog, {"l", SequenceKey(2)}), "d");
  EXPECT_EQ(DocumentAt(kLog, {"m", SequenceKey(1)}), "b");
  EXPECT_EQ(DocumentAt(kOtherLog, {"l", SequenceKey(1)}), "c");
}

TEST_P(Log, SeveralRowsOfOneCommitFollowTheOrderOfTheMutations) {
  Committed(Append{&kLog, "l", "a"});
  EXPECT_THAT(
      Appended(Commit(Append{&kLog, "l", "b"}, Append{&kLog, "l", "c"}, Append{&kLog, "l", "d"})),
      ElementsAre(2, 3, 4));
  EXPECT_EQ(DocumentAt(kLog, {"l", SequenceKey(3)}), "c");
}

TEST_P(Log, TheHeadHoldsTheLastNumber) {
  Committed(Append{&kLog, "l", "a"});
  const store::Version version = Committed(Append{&kLog, "l", "b"}, Append{&kLog, "l", "c"});
  EXPECT_EQ(Get(kLog, {"l", SequenceKey(0)}),
            (store::Row{.document = "{}",
                        .version = version,
                        .counters = {{std::string(store::kSequenceCounter), 3}}}));
}

TEST_P(Log, AFailedCommitUsesNoNumber) {
  Committed(Append{&kLog, "l", "a"});
  EXPECT_THAT(
      Commit(Append{&kLog, "l", "b"}, store::Check{&kThings, {"p", "s"}, Expectation::Present()}),
      FailsWith(ErrorCode::kConflict));
  EXPECT_THAT(Appended(Commit(Append{&kLog, "l", "c"})), ElementsAre(2));
  EXPECT_THAT(Numbers(), ElementsAre(1, 2));
}

TEST_P(Log, KeepsNoMoreThanItIsTold) {
  for (int i = 0; i < 10; ++i) {
    Committed(Append{.table = &kLog, .partition = "l", .document = "{}", .keep = 3});
  }
  EXPECT_THAT(Numbers(), ElementsAre(8, 9, 10));
  EXPECT_EQ(CounterAt(kLog, {"l", SequenceKey(0)}, store::kSequenceCounter), 10);
}

TEST_P(Log, KeepsExactlyAsManyAsItIsTold) {
  for (int i = 0; i < 3; ++i) {
    Committed(Append{.table = &kLog, .partition = "l", .document = "{}", .keep = 3});
  }
  EXPECT_THAT(Numbers(), ElementsAre(1, 2, 3));
}

TEST_P(Log, KeepErasesWithinOneCommitToo) {
  const Append append{.table = &kLog, .partition = "l", .document = "{}", .keep = 1};
  EXPECT_THAT(Appended(Commit(append, append, append)), ElementsAre(1, 2, 3));
  EXPECT_THAT(Numbers(), ElementsAre(3));
}

TEST_P(Log, KeepErasesOneRowAndNoOlderOnes) {
  for (int i = 0; i < 5; ++i) {
    Committed(Append{&kLog, "l", "{}"});
  }
  Committed(Append{.table = &kLog, .partition = "l", .document = "{}", .keep = 2});
  EXPECT_THAT(Numbers(), ElementsAre(1, 2, 3, 5, 6));
}

TEST_P(Log, KeepNeverErasesTheHead) {
  for (std::uint64_t keep = 1; keep <= 5; ++keep) {
    Committed(Append{.table = &kLog, .partition = "l", .document = "{}", .keep = keep});
  }
  EXPECT_EQ(CounterAt(kLog, {"l", SequenceKey(0)}, store::kSequenceCounter), 5);
}

TEST_P(Log, RowsExpireAndNumbersGoOn) {
  const auto soon = In(std::chrono::milliseconds(1));
  Committed(Append{&kLog, "l", "a", soon}, Append{&kLog, "l", "b"}, Append{&kLog, "l", "c", soon});
  Time().Advance(std::chrono::milliseconds(1));
  EXPECT_THAT(Numbers(), ElementsAre(2));
  EXPECT_THAT(Appended(Commit(Append{&kLog, "l", "d"})), ElementsAre(4));
}

TEST_P(Log, ANumberOfARowThatIsGoneIsNotGivenAgain) {
  Committed(Append{&kLog, "l", "a"}, Append{&kLog, "l", "b"});
  Committed(store::Erase{&kLog, {"l", SequenceKey(2)}});
  EXPECT_THAT(Appended(Commit(Append{&kLog, "l", "c"})), ElementsAre(3));
}

TEST_P(Log, CanBeReadFromTheEnd) {
  for (const char* document : {"a", "b", "c", "d"}) {
    Committed(Append{&kLog, "l", document});
  }
  const store::Page page = OnePage({.table = &kLog,
                                    .partition = "l",
                                    .range = {.from = SequenceKey(1)},
                                    .limit = 2,
                                    .direction = store::Direction::kBackward});
  ASSERT_EQ(page.rows.size(), 2);
  EXPECT_EQ(page.rows[0].row.document, "d");
  EXPECT_EQ(page.rows[1].row.document, "c");
}

}  // namespace
}  // namespace atrium::engines
