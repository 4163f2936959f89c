// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "calendar/eraser.h"

#include <gtest/gtest.h>

#include <chrono>
#include <stop_token>

#include "calendar/room_testing.h"

namespace atrium::calendar {
namespace {

using std::chrono::days;

class EraserTest : public testing::RoomTest {
 protected:
  /// Everything a calendar can have.
  void Furnish() {
    Share(bob_, MemberRole::kReader);
    const auto entry = Add(Timed("2026-03-01", "09:00", "10:00"));
    Add(Again(AllDay("2026-03-02"), "FREQ=YEARLY"));
    Add(SeveralDays("2026-03-01", "2026-04-30"));
    ASSERT_THAT(room_.entries.Delete({}, ann_, {.id = entry.record.id}, testing::AnyVersion),
                IsOk());
    ASSERT_THAT(room_.calendars.SaveView({}, bob_, calendar_, {.show_tasks = false}), IsOk());
  }
  std::uint64_t RowsOfCalendars() {
    std::uint64_t rows = 0;
    for (const store::AnyCollection* collection : Collections()) {
      rows += CountRows(collection->Base());
      for (const store::Table* index : collection->Indexes()) {
        rows += CountRows(*index);
      }
    }
    return rows + CountRows(kEntryHistory) + CountRows(kCalendarCounts);
  }

  const Visitor bob_ = AddVisitor("bob");
};

TEST_F(EraserTest, ADeletedCalendarGoesWithEverythingThatBelongsToIt) {
  Furnish();
  ASSERT_THAT(room_.calendars.Delete({}, ann_, calendar_, Trashing::kErase, testing::AnyVersion),
              IsOk());
  EXPECT_THAT(room_.eraser.EraseDue(context_), Holds(1U));
  EXPECT_EQ(RowsOfCalendars(), 0U);
}

TEST_F(EraserTest, ACalendarInTheTrashStaysForThirtyDays) {
  Furnish();
  ASSERT_THAT(room_.calendars.Delete({}, ann_, calendar_, Trashing::kKeep, testing::AnyVersion),
              IsOk());
  clock_.Advance(days(29));
  EXPECT_THAT(room_.eraser.EraseDue(context_), Holds(0U));
  EXPECT_THAT(room_.calendars.Restore({}, ann_, calendar_), IsOk());
  clock_.Advance(days(2));
  EXPECT_THAT(room_.eraser.EraseDue(context_), Holds(0U));
  EXPECT_EQ(Defects(), 0U);
}

TEST_F(EraserTest, WhatIsInTheTrashCanBeToldToGoAtOnce) {
  Furnish();
  ASSERT_THAT(room_.calendars.Delete({}, ann_, calendar_, Trashing::kKeep, testing::AnyVersion),
              IsOk());
  EXPECT_THAT(room_.calendars.Delete({}, ann_, calendar_, Trashing::kKeep, testing::AnyVersion),
              FailsWith(ErrorCode::kNotFound));
  EXPECT_THAT(room_.calendars.Delete({}, bob_, calendar_, Trashing::kErase, testing::AnyVersion),
              FailsWith(ErrorCode::kPermissionDenied));
  EXPECT_THAT(room_.calendars.Delete({}, ann_, calendar_, Trashing::kErase, testing::AnyVersion),
              IsOk());
  EXPECT_THAT(room_.eraser.EraseDue(context_), Holds(1U));
  EXPECT_EQ(RowsOfCalendars(), 0U);
}

TEST_F(EraserTest, WhatWasBrokenOffIsTakenUpAgain) {
  Furnish();
  ASSERT_THAT(room_.calendars.Delete({}, ann_, calendar_, Trashing::kErase, testing::AnyVersion),
              IsOk());
  std::stop_source stop;
  stop.request_stop();
  jobs::JobContext stopped(stop.get_token());
  EXPECT_THAT(room_.eraser.EraseDue(stopped), FailsWith(ErrorCode::kUnavailable));
  EXPECT_THAT(room_.eraser.EraseDue(context_), Holds(1U));
  EXPECT_EQ(RowsOfCalendars(), 0U);
}

TEST_F(EraserTest, TrashIsEmptiedAfterThirtyDaysHoweverLongNobodyLooked) {
  const auto entry = Add(AllDay("2026-03-01"));
  ASSERT_THAT(room_.entries.Delete({}, ann_, {.id = entry.record.id}, testing::AnyVersion), IsOk());
  clock_.Advance(days(29));
  EXPECT_THAT(room_.memory.Purge(context_), Holds(0U));
  clock_.Advance(days(800));
  EXPECT_THAT(room_.memory.Purge(context_), Holds(1U));
  EXPECT_EQ(CountRows(kEntryTable), 0U);
  EXPECT_EQ(CountRows(kEntryHistory), 0U);
  EXPECT_EQ(CountRows(kEntryTrash), 0U);
}

TEST_F(EraserTest, MembersWhoseAccountsAreGoneLeave) {
  const Person carl = people_.Add("carl", org_);
  Share(VisitorFor(carl), MemberRole::kWriter);
  people_.Remove(carl);
  EXPECT_THAT(room_.eraser.ReleaseTheGone(context_), Holds(1U));
  EXPECT_THAT(room_.eraser.ReleaseTheGone(context_), Holds(0U));
  EXPECT_EQ(room_.members.List({}, ann_, calendar_)->size(), 1U);
  EXPECT_EQ(Defects(), 0U);
}

TEST_F(EraserTest, AnOnlyOwnerWhoseAccountIsGoneTakesTheCalendarAlong) {
  Share(bob_, MemberRole::kWriter);
  const auto ann = people_.Find({}, ann_.user);
  people_.Remove(**ann);
  EXPECT_THAT(room_.eraser.ReleaseTheGone(context_), Holds(1U));
  EXPECT_THAT(Enter(store_, {}, bob_, calendar_, Need::kRead), FailsWith(ErrorCode::kNotFound));
  clock_.Advance(days(31));
  EXPECT_THAT(room_.eraser.EraseDue(context_), Holds(1U));
  EXPECT_EQ(RowsOfCalendars(), 0U);
}

TEST_F(EraserTest, ACalendarWithAnotherOwnerStays) {
  Share(bob_, MemberRole::kOwner);
  people_.Remove(**people_.Find({}, ann_.user));
  EXPECT_THAT(room_.eraser.ReleaseTheGone(context_), Holds(1U));
  EXPECT_THAT(Enter(store_, {}, bob_, calendar_, Need::kOwn), IsOk());
  // Bob is the last one now.
  EXPECT_THAT(room_.members.Remove({}, {.visitor = bob_}, calendar_, "me"),
              FailsWith(ErrorCode::kRefusedByState));
}

}  // namespace
}  // namespace atrium::calendar
