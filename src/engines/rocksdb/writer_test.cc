// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "engines/rocksdb/writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "engines/rocksdb/engine_testing.h"
#include "engines/rocksdb/fault_file_system_testing.h"
#include "engines/rocksdb/opened_engine.h"
#include "store/op_context_testing.h"

namespace atrium::rocks {
namespace {

using std::chrono::milliseconds;
using Outcome = std::future<Result<store::Receipt>>;

/// Commits that are decided about in one batch: a first one is held in its sync meanwhile.
class WriterTest : public EngineTest {
 protected:
  void SetUp() override {
    auto opened = OpenOn(Options(), clock_, disk_, Access::kReadWrite);
    ASSERT_THAT(opened, IsOk());
    engine_ = *std::move(opened);
    disk_->AllowLogSyncs(0);
    first_ = Begin(store::kTestOp,
                   {store::Put{.table = &kThings, .key = {"p", "first"}, .document = "1"}});
    disk_->AwaitHeldSync();
  }
  void TearDown() override {
    disk_->AllowAllLogSyncs();
    EXPECT_THAT(first_.get(), IsOk());
  }

  Outcome Begin(const store::OpContext& op, std::vector<store::Mutation> mutations) {
    return std::async(std::launch::async, [this, op, mutations = std::move(mutations)] {
      return engine_->Commit(op, {mutations});
    });
  }
  /// A commit that stands in the queue when this returns.
  Outcome Queue(std::vector<store::Mutation> mutations, const store::OpContext& op = {}) {
    const double before = Figure("queued_commits");
    Outcome outcome = Begin(op, std::move(mutations));
    while (Figure("queued_commits") == before) {
      std::this_thread::yield();
    }
    return outcome;
  }
  static store::Put PutThing(const store::Key& key, std::string document,
                             store::Expectation expect = store::Expectation::None()) {
    return {.table = &kThings, .key = key, .document = std::move(document), .expect = expect};
  }

