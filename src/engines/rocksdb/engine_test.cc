// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "engines/rocksdb/engine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "engines/rocksdb/engine_testing.h"
#include "store/op_context_testing.h"

namespace atrium::rocks {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::Optional;

std::vector<std::string> SortKeys(const store::Page& page) {
  std::vector<std::string> keys;
  for (const store::KeyedRow& row : page.rows) {
    keys.push_back(row.key.sort);
  }
  return keys;
}

TEST_F(EngineTest, WhatWasCommittedIsThereAfterReopening) {
  const auto receipt = Put({"p", "a"}, "1");
  ASSERT_THAT(receipt, IsOk());
  Reopen();
  EXPECT_THAT(Get({"p", "a"}),
              Holds(Optional(store::Row{.document = "1", .version = receipt->version})));
}

TEST_F(EngineTest, AScanGoesBothWaysAndResumesBehindItsLastRow) {
  for (const char* sort : {"", "a", "b", "c"}) {
    ASSERT_THAT(Put({"p", sort}, "1"), IsOk());
  }
  // Neighbours in order of keys, which no page may show.
  ASSERT_THAT(Put({"o", "z"}, "1"), IsOk());
  ASSERT_THAT(Put({"q", ""}, "1"), IsOk());

  auto page = store::CollectPage(*engine_, store::kTestOp,
                                 {.table = &kThings, .partition = "p", .limit = 3});
  ASSERT_THAT(page, IsOk());
  EXPECT_THAT(SortKeys(*page), ElementsAre("", "a", "b"));
  ASSERT_EQ(page->resume, "b");
  page =
      store::CollectPage(*engine_, store::kTestOp,
                         {.table = &kThings, .partition = "p", .limit = 1, .after = page->resume});
  ASSERT_THAT(page, IsOk());
  EXPECT_THAT(SortKeys(*page), ElementsAre("c"));
  EXPECT_EQ(page->resume, std::nullopt);

  store::ScanRequest back{
      .table = &kThings, .partition = "p", .limit = 2, .direction = store::Direction::kBackward};
  page = store::CollectPage(*engine_, store::kTestOp, back);
  ASSERT_THAT(page, IsOk());
  EXPECT_THAT(SortKeys(*page), ElementsAre("c", "b"));
  back.after = page->resume;
  page = store::CollectPage(*engine_, store::kTestOp, back);
  ASSERT_THAT(page, IsOk());
  EXPECT_THAT(SortKeys(*page), ElementsAre("a", ""));
  EXPECT_EQ(page->resume, std::nullopt);
}

TEST_F(EngineTest, AScanFindsItsPartitionInTableFilesToo) {
  ASSERT_THAT(Put({"p", "a"}, "1"), IsOk());
  ASSERT_THAT(engine_->Compact({}), IsOk());
  ASSERT_THAT(Put({"p", "b"}, "1"), IsOk());
  for (const auto direction : {store::Direction::kForward, store::Direction::kBackward}) {
    const auto page = store::CollectPage(
        *engine_, store::kTestOp, {.table = &kThings, .partition = "p", .direction = direction});
    ASSERT_THAT(page, IsOk());
    EXPECT_EQ(page->rows.size(), 2U);
  }
}

TEST_F(EngineTest, AWalkShowsEveryRowOfItsTableInPages) {
  for (const char* partition : {"a", "aa", "b"}) {
    ASSERT_THAT(Put({partition, "x"}, "1"), IsOk());
    ASSERT_THAT(Put({partition, "y"}, "1"), IsOk());
  }
  std::vector<std::string> partitions;
  store::FunctionSink sink(
      [&](const store::RowView& row) { partitions.emplace_back(row.key.partition); });
  store::WalkRequest request{.table = &kThings, .limit = 4};
  const auto first = engine_->Walk(store::kTestOp, request, sink);
  ASSERT_THAT(first, IsOk());
  request.after = first->resume;
  ASSERT_TRUE(request.after);
  const auto second = engine_->Walk(store::kTestOp, request, sink);
  ASSERT_THAT(second, IsOk());
  EXPECT_EQ(second->resume, std::nullopt);
  EXPECT_THAT(partitions, ElementsAre("a", "a", "b", "b", "aa", "aa"));
}

TEST_F(EngineTest, AnExpiredRowIsGoneFromItsInstantOn) {
  ASSERT_THAT(Put({"p", "a"}, "1", kStart + milliseconds(10)), IsOk());
  clock_.Advance(milliseconds(9));
  EXPECT_EQ(DocumentAt({"p", "a"}), "1");
  clock_.Advance(milliseconds(1));
  EXPECT_THAT(Get({"p", "a"}), Holds(std::nullopt));
}

TEST_F(EngineTest, CompactionRemovesARowOnlyAnHourAfterItExpired) {
  ASSERT_THAT(Put({"p", "a"}, "1", kStart + milliseconds(10)), IsOk());
  clock_.Advance(hours(1));
  ASSERT_THAT(engine_->Compact({}), IsOk());
  EXPECT_EQ(Figure("expired_rows_removed_total"), 0);
  // As after a clock that had jumped ahead.
  clock_.Set(kStart);
  EXPECT_EQ(DocumentAt({"p", "a"}), "1");
  clock_.Set(kStart + hours(1) + milliseconds(10));
  ASSERT_THAT(engine_->Compact({}), IsOk());
  EXPECT_EQ(Figure("expired_rows_removed_total"), 1);
  clock_.Set(kStart);
  EXPECT_THAT(Get({"p", "a"}), Holds(std::nullopt));
}

TEST_F(EngineTest, APageEndsEarlyAmongManyExpiredRowsAndGoesOnBehindThem) {
  std::vector<store::KeyedRow> rows;
  for (std::uint64_t i = 0; i < 10'001; ++i) {
    rows.push_back({.key = {.partition = "p", .sort = store::SequenceKey(i)},
                    .row = {.document = "1", .expires_at = kStart}});
  }
  rows.push_back({.key = {.partition = "p", .sort = "z"}, .row = {.document = "1"}});
  ASSERT_THAT(engine_->Load(store::kTestOp, kThings, rows), IsOk());
  store::ScanRequest request{.table = &kThings, .partition = "p"};
  auto page = store::CollectPage(*engine_, store::kTestOp, request);
  ASSERT_THAT(page, IsOk());
  EXPECT_TRUE(page->rows.empty());
  ASSERT_EQ(page->resume, store::SequenceKey(9'999));
  request.after = page->resume;
  page = store::CollectPage(*engine_, store::kTestOp, request);
  ASSERT_THAT(page, IsOk());
  EXPECT_THAT(SortKeys(*page), ElementsAre("z"));
}

TEST_F(EngineTest, VersionsGrowAlthoughTheClockRunsBackAndTheStoreIsReopened) {
  const auto first = Put({"p", "a"}, "1");
  ASSERT_THAT(first, IsOk());
  EXPECT_EQ(first->version.number, 1'800'000'000'000'000U);
  clock_.Set(kStart - hours(24));
  const auto second = Put({"p", "a"}, "2");
  ASSERT_THAT(second, IsOk());
  EXPECT_EQ(second->version.number, first->version.number + 1);
  Reopen();
  const auto third = Put({"p", "a"}, "3");
  ASSERT_THAT(third, IsOk());
  EXPECT_EQ(third->version.number, second->version.number + 1);
}

TEST_F(EngineTest, VersionsGrowBeyondThoseOfLoadedRowsAlsoAfterReopening) {
  const store::Version far{3'000'000'000'000'000};
  ASSERT_THAT(engine_->Load(store::kTestOp, kThings,
                            std::vector<store::KeyedRow>{
                                {.key = {"p", "a"}, .row = {.document = "1", .version = far}}}),
              IsOk());
  Reopen();
  const auto receipt = Put({"p", "b"}, "2");
  ASSERT_THAT(receipt, IsOk());
  EXPECT_GT(receipt->version, far);
}

TEST_F(EngineTest, ASecondOpenIsRefusedInPlainWords) {
  EXPECT_THAT(RocksEngine::Open(Options(), clock_),
              FailsSaying(ErrorCode::kUnavailable, "is in use by another process"));
  EXPECT_THAT(RocksEngine::OpenReadOnly(Options(), clock_),
              FailsSaying(ErrorCode::kUnavailable, "is in use by another process"));
  // The refusal has not broken the lock of the one that is open.
  EXPECT_THAT(RocksEngine::Open(Options(), clock_),
              FailsSaying(ErrorCode::kUnavailable, "is in use by another process"));
  EXPECT_THAT(Put({"p", "a"}, "1"), IsOk());
}

TEST_F(EngineTest, ADeadlineThatIsPastLeavesNothingWritten) {
  const store::OpContext late{.deadline = clock_.Steady()};
  EXPECT_THAT(
      engine_->Commit(late, {{store::Put{.table = &kThings, .key = {"p", "a"}, .document = "1"}}}),
      FailsWith(ErrorCode::kDeadlineExceeded));
  EXPECT_THAT(engine_->Get(late, kThings, {"p", "a"}), FailsWith(ErrorCode::kDeadlineExceeded));
  EXPECT_THAT(Get({"p", "a"}), Holds(std::nullopt));
}

TEST_F(EngineTest, ImmutableRowsStayAsTheyWereWrittenFirst) {
  const std::vector<store::ImmutableRow> rows = {{.key = {"h1", ""}, .document = "1"},
                                                 {.key = {"h2", ""}, .document = "2"}};
  ASSERT_THAT(engine_->WriteImmutable(store::kTestOp, kBlocks, rows), IsOk());
  const auto before = engine_->Get(store::kTestOp, kBlocks, {"h1", ""});
  clock_.Advance(hours(1));
  ASSERT_THAT(engine_->WriteImmutable(store::kTestOp, kBlocks, rows), IsOk());
  const auto after = engine_->Get(store::kTestOp, kBlocks, {"h1", ""});
  ASSERT_THAT(before, IsOk());
  EXPECT_THAT(after, Holds(*before));
}

TEST_F(EngineTest, ImmutableRowsOfAnySizeGoInWhole) {
  std::vector<store::ImmutableRow> rows;
  for (int i = 0; i < 100; ++i) {
    rows.push_back({.key = {"h" + std::to_string(i), ""}, .document = std::string(60'000, 'x')});
  }
  ASSERT_THAT(engine_->WriteImmutable(store::kTestOp, kBlocks, rows), IsOk());
  Reopen();
  std::size_t count = 0;
  store::FunctionSink sink([&](const store::RowView& row) {
    EXPECT_EQ(row.document.size(), 60'000U);
    ++count;
  });
  ASSERT_THAT(engine_->Walk(store::kTestOp, {.table = &kBlocks}, sink), IsOk());
  EXPECT_EQ(count, rows.size());
}

TEST_F(EngineTest, DerivedRowsAreWrittenAndErasedUnseen) {
  const store::Key key{"p", "a"};
  ASSERT_THAT(engine_->Commit(store::kTestOp,
                              {{store::Put{.table = &kHints, .key = key, .document = "1"}}}),
              IsOk());
  ASSERT_THAT(engine_->Commit(store::kTestOp,
                              {{store::Put{.table = &kHints, .key = key, .document = "2"}}}),
              IsOk());
  const auto row = engine_->Get(store::kTestOp, kHints, key);
  ASSERT_THAT(row, Holds(::testing::Ne(std::nullopt)));
  EXPECT_EQ((*row)->document, "2");
  ASSERT_THAT(engine_->Commit(store::kTestOp, {{store::Erase{.table = &kHints, .key = key}}}),
              IsOk());
  EXPECT_THAT(engine_->Get(store::kTestOp, kHints, key), Holds(std::nullopt));
}

TEST_F(EngineTest, ALogIsNumberedWithoutGapsAndKeepsAsManyAsItWasTold) {
  const store::Append append{.table = &kNews, .partition = "t", .document = "{}", .keep = 2};
  const auto first = engine_->Commit(store::kTestOp, {{append, append}});
  ASSERT_THAT(first, IsOk());
  EXPECT_THAT(first->appended, ElementsAre(1U, 2U));
  const auto second = engine_->Commit(store::kTestOp, {{append}});
  ASSERT_THAT(second, IsOk());
  EXPECT_THAT(second->appended, ElementsAre(3U));
  const auto page =
      store::CollectPage(*engine_, store::kTestOp, {.table = &kNews, .partition = "t"});
  ASSERT_THAT(page, IsOk());
  EXPECT_THAT(SortKeys(*page),
              ElementsAre(store::SequenceKey(0), store::SequenceKey(2), store::SequenceKey(3)));
}

TEST_F(EngineTest, FiguresCountWhatHappened) {
  ASSERT_THAT(Put({"p", "a"}, "1"), IsOk());
  EXPECT_EQ(Figure("commits_total"), 1);
  EXPECT_EQ(Figure("batches_total"), 1);
  EXPECT_EQ(Figure("syncs_total"), 1);
  EXPECT_EQ(Figure("queued_commits"), 0);
  EXPECT_EQ(Figure("background_error"), 0);
  EXPECT_GT(Figure("log_bytes_total"), 0);
  EXPECT_THAT(
      engine_->Commit(store::kTestOp, {{store::Check{.table = &kThings,
                                                     .key = {"p", "a"},
                                                     .expect = store::Expectation::Absent()}}}),
      FailsWith(ErrorCode::kConflict));
  EXPECT_EQ(Figure("commits_refused_total"), 1);
}

}  // namespace
}  // namespace atrium::rocks
