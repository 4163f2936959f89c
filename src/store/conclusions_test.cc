// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "store/conclusions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <string_view>

#include "base/testing.h"
#include "store/notes_testing.h"

namespace atrium::store {
namespace {

using testing::kNoteTable;
using testing::NoteKey;

constexpr Table kOtherTable{.number = 1999, .name = "others"};

class ConclusionsTest : public ::testing::Test, protected testing::NoteStore {
 protected:
  using Memory = Conclusions<std::string>;

  Result<void> Write(const Table& table, std::string document) {
    RETURN_IF_ERROR(store.Commit(
        op, WriteSet{.mutations = {Put{
                         .table = &table, .key = NoteKey("1"), .document = std::move(document)}}}));
    return {};
  }

  /// What the row says, and how often it was asked.
  std::string Ask(std::string_view key, Instant until = Instant::max()) {
    const auto answer = memory_.Get(key, [&]() -> Result<Memory::Conclusion> {
      ++asked_;
      ASSIGN_OR_RETURN(const auto row, store.Get(op, kNoteTable, NoteKey("1")));
      if (!row) {
        return Fail(ErrorCode::kNotFound, "nothing there");
      }
      return Memory::Conclusion{.value = std::make_shared<const std::string>(row->document),
                                .until = until};
    });
    return answer ? **answer : "error";
  }

  Memory memory_{store, clock, {&kNoteTable}};
  int asked_ = 0;
};

TEST_F(ConclusionsTest, AreDrawnOnceForEachKey) {
  ASSERT_THAT(Write(kNoteTable, "{}"), IsOk());
  EXPECT_EQ(Ask("ann"), "{}");
  EXPECT_EQ(Ask("ann"), "{}");
  EXPECT_EQ(asked_, 1);
  EXPECT_EQ(Ask("bob"), "{}");
  EXPECT_EQ(asked_, 2);
}

TEST_F(ConclusionsTest, AreDroppedWithTheNextWriteToTheirTable) {
  ASSERT_THAT(Write(kNoteTable, "{}"), IsOk());
  EXPECT_EQ(Ask("ann"), "{}");
  ASSERT_THAT(Write(kNoteTable, R"({"a":1})"), IsOk());
  EXPECT_EQ(Ask("ann"), R"({"a":1})");
}

TEST_F(ConclusionsTest, OutliveWritesToOtherTables) {
  ASSERT_THAT(Write(kNoteTable, "{}"), IsOk());
  EXPECT_EQ(Ask("ann"), "{}");
  ASSERT_THAT(Write(kOtherTable, "{}"), IsOk());
  EXPECT_EQ(Ask("ann"), "{}");
  EXPECT_EQ(asked_, 1);
}

TEST_F(ConclusionsTest, AreDroppedWhenRowsAreLoaded) {
  ASSERT_THAT(Write(kNoteTable, "{}"), IsOk());
  EXPECT_EQ(Ask("ann"), "{}");
  const KeyedRow row{.key = NoteKey("1"), .row = {.document = "[]", .version = {99}}};
  ASSERT_THAT(store.Load(op, kNoteTable, {&row, 1}), IsOk());
  EXPECT_EQ(Ask("ann"), "[]");
}

TEST_F(ConclusionsTest, EndWhenTheyCeaseToHold) {
  ASSERT_THAT(Write(kNoteTable, "{}"), IsOk());
  EXPECT_EQ(Ask("ann", clock.Now() + std::chrono::seconds(3)), "{}");
  clock.Advance(std::chrono::seconds(2));
  EXPECT_EQ(Ask("ann"), "{}");
  EXPECT_EQ(asked_, 1);
  clock.Advance(std::chrono::seconds(1));
  EXPECT_EQ(Ask("ann"), "{}");
  EXPECT_EQ(asked_, 2);
}

TEST_F(ConclusionsTest, AreDrawnAnewAfterAWhileAndWhenTheClockWasSetBack) {
  ASSERT_THAT(Write(kNoteTable, "{}"), IsOk());
  EXPECT_EQ(Ask("ann"), "{}");
  clock.Advance(std::chrono::seconds(10));
  EXPECT_EQ(Ask("ann"), "{}");
  EXPECT_EQ(asked_, 2);
  clock.Set(clock.Now() - std::chrono::hours(1));
  EXPECT_EQ(Ask("ann"), "{}");
  EXPECT_EQ(asked_, 3);
}

TEST_F(ConclusionsTest, AnErrorIsNoConclusion) {
  EXPECT_EQ(Ask("ann"), "error");
  EXPECT_EQ(Ask("ann"), "error");
  EXPECT_EQ(asked_, 2);
}

}  // namespace
}  // namespace atrium::store
