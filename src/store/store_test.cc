// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "store/store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "base/testing.h"
#include "store/epoch.h"
#include "store/limits.h"
#include "store/notes_testing.h"
#include "store/once_only.h"
#include "store/warrant.h"

namespace atrium::store {
namespace {

using testing::kNoteTable;
using testing::NoteKey;

constexpr Table kLeaves{.number = 903, .name = "leaves", .kind = TableKind::kImmutable};

class StoreTest : public ::testing::Test, protected testing::NoteStore {
 protected:
  static WriteSet PutOf(std::size_t bytes) {
    return {.mutations = {Put{
                .table = &kNoteTable, .key = NoteKey("1"), .document = std::string(bytes, 'x')}}};
  }
};

TEST_F(StoreTest, CountsWhatARequestAsks) {
  Tally tally;
  op.tally = &tally;
  ASSERT_THAT(store.Commit(op, PutOf(2)), IsOk());
  ASSERT_THAT(store.Get(op, kNoteTable, NoteKey("1")), IsOk());
  ASSERT_THAT(CollectPage(store, op, {.table = &kNoteTable, .partition = "1"}), IsOk());
  FunctionSink sink([](const RowView&) {});
  ASSERT_THAT(store.Walk(op, {.table = &kNoteTable}, sink), IsOk());
  EXPECT_EQ(tally, (Tally{.gets = 1, .scans = 1, .commits = 1, .walks = 1}));
}

TEST_F(StoreTest, KeepsTheLimitsBeforeAnyEngineSeesTheWrite) {
  EXPECT_THAT(store.Commit(op, PutOf(kDocumentBytesMax + 1)), FailsWith(ErrorCode::kLimitExceeded));
  EXPECT_THAT(store.Get(op, kNoteTable, {}), FailsWith(ErrorCode::kInvalidArgument));
  EXPECT_THAT(CollectPage(store, op, {.table = &kNoteTable, .partition = "1", .limit = 5000}),
              FailsWith(ErrorCode::kInvalidArgument));
  EXPECT_THAT(store.WriteImmutable(op, kNoteTable, {}), FailsWith(ErrorCode::kInvalidArgument));
}

TEST_F(StoreTest, BeginsNothingAfterTheDeadline) {
  op.deadline = clock.Steady();
  EXPECT_THAT(store.Commit(op, PutOf(2)), FailsWith(ErrorCode::kDeadlineExceeded));
  EXPECT_THAT(store.Get(op, kNoteTable, NoteKey("1")), FailsWith(ErrorCode::kDeadlineExceeded));
  op.deadline = SteadyInstant::max();
  EXPECT_THAT(store.Get(op, kNoteTable, NoteKey("1")), Holds(::testing::Eq(std::nullopt)));
}

class SwitchedWarrant final : public Warrant {
 public:
  Result<void> StillHolds(const OpContext& /*op*/) const override {
    return holds ? Result<void>() : Fail(ErrorCode::kUnauthenticated, "ended");
  }
  std::shared_ptr<const Warrant> Keep() const override {
    return std::make_shared<SwitchedWarrant>(*this);
  }

