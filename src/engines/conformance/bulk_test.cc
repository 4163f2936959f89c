// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <string>
#include <vector>

#include "engines/conformance/engine_testing.h"
#include "store/limits.h"
#include "store/op_context_testing.h"

namespace atrium::engines {
namespace {

using store::Erase;
using store::Expectation;
using store::ImmutableRow;
using store::Key;
using store::KeyedRow;
using store::Put;
using store::Row;
using store::Version;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAreArray;

class Immutable : public EngineTest {};
FOR_ALL_ENGINES(Immutable);

TEST_P(Immutable, RowsAreWritten) {
  const std::vector<ImmutableRow> rows = {{{"h1", ""}, "1"}, {{"h2", "x"}, "2"}};
  ASSERT_THAT(Store().WriteImmutable(store::kTestOp, kObjects, rows), IsOk());
  EXPECT_EQ(DocumentAt(kObjects, {"h1", ""}), "1");
  EXPECT_EQ(DocumentAt(kObjects, {"h2", "x"}), "2");
}

TEST_P(Immutable, NoRowsAreNoTrouble) {
  EXPECT_THAT(Store().WriteImmutable(store::kTestOp, kObjects, {}), IsOk());
}

TEST_P(Immutable, ARowThatIsThereStaysAsItIs) {
  const std::vector<ImmutableRow> first = {{{"h", ""}, "1"}};
  const std::vector<ImmutableRow> second = {{{"h", ""}, "other"}, {{"i", ""}, "2"}};
  ASSERT_THAT(Store().WriteImmutable(store::kTestOp, kObjects, first), IsOk());
  const auto before = Get(kObjects, {"h", ""});
  ASSERT_THAT(Store().WriteImmutable(store::kTestOp, kObjects, second), IsOk());
  EXPECT_EQ(Get(kObjects, {"h", ""}), before);
  EXPECT_EQ(DocumentAt(kObjects, {"i", ""}), "2");
}

TEST_P(Immutable, TheLimitsOfACommitDoNotCount) {
  std::vector<ImmutableRow> rows;
  for (int i = 0; i < 300; ++i) {
    rows.push_back({{std::to_string(i), ""}, std::string(10'000, 'x')});
  }
  ASSERT_THAT(Store().WriteImmutable(store::kTestOp, kObjects, rows), IsOk());
  EXPECT_EQ(WalkAll(kObjects, 100).size(), rows.size());
}

TEST_P(Immutable, ACommitErasesThemAndTheyCanBeWrittenAgain) {
  const std::vector<ImmutableRow> rows = {{{"h", ""}, "1"}};
  ASSERT_THAT(Store().WriteImmutable(store::kTestOp, kObjects, rows), IsOk());
  const Version first = Get(kObjects, {"h", ""})->version;
  const Version erased = Committed(Erase{&kObjects, {"h", ""}});
  EXPECT_EQ(DocumentAt(kObjects, {"h", ""}), "absent");
  ASSERT_THAT(Store().WriteImmutable(store::kTestOp, kObjects, rows), IsOk());
  EXPECT_EQ(DocumentAt(kObjects, {"h", ""}), "1");
  EXPECT_GT(erased, first);
  EXPECT_GT(Get(kObjects, {"h", ""})->version, first);
}

class Walk : public EngineTest {
 protected:
  std::vector<KeyedRow> Fill() {
    std::vector<KeyedRow> rows;
    for (const std::string& partition :
         {Bytes("\0"), Bytes("p"), Bytes("p\0"), Bytes("pp"), Bytes("\xff"), Bytes("\xff\xff")}) {
      for (const std::string& sort : {Bytes(""), Bytes("\0"), Bytes("a"), Bytes("\xff")}) {
        const Version version = Committed(Put{&kLowByte, {partition, sort}, partition + sort});
        rows.push_back(
            {.key = {partition, sort}, .row = {.document = partition + sort, .version = version}});
        for (const store::Table* table : {&kHighByte, &kThings, &kLast}) {
          Committed(Put{table, {partition, sort}, "elsewhere"});
        }
      }
    }
    return rows;
  }
};
FOR_ALL_ENGINES(Walk);

TEST_P(Walk, OfATableWithoutRowsIsEmpty) {
  EXPECT_THAT(WalkAll(kThings), IsEmpty());
}

TEST_P(Walk, CoversEachRowOnceWhateverThePages) {
  const std::vector<KeyedRow> rows = Fill();
  for (const std::size_t limit : {1U, 2U, 3U, 5U, 23U, 24U, 25U}) {
    EXPECT_THAT(WalkAll(kLowByte, limit), UnorderedElementsAreArray(rows)) << limit;
  }
}

TEST_P(Walk, KeepsItsOrder) {
  Fill();
  EXPECT_EQ(WalkAll(kLowByte, 1), WalkAll(kLowByte, 1000));
}

TEST_P(Walk, CoversTheLastTable) {
  Fill();
  EXPECT_EQ(WalkAll(kLast, 1).size(), 24);
}

TEST_P(Walk, GoesOnBehindARowThatIsGone) {
  Fill();
  store::WalkRequest request{.table = &kLowByte, .limit = 1};
  std::set<std::pair<std::string, std::string>> seen;
  do {
    std::optional<Key> last;
    store::FunctionSink sink([&](const store::RowView& row) { last = store::Copy(row).key; });
    const Result<store::WalkEnd> end = Store().Walk(store::kTestOp, request, sink);
    ASSERT_THAT(end, IsOk());
    if (last) {
      EXPECT_TRUE(seen.emplace(last->partition, last->sort).second);
      Committed(Erase{&kLowByte, *last});
    }
    request.after = end->resume;
  } while (request.after);
  EXPECT_EQ(seen.size(), 24);
  EXPECT_THAT(WalkAll(kLowByte), IsEmpty());
}

TEST_P(Walk, ShowsTheHeadsOfLogs) {
  Committed(store::Append{&kLog, "l", "1"}, store::Append{&kLog, "m", "2"});
  EXPECT_EQ(WalkAll(kLog, 1).size(), 4);
}

class Load : public EngineTest {};
FOR_ALL_ENGINES(Load);

TEST_P(Load, KeepsRowsAsTheyAre) {
  const std::vector<KeyedRow> rows = {
      {.key = {"p", "s"},
       .row = {.document = "{1}",
               .version = {77},
               .expires_at = In(std::chrono::hours(1)),
               .counters = {{"a", -1}, {"b", 2}}}},
      {.key = {"q", ""}, .row = {.document = "{2}", .version = {1'234'567'890'123}}}};
  ASSERT_THAT(Store().Load(store::kTestOp, kThings, rows), IsOk());
  EXPECT_THAT(WalkAll(kThings), UnorderedElementsAreArray(rows));
  EXPECT_EQ(Get(kThings, {"p", "s"}), rows[0].row);
}

TEST_P(Load, NoRowsAreNoTrouble) {
  EXPECT_THAT(Store().Load(store::kTestOp, kThings, {}), IsOk());
}

TEST_P(Load, ReplacesWhatIsThere) {
  Committed(store::Add{&kThings, {"p", "s"}, "n", 5}, Put{&kThings, {"p", "t"}, "stays"});
  const std::vector<KeyedRow> rows = {
      {.key = {"p", "s"}, .row = {.document = "{1}", .version = {3}}}};
  ASSERT_THAT(Store().Load(store::kTestOp, kThings, rows), IsOk());
  EXPECT_EQ(Get(kThings, {"p", "s"}), rows[0].row);
  EXPECT_EQ(DocumentAt(kThings, {"p", "t"}), "stays");
}

TEST_P(Load, LaterCommitsHaveHigherVersions) {
  const Version now = Committed(Put{&kThings, {"p", "a"}, "1"});
  const Version future{now.number + 3'600'000'000};
  const std::vector<KeyedRow> rows = {
      {.key = {"p", "s"}, .row = {.document = "{1}", .version = future}},
      {.key = {"p", "t"}, .row = {.document = "{1}", .version = {5}}}};
  ASSERT_THAT(Store().Load(store::kTestOp, kThings, rows), IsOk());
  EXPECT_GT(Committed(Put{&kThings, {"p", "b"}, "1"}), future);
  EXPECT_GT(Committed(Put{&kThings, {"p", "s"}, "1", Expectation::At(future)}), future);
}

TEST_P(Load, ALoadedRowMeetsExpectations) {
  const std::vector<KeyedRow> rows = {
      {.key = {"p", "s"}, .row = {.document = "{1}", .version = {77}}}};
  ASSERT_THAT(Store().Load(store::kTestOp, kThings, rows), IsOk());
  EXPECT_THAT(Commit(Put{&kThings, {"p", "s"}, "2", Expectation::At({78})}),
              FailsWith(ErrorCode::kConflict));
  EXPECT_THAT(Commit(Put{&kThings, {"p", "s"}, "2", Expectation::At({77})}), IsOk());
}

TEST_P(Load, ALoadedLogGoesOn) {
  const std::vector<KeyedRow> rows = {
      {.key = {"l", store::SequenceKey(0)},
       .row = {.document = "{}",
               .version = {9},
               .counters = {{std::string(store::kSequenceCounter), 41}}}},
      {.key = {"l", store::SequenceKey(41)}, .row = {.document = "a", .version = {9}}}};
  ASSERT_THAT(Store().Load(store::kTestOp, kLog, rows), IsOk());
  const Result<store::Receipt> receipt = Commit(store::Append{&kLog, "l", "b"});
  ASSERT_THAT(receipt, IsOk());
  EXPECT_THAT(receipt->appended, ::testing::ElementsAre(42));
}

TEST_P(Load, AnExpiredRowStaysUnseen) {
  const std::vector<KeyedRow> rows = {
      {.key = {"p", "s"}, .row = {.document = "{1}", .version = {77}, .expires_at = Time().Now()}}};
  ASSERT_THAT(Store().Load(store::kTestOp, kThings, rows), IsOk());
  EXPECT_EQ(DocumentAt(kThings, {"p", "s"}), "absent");
}

class Deadlines : public EngineTest {
 protected:
  void SetUp() override {
    Committed(Put{&kThings, {"p", "s"}, "1"});
    Time().Advance(std::chrono::seconds(10));
    late_.deadline = Time().Steady() - std::chrono::seconds(1);
    early_.deadline = Time().Steady() + std::chrono::hours(1);
  }

  store::OpContext late_ = store::kTestOp;
  store::OpContext early_ = store::kTestOp;
  store::FunctionSink<void (*)(const store::RowView&)> sink_{
      [](const store::RowView&) { ADD_FAILURE() << "nothing was to be read"; }};
};
FOR_ALL_ENGINES(Deadlines);

TEST_P(Deadlines, NothingIsReadOncePast) {
  EXPECT_THAT(Store().Get(late_, kThings, Key{"p", "s"}), FailsWith(ErrorCode::kDeadlineExceeded));
  EXPECT_THAT(Store().Scan(late_, {.table = &kThings, .partition = "p"}, sink_),
              FailsWith(ErrorCode::kDeadlineExceeded));
  EXPECT_THAT(Store().Walk(late_, {.table = &kThings}, sink_),
              FailsWith(ErrorCode::kDeadlineExceeded));
}

TEST_P(Deadlines, NothingIsWrittenOncePast) {
  store::WriteSet writes{.mutations = {Put{&kThings, {"p", "t"}, "1"}}};
  EXPECT_THAT(Store().Commit(late_, writes), FailsWith(ErrorCode::kDeadlineExceeded));
  const std::vector<ImmutableRow> objects = {{{"h", ""}, "1"}};
  EXPECT_THAT(Store().WriteImmutable(late_, kObjects, objects),
              FailsWith(ErrorCode::kDeadlineExceeded));
  const std::vector<KeyedRow> rows = {
      {.key = {"p", "u"}, .row = {.document = "1", .version = {1}}}};
  EXPECT_THAT(Store().Load(late_, kThings, rows), FailsWith(ErrorCode::kDeadlineExceeded));
  EXPECT_EQ(WalkAll(kThings).size(), 1);
  EXPECT_EQ(WalkAll(kObjects).size(), 0);
}

TEST_P(Deadlines, BeforeItAllIsAsUsual) {
  EXPECT_THAT(Store().Commit(early_, {.mutations = {Put{&kThings, {"p", "t"}, "1"}}}), IsOk());
  EXPECT_THAT(Store().Get(early_, kThings, Key{"p", "t"}), IsOk());
  EXPECT_THAT(store::CollectPage(Store(), early_, {.table = &kThings, .partition = "p"}), IsOk());
}

}  // namespace
}  // namespace atrium::engines