  std::shared_ptr<FaultFileSystem> disk_ = std::make_shared<FaultFileSystem>();
  Outcome first_;
};

TEST_F(WriterTest, CommitsThatWaitAreWrittenWithOneSync) {
  std::vector<Outcome> outcomes;
  for (int i = 0; i < 5; ++i) {
    outcomes.push_back(Queue({PutThing({"p", std::to_string(i)}, "1")}));
  }
  disk_->AllowAllLogSyncs();
  std::vector<store::Version> versions;
  for (Outcome& outcome : outcomes) {
    const auto receipt = outcome.get();
    ASSERT_THAT(receipt, IsOk());
    versions.push_back(receipt->version);
  }
  EXPECT_EQ(Figure("batches_total"), 2);
  EXPECT_EQ(Figure("syncs_total"), 2);
  EXPECT_TRUE(std::ranges::is_sorted(versions, std::ranges::less_equal{}, &store::Version::number));
}

TEST_F(WriterTest, OneThatDoesNotHoldLeavesItsNeighboursAlone) {
  Outcome before = Queue({PutThing({"p", "before"}, "1")});
  Outcome broken = Queue({PutThing({"p", "broken"}, "1"),
                          PutThing({"p", "first"}, "2", store::Expectation::Absent())});
  Outcome bounded = Queue(
      {PutThing({"p", "bounded"}, "1"),
       store::Add{
           .table = &kThings, .key = {"p", "used"}, .counter = "bytes", .delta = 5, .at_most = 4}});
  Outcome after = Queue({PutThing({"p", "after"}, "1")});
  disk_->AllowAllLogSyncs();
  EXPECT_THAT(before.get(), IsOk());
  EXPECT_THAT(broken.get(), FailsWith(ErrorCode::kConflict));
  EXPECT_THAT(bounded.get(), FailsWith(ErrorCode::kLimitExceeded));
  EXPECT_THAT(after.get(), IsOk());
  EXPECT_EQ(Figure("batches_total"), 2);
  EXPECT_EQ(DocumentAt({"p", "before"}), "1");
  EXPECT_EQ(DocumentAt({"p", "broken"}), "");
  EXPECT_EQ(DocumentAt({"p", "bounded"}), "");
  EXPECT_EQ(DocumentAt({"p", "first"}), "1");
  EXPECT_EQ(DocumentAt({"p", "after"}), "1");
}

TEST_F(WriterTest, ACommitSeesThoseBeforeItInItsBatch) {
  Outcome made = Queue({PutThing({"p", "a"}, "1", store::Expectation::Absent())});
  Outcome made_twice = Queue({PutThing({"p", "a"}, "2", store::Expectation::Absent())});
  Outcome replaced = Queue({PutThing({"p", "a"}, "3", store::Expectation::Present())});
  Outcome erased = Queue({store::Erase{.table = &kThings, .key = {"p", "a"}}});
  Outcome missed = Queue({PutThing({"p", "a"}, "4", store::Expectation::Present())});
  Outcome made_again = Queue({PutThing({"p", "a"}, "5", store::Expectation::Absent())});
  disk_->AllowAllLogSyncs();
  EXPECT_THAT(made.get(), IsOk());
  EXPECT_THAT(made_twice.get(), FailsWith(ErrorCode::kConflict));
  EXPECT_THAT(replaced.get(), IsOk());
  EXPECT_THAT(erased.get(), IsOk());
  EXPECT_THAT(missed.get(), FailsWith(ErrorCode::kConflict));
  EXPECT_THAT(made_again.get(), IsOk());
  EXPECT_EQ(Figure("batches_total"), 2);
  EXPECT_EQ(DocumentAt({"p", "a"}), "5");
}

TEST_F(WriterTest, WhatIsReplacedIsFoundWithoutTheDatabase) {
  disk_->AllowAllLogSyncs();
  const auto append = [] {
    return store::Append{.table = &kNews, .partition = "t", .document = "{}"};
  };
  EXPECT_THAT(Begin(store::kTestOp, {append()}).get(), IsOk());
  EXPECT_THAT(Begin(store::kTestOp, {append()}).get(), IsOk());
  const double before = Figure("recent_rows_hits_total");
  EXPECT_THAT(Begin(store::kTestOp, {append()}).get(), IsOk());
  EXPECT_EQ(Figure("recent_rows_hits_total"), before + 1);
}

TEST_F(WriterTest, WhatABatchReplacesAndThenErasesIsNotRemembered) {
  Outcome made = Queue({PutThing({"p", "a"}, "1")});
  Outcome replaced = Queue({PutThing({"p", "a"}, "2", store::Expectation::Present())});
  Outcome erased = Queue({store::Erase{.table = &kThings, .key = {"p", "a"}}});
  disk_->AllowAllLogSyncs();
  EXPECT_THAT(made.get(), IsOk());
  EXPECT_THAT(replaced.get(), IsOk());
  EXPECT_THAT(erased.get(), IsOk());
  EXPECT_EQ(Figure("batches_total"), 2);
  EXPECT_EQ(DocumentAt({"p", "a"}), "");
}

TEST_F(WriterTest, CountersAndLogsGoOnWithinABatch) {
  const auto both = [] {
    return std::vector<store::Mutation>{
        store::Add{
            .table = &kThings, .key = {"p", "used"}, .counter = "bytes", .delta = 5, .at_most = 12},
        store::Append{.table = &kNews, .partition = "t", .document = "{}", .keep = 1}};
  };
  Outcome one = Queue(both());
  Outcome two = Queue(both());
  Outcome three = Queue(both());
  disk_->AllowAllLogSyncs();
  const auto first = one.get();
  const auto second = two.get();
  ASSERT_THAT(first, IsOk());
  ASSERT_THAT(second, IsOk());
  EXPECT_THAT(three.get(), FailsWith(ErrorCode::kLimitExceeded));
  EXPECT_THAT(first->appended, ::testing::ElementsAre(1U));
  EXPECT_THAT(second->appended, ::testing::ElementsAre(2U));
  const auto row = Get({"p", "used"});
  ASSERT_THAT(row, Holds(::testing::Ne(std::nullopt)));
  EXPECT_EQ(store::CounterOf((*row)->counters, "bytes"), 10);
  const auto log =
      store::CollectPage(*engine_, store::kTestOp, {.table = &kNews, .partition = "t"});
  ASSERT_THAT(log, IsOk());
  ASSERT_EQ(log->rows.size(), 2U);
  EXPECT_EQ(log->rows[1].key.sort, store::SequenceKey(2));
}

TEST_F(WriterTest, WhatWasReadBeforeTheQueueIsReadAgainWhenItChanged) {
  // Both read the row while it is absent; the first of them is written in the batch before.
  Outcome one = Queue({PutThing({"p", "a"}, "1", store::Expectation::Absent())});
  disk_->AllowLogSyncs(1);
  disk_->AwaitHeldSync();
  Outcome two = Queue({PutThing({"p", "a"}, "2", store::Expectation::Absent())});
  disk_->AllowAllLogSyncs();
  EXPECT_THAT(one.get(), IsOk());
  EXPECT_THAT(two.get(), FailsWith(ErrorCode::kConflict));
  EXPECT_EQ(DocumentAt({"p", "a"}), "1");
}

TEST_F(WriterTest, ADeadlineThatPassesInTheQueueLeavesNothingWritten) {
  Outcome late =
      Queue({PutThing({"p", "late"}, "1")}, {.deadline = clock_.Steady() + milliseconds(5)});
  Outcome other = Queue({PutThing({"p", "other"}, "1")});
  clock_.Advance(milliseconds(5));
  EXPECT_THAT(late.get(), FailsWith(ErrorCode::kDeadlineExceeded));
  disk_->AllowAllLogSyncs();
  EXPECT_THAT(other.get(), IsOk());
  EXPECT_EQ(DocumentAt({"p", "late"}), "");
}

TEST_F(WriterTest, ADeadlineThatPassesDuringTheWriteLeavesTheOutcomeUnknown) {
  Outcome leader = Queue({PutThing({"p", "leader"}, "1")});
  Outcome late =
      Queue({PutThing({"p", "late"}, "1")}, {.deadline = clock_.Steady() + milliseconds(5)});
  disk_->AllowLogSyncs(1);
  // The two share a batch, which is held in its sync.
  EXPECT_THAT(first_.get(), IsOk());
  disk_->AwaitHeldSync();
  clock_.Advance(milliseconds(5));
  EXPECT_THAT(late.get(), FailsWith(ErrorCode::kOutcomeUnknown));
  disk_->AllowAllLogSyncs();
  EXPECT_THAT(leader.get(), IsOk());
  EXPECT_EQ(DocumentAt({"p", "late"}), "1");
  first_ = Begin(store::kTestOp, {PutThing({"p", "last"}, "1")});
}

TEST_F(WriterTest, AFailedWriteIsUnknownToAllWhoAreInIt) {
  Outcome one = Queue({PutThing({"p", "one"}, "1")});
  Outcome refused = Queue({PutThing({"p", "first"}, "1", store::Expectation::At({1}))});
  Outcome two = Queue({PutThing({"p", "two"}, "1")});
  disk_->AllowLogSyncs(1);
  EXPECT_THAT(first_.get(), IsOk());
  disk_->AwaitHeldSync();
  disk_->Break({.call = FaultFileSystem::Fault::Call::kSync, .files = ".log"});
  disk_->AllowAllLogSyncs();
  EXPECT_THAT(one.get(), FailsWith(ErrorCode::kOutcomeUnknown));
  EXPECT_THAT(refused.get(), FailsWith(ErrorCode::kConflict));
  EXPECT_THAT(two.get(), FailsWith(ErrorCode::kOutcomeUnknown));
  EXPECT_EQ(Figure("commits_failed_total"), 2);
  disk_->Mend();
  clock_.Advance(milliseconds(250));
  first_ = Begin(store::kTestOp, {PutThing({"p", "last"}, "1")});
}

}  // namespace
}  // namespace atrium::rocks