  bool holds = true;
};

TEST_F(StoreTest, WritesNothingOnceTheRightToDoSoHasEnded) {
  SwitchedWarrant warrant;
  op.warrant = &warrant;
  ASSERT_THAT(store.Commit(op, PutOf(2)), IsOk());
  warrant.holds = false;
  EXPECT_THAT(store.Commit(op, PutOf(3)), FailsWith(ErrorCode::kUnauthenticated));
  const auto row = store.Get(op, kNoteTable, NoteKey("1"));
  ASSERT_THAT(row, IsOk());
  EXPECT_EQ((*row)->document, "xx");
  EXPECT_THAT(store.Commit(Afterwards(op), PutOf(3)), IsOk());
}

TEST_F(StoreTest, WritesNothingBeforeWhatMustBeDoneFirstIsDone) {
  int calls = 0;
  store.BeforeFirstWrite([&]() -> Result<void> {
    return ++calls < 3 ? Fail(ErrorCode::kUnavailable, "the disk is full") : Result<void>();
  });
  EXPECT_THAT(store.Get(op, kNoteTable, NoteKey("1")), Holds(::testing::Eq(std::nullopt)));
  EXPECT_THAT(store.Commit(op, PutOf(2)), FailsWith(ErrorCode::kUnavailable));
  const std::vector<ImmutableRow> leaves = {{.key = {"1", ""}, .document = "x"}};
  EXPECT_THAT(store.WriteImmutable(op, kLeaves, leaves), FailsWith(ErrorCode::kUnavailable));
  EXPECT_THAT(store.Get(op, kNoteTable, NoteKey("1")), Holds(::testing::Eq(std::nullopt)));
  EXPECT_THAT(store.Commit(op, PutOf(2)), IsOk());
  EXPECT_THAT(store.Commit(op, PutOf(3)), IsOk());
  EXPECT_EQ(calls, 3);
}

TEST_F(StoreTest, MeasuresEachTable) {
  ASSERT_THAT(store.Get(op, kNoteTable, NoteKey("1")), IsOk());
  ASSERT_THAT(store.Get(op, kNoteTable, NoteKey("2")), IsOk());
  WriteSet contested{
      .mutations = {
          Check{.table = &kNoteTable, .key = NoteKey("1"), .expect = Expectation::Present()}}};
  ASSERT_THAT(store.Commit(op, std::move(contested)), FailsWith(ErrorCode::kConflict));
  const auto families = store.Metrics().Collect();
  ASSERT_EQ(families.size(), 2U);
  ASSERT_EQ(families[0].metric.size(), 2U);
  EXPECT_EQ(families[0].metric[0].label[0].value, "notes");
  EXPECT_EQ(families[0].metric[0].label[1].value, "get");
  EXPECT_EQ(families[0].metric[0].summary.sample_count, 2U);
  EXPECT_EQ(families[1].metric[1].label[1].value, "commit");
  EXPECT_EQ(families[1].metric[1].counter.value, 1);
}

TEST_F(StoreTest, ConflictsAreTriedAgainAFewTimes) {
  int tries = 0;
  const Result<int> outcome = RetryConflicts([&]() -> Result<int> {
    return ++tries < 3 ? Result<int>(FailPrivately(ErrorCode::kConflict, "again")) : tries;
  });
  EXPECT_THAT(outcome, Holds(3));
  tries = 0;
  EXPECT_THAT(RetryConflicts([&]() -> Result<int> {
                ++tries;
                return FailPrivately(ErrorCode::kConflict, "again");
              }),
              FailsWith(ErrorCode::kConflict));
  EXPECT_EQ(tries, 8);
  tries = 0;
  EXPECT_THAT(RetryConflicts([&]() -> Result<int> {
                ++tries;
                return FailPrivately(ErrorCode::kUnavailable, "down");
              }),
              FailsWith(ErrorCode::kUnavailable));
  EXPECT_EQ(tries, 1);
}

TEST_F(StoreTest, AnEpochIsBegunOnceAndRenewedOnPurpose) {
  FixedIdSource ids;
  EXPECT_THAT(FindEpoch(store, op), Holds(::testing::Eq(std::nullopt)));
  const auto first = EnsureEpoch(store, op, ids, clock);
  ASSERT_THAT(first, IsOk());
  EXPECT_EQ(first->reason, EpochReason::kCreated);
  EXPECT_EQ(EnsureEpoch(store, op, ids, clock)->id, first->id);
  const auto next =
      RenewEpoch(store, op, ids, {.reason = EpochReason::kRestored, .now = clock.Now()});
  ASSERT_THAT(next, IsOk());
  EXPECT_NE(next->id, first->id);
  EXPECT_EQ(EnsureEpoch(store, op, ids, clock)->id, next->id);
}

TEST_F(StoreTest, TheEpochHasItsGoldenBytes) {
  FixedIdSource ids;
  ASSERT_THAT(EnsureEpoch(store, op, ids, clock), IsOk());
  const auto row = store.Get(op, kStoreFacts, {.partition = "epoch"});
  EXPECT_EQ((*row)->document, R"({"id":"00000000000000000000000001",)"
                              R"("since":"2027-01-15T08:00:00.000Z","reason":"created"})");
}

}  // namespace
}  // namespace atrium::store
