// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0

// Series that are divided in two, when an occurrence and those that follow it are changed.
#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "almanac/expansion_budget.h"
#include "almanac/local_time.h"
#include "almanac/recurrence.h"
#include "almanac/recurrence_testing.h"
#include "base/error.h"
#include "base/testing.h"

namespace atrium::almanac {
namespace {

std::string After(const Series& series, std::string_view at) {
  ExpansionBudget budget = Plenty();
  return RuleFrom(series, Local(at), budget).value();
}

TEST(RecurrenceSplitTest, TheFirstPartEndsASecondEarlier) {
  const Series series = MakeSeries("2026-01-01T09:00", "FREQ=DAILY;BYMONTH=1,2");
  EXPECT_EQ(EndRuleBefore(series, Local("2026-01-20T09:00")).value(),
            "FREQ=DAILY;UNTIL=20260120T085959;BYMONTH=1,2");
}

TEST(RecurrenceSplitTest, TheFirstPartOfAllDaySeriesEndsTheDayBefore) {
  const Series series = MakeSeries("2026-01-01", "FREQ=WEEKLY", {.all_day = true});
  EXPECT_EQ(EndRuleBefore(series, Local("2026-01-22"), {.all_day = true}).value(),
            "FREQ=WEEKLY;UNTIL=20260121");
}

TEST(RecurrenceSplitTest, AnEarlierEndStays) {
  const Series until = MakeSeries("2026-01-01T09:00", "FREQ=DAILY;UNTIL=20260110T090000");
  EXPECT_EQ(EndRuleBefore(until, Local("2026-02-01")).value(), "FREQ=DAILY;UNTIL=20260110T090000");
  const Series counted = MakeSeries("2026-01-01T09:00", "FREQ=DAILY;COUNT=10");
  EXPECT_EQ(EndRuleBefore(counted, Local("2026-02-01")).value(),
            "FREQ=DAILY;UNTIL=20260110T090000");
}

TEST(RecurrenceSplitTest, NothingIsBeforeTheStart) {
  const Series series = MakeSeries("2026-01-01T09:00", "FREQ=DAILY");
  EXPECT_THAT(EndRuleBefore(series, Local("2026-01-01T09:00")),
              FailsWith(ErrorCode::kInvalidArgument));
}

TEST(RecurrenceSplitTest, WithoutARuleThereIsNoneInEitherPart) {
  const Series series{.start = Local("2026-01-01T09:00"), .additions = {Local("2026-02-01")}};
  EXPECT_EQ(EndRuleBefore(series, Local("2026-02-01")).value(), "");
  EXPECT_EQ(After(series, "2026-02-01"), "");
}

TEST(RecurrenceSplitTest, TheSecondPartHasWhatIsLeftOfTheCount) {
  const Series series = MakeSeries("2026-01-01T09:00", "FREQ=WEEKLY;COUNT=10");
  EXPECT_EQ(After(series, "2026-01-22T09:00"), "FREQ=WEEKLY;COUNT=7");
  EXPECT_EQ(After(series, "2026-03-05T09:00"), "");
  EXPECT_EQ(After(series, "2026-01-01T09:00"), "FREQ=WEEKLY;COUNT=10");
}

TEST(RecurrenceSplitTest, AnAdditionDoesNotUseUpTheCount) {
  Series series = MakeSeries("2026-01-01T09:00", "FREQ=WEEKLY;COUNT=3");
  series.additions = {Local("2026-01-09T09:00")};
  // The 15th is still to come, after the start of the part.
  EXPECT_EQ(After(series, "2026-01-09T09:00"), "FREQ=WEEKLY;COUNT=2");
}

TEST(RecurrenceSplitTest, TheSecondPartKeepsItsOwnEnd) {
  const Series series = MakeSeries("2026-01-01T09:00", "FREQ=DAILY;UNTIL=20260110T090000");
  EXPECT_EQ(After(series, "2026-01-05T09:00"), "FREQ=DAILY;UNTIL=20260110T090000");
  EXPECT_EQ(After(series, "2026-01-10T09:00"), "");
}

TEST(RecurrenceSplitTest, BothPartsTogetherAreTheWhole) {
  for (const std::string_view rule :
       {"FREQ=DAILY;INTERVAL=3;COUNT=20", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TH,SU;WKST=SU;COUNT=20",
        "FREQ=MONTHLY;BYDAY=TU,WE,TH;BYSETPOS=2,-2;COUNT=20", "FREQ=MONTHLY;INTERVAL=2;COUNT=20",
        "FREQ=YEARLY;BYMONTH=1,3;BYDAY=1TH,-1SU;COUNT=20", "FREQ=DAILY;UNTIL=20260131T000000"}) {
    const Series whole = MakeSeries("2026-01-01T09:00", rule);
    const std::vector<std::string> expected = First(whole, 50);
    for (std::size_t cut = 1; cut < expected.size(); ++cut) {
      const LocalTime at = Local(expected[cut]);
      const Series before{.start = whole.start, .rule = EndRuleBefore(whole, at).value()};
      const Series after{.start = at, .rule = After(whole, expected[cut])};
      std::vector<std::string> parts = First(before, 50);
      for (const std::string& start : First(after, 50)) {
        parts.push_back(start);
      }
      EXPECT_EQ(parts, expected) << rule << " at " << expected[cut];
    }
  }
}

}  // namespace
}  // namespace atrium::almanac
