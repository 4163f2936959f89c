// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

#include "engines/conformance/engine_testing.h"
#include "store/limits.h"
#include "store/op_context_testing.h"

namespace atrium::engines {
namespace {

using store::Erase;
using store::Expectation;
using store::Key;
using store::Put;
using ::testing::Optional;

class Rows : public EngineTest {};
FOR_ALL_ENGINES(Rows);

TEST_P(Rows, ARowThatWasNeverWrittenIsAbsent) {
  EXPECT_THAT(Store().Get(store::kTestOp, kThings, Key{"p", "s"}), Holds(std::nullopt));
}

TEST_P(Rows, APutRowIsRead) {
  const store::Version version = Committed(Put{&kThings, {"p", "s"}, R"({"a":1})"});
  EXPECT_EQ(Get(kThings, {"p", "s"}), (store::Row{.document = R"({"a":1})", .version = version}));
}

TEST_P(Rows, APutReplacesTheDocument) {
  Committed(Put{&kThings, {"p", "s"}, "1"});
  Committed(Put{&kThings, {"p", "s"}, "2"});
  EXPECT_EQ(DocumentAt(kThings, {"p", "s"}), "2");
}

TEST_P(Rows, AnErasedRowIsAbsent) {
  Committed(Put{&kThings, {"p", "s"}, "1"});
  Committed(Erase{&kThings, {"p", "s"}});
  EXPECT_EQ(Get(kThings, {"p", "s"}), std::nullopt);
  EXPECT_THAT(Sorts({.table = &kThings, .partition = "p"}), ::testing::IsEmpty());
}

TEST_P(Rows, ErasingWhatIsAbsentAndNotExpectedIsNothing) {
  EXPECT_THAT(Commit(Erase{&kThings, {"p", "s"}}), IsOk());
  EXPECT_EQ(Get(kThings, {"p", "s"}), std::nullopt);
}

TEST_P(Rows, ErasingOneRowLeavesItsNeighbours) {
  Committed(Put{&kThings, {"p", "s"}, "1"}, Put{&kThings, {"p", "s1"}, "2"},
            Put{&kOthers, {"p", "s"}, "3"}, Put{&kThings, {"p1", "s"}, "4"});
  Committed(Erase{&kThings, {"p", "s"}});
  EXPECT_EQ(DocumentAt(kThings, {"p", "s1"}), "2");
  EXPECT_EQ(DocumentAt(kOthers, {"p", "s"}), "3");
  EXPECT_EQ(DocumentAt(kThings, {"p1", "s"}), "4");
}

TEST_P(Rows, EqualKeysOfTwoTablesAreTwoRows) {
  for (const store::Table* table : {&kThings, &kOthers, &kLowByte, &kHighByte, &kLast}) {
    Committed(Put{table, {"p", "s"}, std::string(table->name)});
  }
  for (const store::Table* table : {&kThings, &kOthers, &kLowByte, &kHighByte, &kLast}) {
    EXPECT_EQ(DocumentAt(*table, {"p", "s"}), table->name);
  }
}

TEST_P(Rows, AFreshRowIsThereAndCanBeExpected) {
  const store::Version version = Committed(Put{&kThings, {"p", "s"}, "{}", Expectation::Fresh()});
  EXPECT_EQ(DocumentAt(kThings, {"p", "s"}), "{}");
  Committed(Put{&kThings, {"p", "s"}, "[]", Expectation::At(version)});
  EXPECT_EQ(DocumentAt(kThings, {"p", "s"}), "[]");
}

TEST_P(Rows, AFreshRowOfACommitThatFailsIsNotThere) {
  EXPECT_THAT(Commit(Put{&kThings, {"p", "s"}, "{}", Expectation::Fresh()},
                     store::Check{&kThings, {"p", "other"}, Expectation::Present()}),
              FailsWith(ErrorCode::kConflict));
  EXPECT_FALSE(Get(kThings, {"p", "s"}));
}

TEST_P(Rows, ManyAreAnsweredInTheOrderOfTheirKeys) {
  Committed(Put{&kThings, {"p", "a"}, "1"});
  Committed(Put{&kThings, {"q", "b"}, "2"});
  Committed(Put{&kThings, {"p", "gone"}, "3", Expectation::None(), In(std::chrono::hours(-1))});
  const std::vector<store::Key> keys = {
      {"q", "b"}, {"p", "absent"}, {"p", "a"}, {"p", "gone"}, {"q", "b"}};
  const auto rows = Store().GetMany(store::kTestOp, kThings, keys);
  ASSERT_THAT(rows, IsOk());
  std::vector<std::string> documents;
  for (const auto& row : *rows) {
    documents.push_back(row ? row->document : "none");
  }
  EXPECT_THAT(documents, ::testing::ElementsAre("2", "none", "1", "none", "2"));
  EXPECT_THAT(Store().GetMany(store::kTestOp, kThings, {}), Holds(::testing::IsEmpty()));
}

/// Keys in which the end of the partition, a length or an escape could be taken for another.
std::vector<std::string> AwkwardParts() {
  return {Bytes("\0"),
          Bytes("\0\0"),
          Bytes("\0\1"),
          Bytes("\0\xff"),
          Bytes("\1"),
          "p",
          Bytes("p\0"),
          Bytes("p\0\0"),
          Bytes("p\0\1"),
          Bytes("p\0\xff"),
          Bytes("p\0\1s"),
          Bytes("p\1"),
          "pp",
          Bytes("p\xff"),
          Bytes("p\xff\xff"),
          Bytes("\xff"),
          Bytes("\xff\0"),
          Bytes("\xff\xff"),
          std::string(512, '\0'),
          std::string(512, '\xff')};
}

TEST_P(Rows, AnyBytesMakeDistinctKeys) {
  std::vector<std::string> sorts = AwkwardParts();
  sorts.emplace_back();
  for (const std::string& partition : AwkwardParts()) {
    for (const std::string& sort : sorts) {
      Committed(Put{&kThings, {partition, sort}, partition + "/" + sort, Expectation::Absent()});
    }
  }
  for (const std::string& partition : AwkwardParts()) {
    for (const std::string& sort : sorts) {
      EXPECT_EQ(DocumentAt(kThings, {partition, sort}), partition + "/" + sort);
    }
  }
  EXPECT_EQ(WalkAll(kThings, 7).size(), sorts.size() * AwkwardParts().size());
}

TEST_P(Rows, APartitionHoldsItsOwnRowsWhateverItsBytes) {
  for (const std::string& partition : AwkwardParts()) {
    for (const std::string& sort : {Bytes(""), Bytes("\0"), Bytes("m"), Bytes("\xff")}) {
      Committed(Put{&kThings, {partition, sort}, "{}"});
    }
  }
  const std::vector<std::string> forward = {Bytes(""), Bytes("\0"), Bytes("m"), Bytes("\xff")};
  const std::vector<std::string> backward(forward.rbegin(), forward.rend());
  for (const std::string& partition : AwkwardParts()) {
    EXPECT_EQ(Sorts({.table = &kThings, .partition = partition}), forward);
    EXPECT_EQ(
        Sorts(
            {.table = &kThings, .partition = partition, .direction = store::Direction::kBackward}),
        backward);
  }
}

TEST_P(Rows, ADocumentIsBytes) {
  for (const std::string& document :
       {std::string(), Bytes("\0\xff\0"), std::string(store::kDocumentBytesMax, '\xff')}) {
    Committed(Put{&kThings, {"p", "s"}, document});
    EXPECT_EQ(DocumentAt(kThings, {"p", "s"}), document);
  }
}

TEST_P(Rows, ACommitOfTheMostThatIsAllowedIsTaken) {
  store::WriteSet writes;
  for (std::size_t i = 0; i < store::kRowsMax; ++i) {
    writes.mutations.emplace_back(
        Put{&kThings,
            {std::to_string(i % store::kPartitionsMax), std::to_string(i)},
            std::string(10'000, 'x')});
  }
  ASSERT_THAT(store::CheckLimits(writes), IsOk());
  ASSERT_THAT(Store().Commit(store::kTestOp, writes), IsOk());
  EXPECT_EQ(WalkAll(kThings).size(), store::kRowsMax);
}

TEST_P(Rows, ACommitMayTouchManyTables) {
  const store::Version version =
      Committed(Put{&kThings, {"p", "a"}, "1"}, Put{&kOthers, {"q", "b"}, "2"},
                Put{&kList, {"r", "c"}, "3"}, store::Append{&kLog, "l", "4"});
  EXPECT_EQ(Get(kThings, {"p", "a"})->version, version);
  EXPECT_EQ(Get(kOthers, {"q", "b"})->version, version);
  EXPECT_EQ(Get(kList, {"r", "c"})->version, version);
  EXPECT_EQ(Get(kLog, {"l", store::SequenceKey(1)})->version, version);
}

TEST_P(Rows, StatisticsHaveNamesOfTheirOwn) {
  Committed(Put{&kThings, {"p", "s"}, "1"});
  std::vector<std::string> names;
  for (const store::Statistic& statistic : Store().Statistics()) {
    EXPECT_THAT(statistic.name, ::testing::MatchesRegex("[a-z][a-z0-9_]*"));
    EXPECT_THAT(statistic.help, ::testing::Not(::testing::IsEmpty()));
    EXPECT_GE(statistic.value, 0);
    EXPECT_THAT(names, ::testing::Not(::testing::Contains(statistic.name)));
    names.push_back(statistic.name);
  }
  EXPECT_THAT(names, ::testing::Not(::testing::IsEmpty()));
}

}  // namespace
}  // namespace atrium::engines
