// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "almanac/recurrence.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "almanac/expansion_budget.h"
#include "almanac/local_time.h"
#include "almanac/recurrence_testing.h"
#include "almanac/zone.h"
#include "base/error.h"
#include "base/instant.h"
#include "base/result.h"
#include "base/testing.h"

namespace atrium::almanac {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::optional<std::string> Last(const Series& series) {
  ExpansionBudget budget = Plenty();
  const std::optional<LocalTime> last = LastStart(series, budget).value();
  return last ? std::optional<std::string>(last->Render()) : std::nullopt;
}

TEST(RecurrenceTest, WithoutARuleThereAreTheStartAndTheAdditions) {
  const Series series{.start = Local("2026-03-01T09:00"),
                      .additions = {Local("2026-03-05T10:00"), Local("2026-03-01T09:00"),
                                    Local("2026-02-01T08:00"), Local("2026-03-05T10:00")}};
  EXPECT_THAT(First(series, 10),
              ElementsAre("2026-02-01T08:00", "2026-03-01T09:00", "2026-03-05T10:00"));
  EXPECT_EQ(Last(series), "2026-03-05T10:00");
}

TEST(RecurrenceTest, TheWindowHasItsBeginningAndNotItsEnd) {
  const Series series = MakeSeries("2026-03-01T09:00", "FREQ=DAILY");
  EXPECT_THAT(Between(series, "2026-03-05T09:00", "2026-03-07T09:00"),
              ElementsAre("2026-03-05T09:00", "2026-03-06T09:00"));
  EXPECT_THAT(Between(series, "2026-03-05T09:00:01", "2026-03-06T09:00"), IsEmpty());
  EXPECT_THAT(Between(series, "2026-03-05", "2026-03-05"), IsEmpty());
  EXPECT_THAT(Between(series, "2026-03-07", "2026-03-05"), IsEmpty());
  EXPECT_THAT(Between(series, "2020-01-01", "2026-03-01T09:00"), IsEmpty());
}

TEST(RecurrenceTest, AStartThatTheRuleWouldNotGiveIsTheFirstAllTheSame) {
  // A Wednesday.
  const Series forever = MakeSeries("2026-04-01T09:00", "FREQ=WEEKLY;BYDAY=MO");
  EXPECT_THAT(First(forever, 3),
              ElementsAre("2026-04-01T09:00", "2026-04-06T09:00", "2026-04-13T09:00"));
  const Series counted = MakeSeries("2026-04-01T09:00", "FREQ=WEEKLY;BYDAY=MO;COUNT=2");
  EXPECT_THAT(First(counted, 3), ElementsAre("2026-04-01T09:00", "2026-04-06T09:00"));
}

TEST(RecurrenceTest, AnUntilBeforeTheStartLeavesTheStart) {
  const Series series = MakeSeries("2026-04-01T09:00", "FREQ=DAILY;UNTIL=20260301T000000");
  EXPECT_THAT(First(series, 3), ElementsAre("2026-04-01T09:00"));
  EXPECT_EQ(Last(series), "2026-04-01T09:00");
}

TEST(RecurrenceTest, UntilIncludesItsMoment) {
  const Series timed = MakeSeries("2026-04-01T09:00", "FREQ=DAILY;UNTIL=20260403T090000");
  EXPECT_EQ(Last(timed), "2026-04-03T09:00");
  const Series earlier = MakeSeries("2026-04-01T09:00", "FREQ=DAILY;UNTIL=20260403T085959");
  EXPECT_EQ(Last(earlier), "2026-04-02T09:00");
  const Series all_day = MakeSeries("2026-04-01", "FREQ=DAILY;UNTIL=20260403", {.all_day = true});
  EXPECT_EQ(Last(all_day), "2026-04-03T00:00");
}

TEST(RecurrenceTest, ExceptionsWinOverEverything) {
  Series series = MakeSeries("2026-03-01T09:00", "FREQ=DAILY;COUNT=4");
  series.additions = {Local("2026-03-02T18:00"), Local("2026-03-03T18:00")};
  series.exceptions = {Local("2026-03-03T18:00"), Local("2026-03-02T09:00"),
                       Local("2026-03-01T09:00"), Local("2026-05-01T09:00")};
  EXPECT_THAT(First(series, 10),
              ElementsAre("2026-03-02T18:00", "2026-03-03T09:00", "2026-03-04T09:00"));
}

TEST(RecurrenceTest, AnAdditionThatTheRuleAlsoGivesComesOnce) {
  Series series = MakeSeries("2026-03-01T09:00", "FREQ=DAILY;COUNT=3");
  series.additions = {Local("2026-03-02T09:00"), Local("2026-03-03T09:00")};
  EXPECT_THAT(First(series, 10), SizeIs(3));
}

TEST(RecurrenceTest, TheLastStartIsThatOfWhatIsLeft) {
  Series series = MakeSeries("2026-03-01T09:00", "FREQ=WEEKLY;COUNT=5");
  EXPECT_EQ(Last(series), "2026-03-29T09:00");
  series.exceptions = {Local("2026-03-29T09:00"), Local("2026-03-22T09:00")};
  EXPECT_EQ(Last(series), "2026-03-15T09:00");
  series.additions = {Local("2026-04-01T09:00")};
  EXPECT_EQ(Last(series), "2026-04-01T09:00");
  series.exceptions.push_back(Local("2026-04-01T09:00"));
  EXPECT_EQ(Last(series), "2026-03-15T09:00");
}

TEST(RecurrenceTest, ASeriesOfWhichNothingIsLeftHasNoLastStart) {
  Series series = MakeSeries("2026-03-01T09:00", "FREQ=DAILY;COUNT=2");
  series.exceptions = {Local("2026-03-01T09:00"), Local("2026-03-02T09:00")};
  ExpansionBudget budget = Plenty();
  EXPECT_THAT(LastStart(series, budget),
              FailsSaying(ErrorCode::kInvalidArgument, "recurrence.exceptions"));
  EXPECT_THAT(First(series, 10), IsEmpty());
}

TEST(RecurrenceTest, ASeriesWithoutAnEndHasNoLastStart) {
  Series series = MakeSeries("2026-03-01T09:00", "FREQ=YEARLY;INTERVAL=1000");
  series.exceptions = {Local("2026-03-01T09:00")};
  EXPECT_EQ(Last(series), std::nullopt);
}

TEST(RecurrenceTest, WhatIsNoRuleIsRefused) {
  const Series series{.start = Local("2026-03-01T09:00"), .rule = "FREQ=OFTEN"};
  ExpansionBudget budget = Plenty();
  EXPECT_THAT(Expand(series, Local("2026-01-01"), Local("2027-01-01"), budget),
              FailsWith(ErrorCode::kInvalidArgument));
  EXPECT_THAT(LastStart(series, budget), FailsWith(ErrorCode::kInvalidArgument));
  EXPECT_THAT(CountedUntil(series, budget), FailsWith(ErrorCode::kInvalidArgument));
}

TEST(RecurrenceTest, CountsAreCountedOnce) {
  Series series = MakeSeries("2026-01-05T09:00", "FREQ=DAILY;COUNT=1000;BYDAY=MO,TU,WE,TH,FR");
  ExpansionBudget counting = Plenty();
  series.counted_until = CountedUntil(series, counting).value();
  ASSERT_TRUE(series.counted_until.has_value());
  EXPECT_EQ(series.counted_until->Render(), "2029-11-02T09:00");
  // A window far from the start is then paid for by its own days alone.
  ExpansionBudget small(10, 31);
  EXPECT_THAT(Expand(series, Local("2029-10-29"), Local("2029-11-20"), small), Holds(SizeIs(5)));
  EXPECT_EQ(Last(series), "2029-11-02T09:00");
}

TEST(RecurrenceTest, OnlyCountsNeedCounting) {
  ExpansionBudget none(0, 0);
  EXPECT_THAT(CountedUntil(MakeSeries("2026-01-05T09:00", "FREQ=DAILY"), none),
              Holds(std::optional<LocalTime>()));
  EXPECT_THAT(CountedUntil({.start = Local("2026-01-05T09:00")}, none),
              Holds(std::optional<LocalTime>()));
}

TEST(RecurrenceTest, CountsStopWhereTheCalendarDoes) {
  const Series series = MakeSeries("9990-05-01T09:00", "FREQ=YEARLY;COUNT=100");
  EXPECT_EQ(Last(series), "9999-05-01T09:00");
  EXPECT_THAT(First(series, 100), SizeIs(10));
}

TEST(RecurrenceTest, TheFirstAndTheLastDayOfTheCalendarArePartOfIt) {
  EXPECT_THAT(First(MakeSeries("9999-12-31T23:59:59", "FREQ=DAILY"), 3),
              ElementsAre("9999-12-31T23:59:59"));
  EXPECT_THAT(First(MakeSeries("9999-12-30T23:59:59", "FREQ=DAILY"), 3),
              ElementsAre("9999-12-30T23:59:59", "9999-12-31T23:59:59"));
  EXPECT_THAT(First(MakeSeries("0001-01-01", "FREQ=WEEKLY;BYDAY=SU,MO;WKST=SU;INTERVAL=2"), 3),
              ElementsAre("0001-01-01T00:00", "0001-01-14T00:00", "0001-01-15T00:00"));
}

TEST(RecurrenceTest, NextStartsGoOnFromWhereTheyAreAsked) {
  const Series series = MakeSeries("1996-01-01T09:00", "FREQ=WEEKLY;INTERVAL=3");
  ExpansionBudget budget = Plenty();
  const Result<std::vector<LocalTime>> next = NextStarts(series, Local("2026-03-01"), 2, budget);
  ASSERT_THAT(next, IsOk());
  EXPECT_THAT(Texts(*next), ElementsAre("2026-03-09T09:00", "2026-03-30T09:00"));
  EXPECT_THAT(NextStarts(series, Local("2026-03-01"), 0, budget), Holds(IsEmpty()));
}

TEST(RecurrenceTest, LeapDaysComeInLeapYears) {
  EXPECT_THAT(First(MakeSeries("2096-02-29", "FREQ=YEARLY"), 3),
              ElementsAre("2096-02-29T00:00", "2104-02-29T00:00", "2108-02-29T00:00"));
  EXPECT_THAT(First(MakeSeries("2024-02-29", "FREQ=YEARLY;INTERVAL=3"), 3),
              ElementsAre("2024-02-29T00:00", "2036-02-29T00:00", "2048-02-29T00:00"));
  EXPECT_THAT(First(MakeSeries("2023-02-28", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1"), 2),
              ElementsAre("2023-02-28T00:00", "2024-02-29T00:00"));
}

TEST(RecurrenceTest, DaysThatAMonthDoesNotHaveAreLeftOut) {
  EXPECT_THAT(First(MakeSeries("2026-01-31", "FREQ=MONTHLY"), 3),
              ElementsAre("2026-01-31T00:00", "2026-03-31T00:00", "2026-05-31T00:00"));
  EXPECT_THAT(First(MakeSeries("2026-01-01", "FREQ=MONTHLY;BYMONTHDAY=-31"), 3),
              ElementsAre("2026-01-01T00:00", "2026-03-01T00:00", "2026-05-01T00:00"));
}

TEST(RecurrenceTest, NegativeDaysOfTheYearCountFromItsEnd) {
  EXPECT_THAT(
      First(MakeSeries("2026-12-31", "FREQ=YEARLY;BYYEARDAY=-1,-366"), 4),
      ElementsAre("2026-12-31T00:00", "2027-12-31T00:00", "2028-01-01T00:00", "2028-12-31T00:00"));
  EXPECT_THAT(First(MakeSeries("2028-12-31", "FREQ=YEARLY;BYYEARDAY=366"), 2),
              ElementsAre("2028-12-31T00:00", "2032-12-31T00:00"));
}

TEST(RecurrenceTest, WeeksAreThoseOfIso8601) {
  // The first week of 2026 begins in 2025.
  EXPECT_THAT(
      Between(MakeSeries("2025-01-01", "FREQ=YEARLY;BYWEEKNO=1;BYDAY=MO,SU"), "2025-06-01",
              "2027-06-01"),
      ElementsAre("2025-12-29T00:00", "2026-01-04T00:00", "2027-01-04T00:00", "2027-01-10T00:00"));
  // 2026 has 53, 2027 has 52.
  EXPECT_THAT(Between(MakeSeries("2025-01-01", "FREQ=YEARLY;BYWEEKNO=53;BYDAY=SU"), "2025-06-01",
                      "2034-01-01"),
              ElementsAre("2027-01-03T00:00", "2033-01-02T00:00"));
  EXPECT_THAT(Between(MakeSeries("2025-01-01", "FREQ=YEARLY;BYWEEKNO=-1;BYDAY=SU"), "2026-06-01",
                      "2028-06-01"),
              ElementsAre("2027-01-03T00:00", "2028-01-02T00:00"));
  EXPECT_THAT(Between(MakeSeries("2025-01-01", "FREQ=YEARLY;BYWEEKNO=-53;BYDAY=MO"), "2025-06-01",
                      "2028-01-01"),
              ElementsAre("2025-12-29T00:00"));
}

TEST(RecurrenceTest, WeeksThatBeginOnSundayHaveOtherNumbers) {
  // 2028 begins on a Saturday: its first week with four days begins on Sunday the 2nd.
  EXPECT_THAT(Between(MakeSeries("2027-06-01", "FREQ=YEARLY;BYWEEKNO=1;BYDAY=SU;WKST=SU"),
                      "2027-06-02", "2029-06-01"),
              ElementsAre("2028-01-02T00:00", "2028-12-31T00:00"));
}

TEST(RecurrenceTest, AWeekWithoutADayMeansTheWeekdayOfTheStart) {
  EXPECT_THAT(First(MakeSeries("2026-05-13T09:00", "FREQ=YEARLY;BYWEEKNO=20"), 3),
              ElementsAre("2026-05-13T09:00", "2027-05-19T09:00", "2028-05-17T09:00"));
}

TEST(RecurrenceTest, PositionsAreCountedInTheWholePeriod) {
  // The start is on Wednesday: Monday is the first of its week, but before it.
  EXPECT_THAT(First(MakeSeries("2026-04-01T09:00", "FREQ=WEEKLY;BYDAY=MO,WE,FR;BYSETPOS=1"), 3),
              ElementsAre("2026-04-01T09:00", "2026-04-06T09:00", "2026-04-13T09:00"));
  EXPECT_THAT(First(MakeSeries("2026-04-01T09:00", "FREQ=WEEKLY;BYDAY=MO,WE,FR;BYSETPOS=-1"), 3),
              ElementsAre("2026-04-01T09:00", "2026-04-03T09:00", "2026-04-10T09:00"));
}

TEST(RecurrenceTest, PositionsCountTimesOfTheDay) {
  const Series series =
      MakeSeries("2026-04-01T09:00", "FREQ=DAILY;BYHOUR=9,12,18;BYSETPOS=1,-1,3,-3");
  EXPECT_THAT(First(series, 4), ElementsAre("2026-04-01T09:00", "2026-04-01T18:00",
                                            "2026-04-02T09:00", "2026-04-02T18:00"));
}

TEST(RecurrenceTest, PositionsOutsideThePeriodChooseNothing) {
  const Series series = MakeSeries("2026-04-06T09:00", "FREQ=WEEKLY;BYDAY=MO;BYSETPOS=2,-2");
  EXPECT_THAT(First(series, 3), ElementsAre("2026-04-06T09:00"));
  EXPECT_EQ(Last(series), "2026-04-06T09:00");
}

TEST(RecurrenceTest, WeekdaysAreCountedInTheYearOrInItsMonths) {
  EXPECT_THAT(First(MakeSeries("2026-01-05", "FREQ=YEARLY;BYDAY=1MO,-1MO"), 3),
              ElementsAre("2026-01-05T00:00", "2026-12-28T00:00", "2027-01-04T00:00"));
  EXPECT_THAT(First(MakeSeries("2026-03-02", "FREQ=YEARLY;BYDAY=1MO,-1MO;BYMONTH=3"), 3),
              ElementsAre("2026-03-02T00:00", "2026-03-30T00:00", "2027-03-01T00:00"));
}

TEST(RecurrenceTest, ClocksThatAreChangedMoveTheMomentNotTheTime) {
  const Zone berlin = Zone::Find("Europe/Berlin").value();
  std::vector<std::string> moments;
  for (const std::string& start :
       Between(MakeSeries("2026-03-01T02:30", "FREQ=DAILY"), "2026-03-28", "2026-03-31")) {
    moments.push_back(RenderInstant(berlin.At(Local(start))));
  }
  // There is no 02:30 on the 29th: it is what is called 03:30.
  EXPECT_THAT(moments, ElementsAre("2026-03-28T01:30:00.000Z", "2026-03-29T01:30:00.000Z",
                                   "2026-03-30T00:30:00.000Z"));
}

}  // namespace
}  // namespace atrium::almanac
