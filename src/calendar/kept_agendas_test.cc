// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "calendar/kept_agendas.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "calendar/room_testing.h"
#include "store/op_context.h"

namespace atrium::calendar {
namespace {

using testing::Day;

class KeptAgendasTest : public testing::RoomTest {
 protected:
  struct Seen {
    std::size_t items = 0;
    bool was_read = false;
  };

  Seen Look(std::string_view from, std::string_view to,
            const std::optional<almanac::Zone>& zone = std::nullopt) {
    store::Tally tally;
    store::OpContext op;
    op.tally = &tally;
    almanac::ExpansionBudget budget = BudgetForAgenda();
    const auto page = room_.agendas.Read(
        op, {.calendar = calendar_, .days = {.from = Day(from), .to = Day(to)}, .zone = zone},
        budget);
    EXPECT_THAT(page, IsOk());
    return {.items = page ? (*page)->items.size() : 0, .was_read = tally.scans > 0};
  }

  Seen LookAtMarch() { return Look("2026-03-01", "2026-03-31"); }
};

TEST_F(KeptAgendasTest, DaysThatSomebodyJustSawAreNotReadAgain) {
  Add(AllDay("2026-03-05"));
  EXPECT_TRUE(LookAtMarch().was_read);
  const Seen again = LookAtMarch();
  EXPECT_FALSE(again.was_read);
  EXPECT_EQ(again.items, 1U);
}

TEST_F(KeptAgendasTest, EveryChangeOfTheCalendarIsSeenAtOnce) {
  const auto entry = Add(AllDay("2026-03-05"));
  EXPECT_EQ(LookAtMarch().items, 1U);
  Add(AllDay("2026-03-06"));
  EXPECT_EQ(LookAtMarch().items, 2U);
  ASSERT_THAT(room_.entries.Delete({}, ann_, {.id = entry.record.id},
                                   [](store::Version) { return Result<void>(); }),
              IsOk());
  EXPECT_EQ(LookAtMarch().items, 1U);
}

TEST_F(KeptAgendasTest, OtherDaysAndOtherZonesAreOtherQuestions) {
  Add(Timed("2026-03-31", "23:30", "23:45"));
  EXPECT_EQ(LookAtMarch().items, 1U);
  EXPECT_EQ(Look("2026-03-01", "2026-03-30").items, 0U);
  EXPECT_EQ(Look("2026-03-01", "2026-03-31", *almanac::Zone::Find("Asia/Tokyo")).items, 0U);
}

TEST_F(KeptAgendasTest, NothingIsKeptForLong) {
  LookAtMarch();
  clock_.Advance(std::chrono::seconds(11));
  EXPECT_TRUE(LookAtMarch().was_read);
}

TEST_F(KeptAgendasTest, WhatIsKeptIsFoundWithoutReading) {
  Add(AllDay("2026-03-05"));
  const AgendaQuery march{.calendar = calendar_,
                          .days = {.from = Day("2026-03-01"), .to = Day("2026-03-31")}};
  EXPECT_THAT(room_.agendas.Find({}, march), Holds(std::nullopt));
  LookAtMarch();
  const auto kept = room_.agendas.Find({}, march);
  ASSERT_THAT(kept, IsOk());
  ASSERT_TRUE(kept->has_value());
  EXPECT_EQ((**kept)->items.size(), 1U);
  Add(AllDay("2026-03-06"));
  EXPECT_THAT(room_.agendas.Find({}, march), Holds(std::nullopt));
}

TEST_F(KeptAgendasTest, ThatItIsTooMuchIsRememberedToo) {
  for (int i = 0; i < 3; ++i) {
    Add(Again(AllDay("2026-03-05"), "FREQ=DAILY"));
  }
  const AgendaQuery all{.calendar = calendar_,
                        .days = {.from = Day("2026-01-01"), .to = Day("2126-01-01")},
                        .is_all_or_nothing = true};
  almanac::ExpansionBudget budget = BudgetForAgenda();
  EXPECT_THAT(room_.agendas.Read({}, all, budget), FailsWith(ErrorCode::kLimitExceeded));
  EXPECT_THAT(room_.agendas.Find({}, all), FailsWith(ErrorCode::kLimitExceeded));
  Add(AllDay("2026-03-06"));
  EXPECT_THAT(room_.agendas.Find({}, all), Holds(std::nullopt));
}

TEST_F(KeptAgendasTest, WhatIsLargeIsReadAgain) {
  EntryFields fields = AllDay("2026-03-05");
  fields.description = std::string(4000, 'x');
  for (int i = 0; i < 300; ++i) {
    Add(fields);
  }
  EXPECT_EQ(LookAtMarch().items, 300U);
  EXPECT_TRUE(LookAtMarch().was_read);
}

}  // namespace
}  // namespace atrium::calendar
