// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/calendar_seed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "base/json_write.h"

namespace atrium::app {
namespace {

using almanac::Date;
using ::testing::ElementsAre;
using ::testing::Ge;
using ::testing::Pair;

SeedPlan PlanOf(std::size_t count) {
  return {.calendar = "c", .highlighted_day = Date::Parse("2026-03-01").value(), .count = count};
}

std::map<std::string, std::size_t> KindsOf(const std::vector<EntryBody>& entries) {
  std::map<std::string, std::size_t> kinds;
  for (const EntryBody& entry : entries) {
    ++kinds[entry.kind.value_or("")];
  }
  return kinds;
}

TEST(CalendarSeedTest, EachShareIsRoundedUp) {
  EXPECT_THAT(KindsOf(MakeSeed(PlanOf(15))), ElementsAre(Pair("all-day", 3), Pair("multi-day", 3),
                                                         Pair("task", 3), Pair("timed", 7)));
  EXPECT_THAT(
      KindsOf(MakeSeed(PlanOf(100))),
      ElementsAre(Pair("all-day", 20), Pair("multi-day", 15), Pair("task", 20), Pair("timed", 45)));
  EXPECT_THAT(KindsOf(MakeSeed(PlanOf(1))), ElementsAre(Pair("all-day", 1), Pair("multi-day", 1),
                                                        Pair("task", 1), Pair("timed", 1)));
}

TEST(CalendarSeedTest, TheSamePlanMakesTheSameEntries) {
  EXPECT_EQ(ToJson(MakeSeed(PlanOf(50))), ToJson(MakeSeed(PlanOf(50))));
  SeedPlan other = PlanOf(50);
  other.calendar = "d";
  EXPECT_NE(ToJson(MakeSeed(PlanOf(50))), ToJson(MakeSeed(other)));
}

TEST(CalendarSeedTest, EntriesLieAroundTheHighlightedDayAndOnIt) {
  const std::vector<EntryBody> entries = MakeSeed(PlanOf(30));
  const auto on_the_day = std::ranges::count_if(
      entries, [](const EntryBody& entry) { return entry.start_date == "2026-03-01"; });
  EXPECT_THAT(on_the_day, Ge(4));
  for (const EntryBody& entry : entries) {
    EXPECT_GE(*entry.start_date, "2026-01-30");
    EXPECT_LE(*entry.start_date, "2026-03-31");
  }
}

TEST(CalendarSeedTest, NothingEndsBeforeItStarts) {
  for (const EntryBody& entry : MakeSeed(PlanOf(200))) {
    if (entry.kind == "multi-day") {
      EXPECT_GT(*entry.end_date, *entry.start_date);
    }
    if (entry.kind == "timed") {
      EXPECT_GT(*entry.end_time, *entry.start_time);
      EXPECT_LT(*entry.end_time, "24:00");
    }
  }
}

TEST(CalendarSeedTest, AFewComeAgain) {
  const std::vector<EntryBody> entries = MakeSeed(PlanOf(15));
  const auto recurring = std::ranges::count_if(
      entries, [](const EntryBody& entry) { return entry.recurrence.has_value(); });
  EXPECT_THAT(recurring, Ge(2));
  EXPECT_LT(recurring, std::ssize(entries) / 2);
}

}  // namespace
}  // namespace atrium::app
