// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
// What each question that calendars must answer costs the store.
#include <gtest/gtest.h>

#include "calendar/agenda.h"
#include "calendar/room_testing.h"
#include "calendar/time_index.h"
#include "store/op_context.h"

namespace atrium::calendar {
namespace {

using store::Tally;
using testing::Day;

class BudgetTest : public testing::RoomTest {
 protected:
  template <typename Call>
  Tally Cost(const Call& call) {
    Tally tally;
    store::OpContext op;
    op.tally = &tally;
    EXPECT_THAT(call(op), IsOk());
    return tally;
  }

  Tally CostOfMonth(std::string_view from, std::string_view to) {
    return Cost([&](const store::OpContext& op) {
      almanac::ExpansionBudget budget = BudgetForAgenda();
      return ReadAgenda(
          store_, op, {.calendar = calendar_, .days = {.from = Day(from), .to = Day(to)}}, budget);
    });
  }
};

TEST_F(BudgetTest, ACalendarByIdIsOneGet) {
  EXPECT_EQ(Cost([&](const store::OpContext& op) {
              return store::Load(store_, op, Calendars(), CalendarKey(calendar_));
            }),
            (Tally{.gets = 1}));
}

TEST_F(BudgetTest, AnEntryByIdIsOneGet) {
  const auto entry = Add(AllDay("2026-03-01"));
  EXPECT_EQ(Cost([&](const store::OpContext& op) {
              return store::Load(store_, op, Entries(), EntryKey(entry.record.id));
            }),
            (Tally{.gets = 1}));
}

TEST_F(BudgetTest, AnEntryForAMemberIsThreeGets) {
  const auto entry = Add(AllDay("2026-03-01"));
  EXPECT_EQ(Cost([&](const store::OpContext& op) {
              return room_.entries.Load(op, ann_, entry.record.id, Need::kRead);
            }),
            (Tally{.gets = 3}));
}

TEST_F(BudgetTest, MembersOfACalendarAreOneQueryBesidesTheRightToAsk) {
  Share(AddVisitor("bob"), MemberRole::kReader);
  // Names of people are asked of identity, which answers each with one get.
  EXPECT_EQ(
      Cost([&](const store::OpContext& op) { return room_.members.List(op, ann_, calendar_); }),
      (Tally{.gets = 2, .scans = 1}));
}

TEST_F(BudgetTest, CalendarsOfAPersonAreOneQueryAndAGetForEach) {
  ASSERT_THAT(room_.calendars.Create({}, ann_, {.name = "Work"}), IsOk());
  EXPECT_EQ(Cost([&](const store::OpContext& op) {
              return room_.calendars.ListMine(op, ann_, 100, std::nullopt);
            }),
            (Tally{.gets = 2, .scans = 1}));
}

TEST_F(BudgetTest, AMonthIsThreeSlicesOfOnePartitionWhateverIsInIt) {
  const Tally empty = CostOfMonth("2026-03-01", "2026-03-31");
  EXPECT_EQ(empty, (Tally{.scans = 3}));
  for (int day = 1; day <= 28; ++day) {
    EntryFields fields = AllDay("2026-03-01");
    fields.start_date = Day("2026-03-01") + day;
    Add(fields);
  }
  Add(Again(Timed("1996-01-01", "09:00", "10:00"), "FREQ=DAILY"));
  Add(SeveralDays("2025-06-01", "2026-06-01"));
  EXPECT_EQ(CostOfMonth("2026-03-01", "2026-03-31"), empty);
}

TEST_F(BudgetTest, AMonthReadsNothingOfOtherYears) {
  // Rows, not operations: what is long gone or far ahead is not even passed over.
  for (int year = 1990; year < 2020; ++year) {
    EntryFields fields = Again(Timed("2000-02-01", "09:00", "10:00"), "FREQ=DAILY;COUNT=20");
    fields.start_date = Date::Of(year, 2, 1).value();
    Add(fields);
  }
  std::size_t rows = 0;
  store::FunctionSink sink([&](const store::RowView& /*row*/) { ++rows; });
  const std::string partition = PartitionOf(calendar_);
  const TimeSlices slices = SlicesFor(Day("2005-02-01"), Day("2005-02-28"));
  for (const store::Range& slice : {slices.days, slices.years, slices.endless}) {
    ASSERT_THAT(
        store_.Scan({}, {.table = &kEntriesByTime, .partition = partition, .range = slice}, sink),
        IsOk());
  }
  EXPECT_EQ(rows, 1U);
}

TEST_F(BudgetTest, EveryChangeOfAnEntryIsOneCommit) {
  const auto entry = Add(Task("2026-03-01"));
  const EntryTarget target{.id = entry.record.id};
  EXPECT_EQ(Cost([&](const store::OpContext& op) {
              return room_.entries.Create(op, ann_, AllDay("2026-03-02"));
            }).commits,
            1U);
  EXPECT_EQ(Cost([&](const store::OpContext& op) {
              return room_.entries.Update(op, ann_, target, {.title = "Other"},
                                          testing::AnyVersion);
            }).commits,
            1U);
  EXPECT_EQ(Cost([&](const store::OpContext& op) {
              return room_.entries.Toggle(op, ann_, target, testing::AnyVersion);
            }).commits,
            1U);
  EXPECT_EQ(Cost([&](const store::OpContext& op) {
              return room_.entries.Delete(op, ann_, target, testing::AnyVersion);
            }).commits,
            1U);
}

}  // namespace
}  // namespace atrium::calendar
