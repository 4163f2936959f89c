// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "calendar/time_index.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "calendar/agenda.h"
#include "calendar/occurrences_testing.h"
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

/// The oracle: every entry is looked at.
std::set<std::pair<EntryId, LocalTime>> LookAtAll(const std::vector<Entry>& entries,
                                                  const DayRange& days) {
  std::set<std::pair<EntryId, LocalTime>> found;
  almanac::ExpansionBudget budget = BudgetForAgenda();
  for (const Entry& entry : entries) {
    for (const Occurrence& one : testing::OccurrencesOf(entry, days, budget)) {
      found.emplace(entry.id, LocalTime{.date = one.entry.start_date,
                                        .time = one.entry.start_time.value_or(TimeOfDay())});
    }
  }
  return found;
}

class AgendaOracleTest : public testing::RoomTest {
 protected:
  int Pick(int most) { return static_cast<int>(random_() % static_cast<unsigned>(most)); }

  /// Some entries of all kinds.
  void Fill(int count) {
    for (int i = 0; i < count; ++i) {
      EntryFields fields = SeveralDays("2024-01-01", "2024-01-01");
      fields.start_date = begin_ + Pick(1500);
      fields.end_date = *fields.start_date + (Pick(3) == 0 ? Pick(800) : Pick(20));
      if (Pick(4) == 0) {
        fields.end_date = *fields.start_date + Pick(3);
        fields.recurrence = RecurrenceFields{
            .rule = Pick(2) == 0 ? "FREQ=WEEKLY;COUNT=" + std::to_string(1 + Pick(300))
                                 : std::string("FREQ=MONTHLY")};
      }
      entries_.push_back(Add(fields).record);
    }
  }

  DayRange SomeDays() {
    const Date from = begin_ + Pick(1600);
    return {.from = from, .to = from + Pick(60)};
  }

  AgendaPage Read(const AgendaQuery& query) {
    almanac::ExpansionBudget budget = BudgetForAgenda();
    auto page = ReadAgenda(store_, {}, query, budget);
    EXPECT_THAT(page, IsOk());
    return std::move(page).value_or(AgendaPage{});
  }

  /// All pages together, each as long as `bytes_max` at most.
  std::vector<std::string> ReadPages(AgendaQuery query) {
    std::vector<std::string> items;
    while (true) {
      const AgendaPage page = Read(query);
      for (const AgendaItem& item : page.items) {
        items.push_back(item.json);
      }
      if (!page.cut) {
        return items;
      }
      EXPECT_FALSE(page.items.empty());
      EXPECT_TRUE(page.items.size() == 1 || page.bytes <= query.bytes_max);
      EXPECT_LT(page.items.back().place, *page.cut);
      // As clients do it.
      query.after = AgendaPlace::Parse(page.items.back().place.Render()).value();
    }
  }

  std::mt19937 random_{20'261'116};
  const Date begin_ = Day("2024-01-01");
  std::vector<Entry> entries_;
};

TEST_F(AgendaOracleTest, FindsWhatLookingAtEverythingFinds) {
  Fill(300);
  for (int i = 0; i < 100; ++i) {
    const DayRange days = SomeDays();
    std::set<std::pair<EntryId, LocalTime>> found;
    for (const AgendaItem& item : Read({.calendar = calendar_, .days = days}).items) {
      EXPECT_TRUE(found.emplace(item.place.id, item.place.start).second)
          << "told twice: " << item.json;
    }
    ASSERT_EQ(found, LookAtAll(entries_, days)) << days.from.Render() << " " << days.to.Render();
  }
}

TEST_F(AgendaOracleTest, ShortPagesHaveTogetherWhatALongOneHas) {
  Fill(300);
  for (int i = 0; i < 20; ++i) {
    AgendaQuery query{.calendar = calendar_, .days = SomeDays()};
    if (Pick(2) == 0) {
      query.zone = *almanac::Zone::Find("Asia/Tokyo");
    }
    const std::vector<std::string> whole = ReadPages(query);
    query.bytes_max = static_cast<std::size_t>(3000 + Pick(20'000));
    ASSERT_EQ(ReadPages(query), whole)
        << query.days.from.Render() << " " << query.days.to.Render() << " " << query.bytes_max;
  }
}

TEST_F(AgendaOracleTest, WhatComesBehindAPlaceIsNotAnswered) {
  Fill(100);
  AgendaQuery query{.calendar = calendar_, .days = {.from = begin_, .to = begin_ + 365}};
  const AgendaPage whole = Read(query);
  ASSERT_GT(whole.items.size(), 20U);
  query.before = whole.items[15].place;
  const AgendaPage part = Read(query);
  ASSERT_EQ(part.items.size(), 15U);
  EXPECT_EQ(part.items.back().place, whole.items[14].place);
  EXPECT_FALSE(part.cut);
}

}  // namespace
}  // namespace atrium::calendar
