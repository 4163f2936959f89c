// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "calendar/time_index.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "calendar/agenda.h"
#include "calendar/room_testing.h"

namespace atrium::calendar {
namespace {

using testing::At;
using testing::Day;
using ::testing::ElementsAre;
using ::testing::SizeIs;
using testing::Time;

Entry Plain(std::string_view from, std::string_view to) {
  return {.id = EntryId(Uuid::Parse("00000000-0000-4000-8000-000000000007").value()),
          .start_date = Day(from),
          .end_date = Day(to)};
}

Entry Series(std::string_view first, std::optional<LocalTime> last) {
  Entry entry = Plain(first, first);
  entry.recurrence = Recurrence{.rule = "FREQ=DAILY", .last = last};
  return entry;
}

TEST(TimeIndexTest, WhatIsShortStandsOnItsFirstDayAndOnTheMondaysItTouches) {
  EXPECT_THAT(TimeRows(Plain("2026-03-03", "2026-03-08")), SizeIs(1));
  // 2026-03-09 is a Monday.
  const std::vector<std::string> rows = TimeRows(Plain("2026-03-03", "2026-03-09"));
  ASSERT_THAT(rows, SizeIs(2));
  EXPECT_EQ(ReadDayPlace(rows[0])->day, Day("2026-03-03"));
  EXPECT_EQ(ReadDayPlace(rows[1])->day, Day("2026-03-09"));
}

TEST(TimeIndexTest, TheLastDayOfAllHasItsRow) {
  const std::vector<std::string> rows = TimeRows(Plain("9999-12-20", "9999-12-31"));
  EXPECT_THAT(rows, SizeIs(2));
  const std::vector<std::string> last = TimeRows(Plain("9999-12-31", "9999-12-31"));
  ASSERT_THAT(last, SizeIs(1));
  const TimeSlices slices = SlicesFor(Day("9999-12-31"), Day("9999-12-31"));
  EXPECT_LE(slices.days.from, last.front());
  EXPECT_LT(last.front(), slices.days.before);
}

TEST(TimeIndexTest, TheKeyTellsWhatAListNeeds) {
  Entry entry = Plain("2026-03-03", "2026-03-04");
  entry.start_time = Time("22:30");
  const auto place = ReadDayPlace(TimeRows(entry).front());
  ASSERT_TRUE(place);
  EXPECT_EQ(place->first, Day("2026-03-03"));
  EXPECT_EQ(place->last, Day("2026-03-04"));
  EXPECT_EQ(place->start, At("2026-03-03T22:30"));
  EXPECT_EQ(place->id, entry.id);
}

TEST(TimeIndexTest, WhatIsLongOrComesAgainStandsInEachOfItsYears) {
  EXPECT_THAT(TimeRows(Plain("2026-03-01", "2026-03-15")), SizeIs(1));
  EXPECT_THAT(TimeRows(Plain("2025-12-01", "2026-03-15")), SizeIs(2));
  EXPECT_THAT(TimeRows(Series("2026-03-01", At("2028-01-01T00:00"))), SizeIs(3));
  EXPECT_FALSE(ReadDayPlace(TimeRows(Series("2026-03-01", At("2026-03-02T00:00"))).front()));
}

TEST(TimeIndexTest, WhatSeemsNotToEndHasOneRow) {
  EXPECT_THAT(TimeRows(Series("2026-03-01", std::nullopt)), SizeIs(1));
  EXPECT_THAT(TimeRows(Series("2026-03-01", At("2040-01-01T00:00"))), SizeIs(1));
}

TEST(TimeIndexTest, TheSpanTakesOverridesIn) {
  Entry entry = Series("2026-03-10", At("2026-03-12T00:00"));
  entry.recurrence->overrides = {
      {.occurrence = At("2026-03-10T00:00"),
       .start_date = Day("2026-03-01"),
       .end_date = Day("2026-03-02")},
      {.occurrence = At("2026-03-12T00:00"), .start_date = Day("2026-03-20")}};
  EXPECT_EQ(SpanOf(entry).first, Day("2026-03-01"));
  EXPECT_EQ(SpanOf(entry).last, Day("2026-03-20"));
}

using AgendaTest = testing::RoomTest;

/// The oracle: every entry is looked at.
std::set<std::pair<EntryId, LocalTime>> LookAtAll(const std::vector<Entry>& entries,
                                                  const DayRange& days) {
  std::set<std::pair<EntryId, LocalTime>> found;
  almanac::ExpansionBudget budget = BudgetForAgenda();
  for (const Entry& entry : entries) {
    const auto occurrences = OccurrencesOf(entry, days, budget);
    EXPECT_THAT(occurrences, IsOk());
    for (const Occurrence& one : *occurrences) {
      found.emplace(entry.id, LocalTime{.date = one.entry.start_date,
                                        .time = one.entry.start_time.value_or(TimeOfDay())});
    }
  }
  return found;
}

TEST_F(AgendaTest, FindsWhatLookingAtEverythingFinds) {
  std::mt19937 random(20'261'116);
  const auto pick = [&](int most) {
    return static_cast<int>(random() % static_cast<unsigned>(most));
  };
  const Date begin = Day("2024-01-01");
  std::vector<Entry> entries;
  for (int i = 0; i < 300; ++i) {
    EntryFields fields = SeveralDays("2024-01-01", "2024-01-01");
    fields.start_date = begin + pick(1500);
    fields.end_date = *fields.start_date + (pick(3) == 0 ? pick(800) : pick(20));
    if (pick(4) == 0) {
      fields.end_date = *fields.start_date + pick(3);
      fields.recurrence = RecurrenceFields{.rule = pick(2) == 0 ? "FREQ=WEEKLY;COUNT=" +
                                                                      std::to_string(1 + pick(300))
                                                                : std::string("FREQ=MONTHLY")};
    }
    entries.push_back(Add(fields).record);
  }
  for (int i = 0; i < 100; ++i) {
    const Date from = begin + pick(1600);
    const DayRange days{.from = from, .to = from + pick(60)};
    almanac::ExpansionBudget budget = BudgetForAgenda();
    const auto items = ReadAgenda(store_, {}, {.calendar = calendar_, .days = days}, budget);
    ASSERT_THAT(items, IsOk());
    std::set<std::pair<EntryId, LocalTime>> found;
    for (const AgendaItem& item : *items) {
      EXPECT_TRUE(found.emplace(item.id, item.start).second) << "told twice: " << item.json;
    }
    ASSERT_EQ(found, LookAtAll(entries, days)) << days.from.Render() << " " << days.to.Render();
  }
}

}  // namespace
}  // namespace atrium::calendar
