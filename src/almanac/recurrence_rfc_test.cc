// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0

// The examples of RFC 5545 §3.8.5.3, in its order and its words, as far as they come daily or less
// often.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "almanac/expansion_budget.h"
#include "almanac/local_time.h"
#include "almanac/recurrence.h"
#include "almanac/recurrence_testing.h"
#include "almanac/zone.h"

namespace atrium::almanac {
namespace {

struct Example {
  std::string_view words;
  /// Days, at nine in the morning.
  std::string_view start;
  std::string_view rule;
  /// What comes of it, as the standard writes it: a year, a month, and its days.
  std::string_view starts;
  /// Whether that is all.
  enum class Ends : bool { kNo, kYes } ends;
};

void PrintTo(const Example& example, std::ostream* out) {
  *out << example.words << ": " << example.rule;
}

constexpr Example::Ends kEnds = Example::Ends::kYes;
constexpr Example::Ends kGoesOn = Example::Ends::kNo;

constexpr Example kExamples[] = {
    {.words = "daily for 10 occurrences",
     .start = "1997-09-02",
     .rule = "FREQ=DAILY;COUNT=10",
     .starts = "1997-09: 2 3 4 5 6 7 8 9 10 11",
     .ends = kEnds},
    {.words = "daily until December 24, 1997",
     .start = "1997-09-02",
     .rule = "FREQ=DAILY;UNTIL=19971224T000000Z",
     .starts =
         "1997-09: 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 "
         "1997-10: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 "
         "30 31 "
         "1997-11: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 "
         "30 "
         "1997-12: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23",
     .ends = kEnds},
    {.words = "every other day - forever",
     .start = "1997-09-02",
     .rule = "FREQ=DAILY;INTERVAL=2",
     .starts = "1997-09: 2 4 6 8 10 12 14 16 18 20 22 24 26 28 30 "
               "1997-10: 2 4 6 8 10 12 14 16 18 20 22 24 26 28 30 "
               "1997-11: 1 3 5 7 9 11 13 15 17 19 21 23 25 27 29 1997-12: 1 3",
     .ends = kGoesOn},
    {.words = "every 10 days, 5 occurrences",
     .start = "1997-09-02",
     .rule = "FREQ=DAILY;INTERVAL=10;COUNT=5",
     .starts = "1997-09: 2 12 22 1997-10: 2 12",
     .ends = kEnds},
    {.words = "every day in January, for 3 years",
     .start = "1998-01-01",
     .rule = "FREQ=YEARLY;UNTIL=20000131T140000Z;BYMONTH=1;BYDAY=SU,MO,TU,WE,TH,FR,SA",
     .starts = "1998-01: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 "
               "28 29 30 31 "
               "1999-01: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 "
               "28 29 30 31 "
               "2000-01: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 "
               "28 29 30 31",
     .ends = kEnds},
    {.words = "the same, daily",
     .start = "1998-01-01",
     .rule = "FREQ=DAILY;UNTIL=20000131T140000Z;BYMONTH=1",
     .starts = "1998-01: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 "
               "28 29 30 31 "
               "1999-01: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 "
               "28 29 30 31 "
               "2000-01: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 "
               "28 29 30 31",
     .ends = kEnds},
    {.words = "weekly for 10 occurrences",
     .start = "1997-09-02",
     .rule = "FREQ=WEEKLY;COUNT=10",
     .starts = "1997-09: 2 9 16 23 30 1997-10: 7 14 21 28 1997-11: 4",
     .ends = kEnds},
    {.words = "weekly until December 24, 1997",
     .start = "1997-09-02",
     .rule = "FREQ=WEEKLY;UNTIL=19971224T000000Z",
     .starts = "1997-09: 2 9 16 23 30 1997-10: 7 14 21 28 1997-11: 4 11 18 25 1997-12: 2 9 16 23",
     .ends = kEnds},
    {.words = "every other week - forever",
     .start = "1997-09-02",
     .rule = "FREQ=WEEKLY;INTERVAL=2;WKST=SU",
     .starts =
         "1997-09: 2 16 30 1997-10: 14 28 1997-11: 11 25 1997-12: 9 23 1998-01: 6 20 1998-02: 3 17",
     .ends = kGoesOn},
    {.words = "weekly on Tuesday and Thursday for five weeks",
     .start = "1997-09-02",
     .rule = "FREQ=WEEKLY;UNTIL=19971007T000000Z;WKST=SU;BYDAY=TU,TH",
     .starts = "1997-09: 2 4 9 11 16 18 23 25 30 1997-10: 2",
     .ends = kEnds},
    {.words = "the same, counted",
     .start = "1997-09-02",
     .rule = "FREQ=WEEKLY;COUNT=10;WKST=SU;BYDAY=TU,TH",
     .starts = "1997-09: 2 4 9 11 16 18 23 25 30 1997-10: 2",
     .ends = kEnds},
    {.words = "every other week on Monday, Wednesday, and Friday until December 24, 1997",
     .start = "1997-09-01",
     .rule = "FREQ=WEEKLY;INTERVAL=2;UNTIL=19971224T000000Z;WKST=SU;BYDAY=MO,WE,FR",
     .starts =
         "1997-09: 1 3 5 15 17 19 29 1997-10: 1 3 13 15 17 27 29 31 1997-11: 10 12 14 24 26 28 "
         "1997-12: 8 10 12 22",
     .ends = kEnds},
    {.words = "every other week on Tuesday and Thursday, for 8 occurrences",
     .start = "1997-09-02",
     .rule = "FREQ=WEEKLY;INTERVAL=2;COUNT=8;WKST=SU;BYDAY=TU,TH",
     .starts = "1997-09: 2 4 16 18 30 1997-10: 2 14 16",
     .ends = kEnds},
    {.words = "monthly on the first Friday for 10 occurrences",
     .start = "1997-09-05",
     .rule = "FREQ=MONTHLY;COUNT=10;BYDAY=1FR",
     .starts =
         "1997-09: 5 1997-10: 3 1997-11: 7 1997-12: 5 1998-01: 2 1998-02: 6 1998-03: 6 1998-04: 3 "
         "1998-05: 1 1998-06: 5",
     .ends = kEnds},
    {.words = "monthly on the first Friday until December 24, 1997",
     .start = "1997-09-05",
     .rule = "FREQ=MONTHLY;UNTIL=19971224T000000Z;BYDAY=1FR",
     .starts = "1997-09: 5 1997-10: 3 1997-11: 7 1997-12: 5",
     .ends = kEnds},
    {.words = "every other month on the first and last Sunday of the month for 10 occurrences",
     .start = "1997-09-07",
     .rule = "FREQ=MONTHLY;INTERVAL=2;COUNT=10;BYDAY=1SU,-1SU",
     .starts = "1997-09: 7 28 1997-11: 2 30 1998-01: 4 25 1998-03: 1 29 1998-05: 3 31",
     .ends = kEnds},
    {.words = "monthly on the second-to-last Monday of the month for 6 months",
     .start = "1997-09-22",
     .rule = "FREQ=MONTHLY;COUNT=6;BYDAY=-2MO",
     .starts = "1997-09: 22 1997-10: 20 1997-11: 17 1997-12: 22 1998-01: 19 1998-02: 16",
     .ends = kEnds},
    {.words = "monthly on the third-to-the-last day of the month, forever",
     .start = "1997-09-28",
     .rule = "FREQ=MONTHLY;BYMONTHDAY=-3",
     .starts = "1997-09: 28 1997-10: 29 1997-11: 28 1997-12: 29 1998-01: 29 1998-02: 26",
     .ends = kGoesOn},
    {.words = "monthly on the 2nd and 15th of the month for 10 occurrences",
     .start = "1997-09-02",
     .rule = "FREQ=MONTHLY;COUNT=10;BYMONTHDAY=2,15",
     .starts = "1997-09: 2 15 1997-10: 2 15 1997-11: 2 15 1997-12: 2 15 1998-01: 2 15",
     .ends = kEnds},
    {.words = "monthly on the first and last day of the month for 10 occurrences",
     .start = "1997-09-30",
     .rule = "FREQ=MONTHLY;COUNT=10;BYMONTHDAY=1,-1",
     .starts = "1997-09: 30 1997-10: 1 31 1997-11: 1 30 1997-12: 1 31 1998-01: 1 31 1998-02: 1",
     .ends = kEnds},
    {.words = "every 18 months on the 10th thru 15th of the month for 10 occurrences",
     .start = "1997-09-10",
     .rule = "FREQ=MONTHLY;INTERVAL=18;COUNT=10;BYMONTHDAY=10,11,12,13,14,15",
     .starts = "1997-09: 10 11 12 13 14 15 1999-03: 10 11 12 13",
     .ends = kEnds},
    {.words = "every Tuesday, every other month",
     .start = "1997-09-02",
     .rule = "FREQ=MONTHLY;INTERVAL=2;BYDAY=TU",
     .starts =
         "1997-09: 2 9 16 23 30 1997-11: 4 11 18 25 1998-01: 6 13 20 27 1998-03: 3 10 17 24 31",
     .ends = kGoesOn},
    {.words = "yearly in June and July for 10 occurrences",
     .start = "1997-06-10",
     .rule = "FREQ=YEARLY;COUNT=10;BYMONTH=6,7",
     .starts =
         "1997-06: 10 1997-07: 10 1998-06: 10 1998-07: 10 1999-06: 10 1999-07: 10 2000-06: 10 "
         "2000-07: 10 2001-06: 10 2001-07: 10",
     .ends = kEnds},
    {.words = "every other year on January, February, and March for 10 occurrences",
     .start = "1997-03-10",
     .rule = "FREQ=YEARLY;INTERVAL=2;COUNT=10;BYMONTH=1,2,3",
     .starts =
         "1997-03: 10 1999-01: 10 1999-02: 10 1999-03: 10 2001-01: 10 2001-02: 10 2001-03: 10 "
         "2003-01: 10 2003-02: 10 2003-03: 10",
     .ends = kEnds},
    {.words = "every third year on the 1st, 100th, and 200th day for 10 occurrences",
     .start = "1997-01-01",
     .rule = "FREQ=YEARLY;INTERVAL=3;COUNT=10;BYYEARDAY=1,100,200",
     .starts = "1997-01: 1 1997-04: 10 1997-07: 19 2000-01: 1 2000-04: 9 2000-07: 18 2003-01: 1 "
               "2003-04: 10 "
               "2003-07: 19 2006-01: 1",
     .ends = kEnds},
    {.words = "every 20th Monday of the year, forever",
     .start = "1997-05-19",
     .rule = "FREQ=YEARLY;BYDAY=20MO",
     .starts = "1997-05: 19 1998-05: 18 1999-05: 17",
     .ends = kGoesOn},
    {.words = "Monday of week number 20, forever",
     .start = "1997-05-12",
     .rule = "FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO",
     .starts = "1997-05: 12 1998-05: 11 1999-05: 17",
     .ends = kGoesOn},
    {.words = "every Thursday in March, forever",
     .start = "1997-03-13",
     .rule = "FREQ=YEARLY;BYMONTH=3;BYDAY=TH",
     .starts = "1997-03: 13 20 27 1998-03: 5 12 19 26 1999-03: 4 11 18 25",
     .ends = kGoesOn},
    {.words = "every Thursday, but only during June, July, and August, forever",
     .start = "1997-06-05",
     .rule = "FREQ=YEARLY;BYDAY=TH;BYMONTH=6,7,8",
     .starts = "1997-06: 5 12 19 26 1997-07: 3 10 17 24 31 1997-08: 7 14 21 28 "
               "1998-06: 4 11 18 25 1998-07: 2 9 16 23 30 1998-08: 6 13 20 27 "
               "1999-06: 3 10 17 24 1999-07: 1 8 15 22 29 1999-08: 5 12 19 26",
     .ends = kGoesOn},
    {.words = "the first Saturday that follows the first Sunday of the month, forever",
     .start = "1997-09-13",
     .rule = "FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13",
     .starts = "1997-09: 13 1997-10: 11 1997-11: 8 1997-12: 13 1998-01: 10 1998-02: 7 1998-03: 7 "
               "1998-04: 11 1998-05: 9 1998-06: 13",
     .ends = kGoesOn},
    {.words = "every 4 years, the first Tuesday after a Monday in November, forever",
     .start = "1996-11-05",
     .rule = "FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8",
     .starts = "1996-11: 5 2000-11: 7 2004-11: 2",
     .ends = kGoesOn},
    {.words = "the third instance into the month of one of Tuesday, Wednesday, or Thursday, for "
              "the next "
              "3 months",
     .start = "1997-09-04",
     .rule = "FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3",
     .starts = "1997-09: 4 1997-10: 7 1997-11: 6",
     .ends = kEnds},
    {.words = "the second-to-last weekday of the month",
     .start = "1997-09-29",
     .rule = "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2",
     .starts =
         "1997-09: 29 1997-10: 30 1997-11: 27 1997-12: 30 1998-01: 29 1998-02: 26 1998-03: 30",
     .ends = kGoesOn},
    {.words = "the days selected by WKST: Monday",
     .start = "1997-08-05",
     .rule = "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO",
     .starts = "1997-08: 5 10 19 24",
     .ends = kEnds},
    {.words = "the days selected by WKST: Sunday",
     .start = "1997-08-05",
     .rule = "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU",
     .starts = "1997-08: 5 17 19 31",
     .ends = kEnds},
    {.words = "an invalid date (i.e., February 30) is ignored",
     .start = "2007-01-15",
     .rule = "FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5",
     .starts = "2007-01: 15 30 2007-02: 15 2007-03: 15 30",
     .ends = kEnds},
};

/// "1997-09: 2 12" as the starts that are meant.
std::vector<std::string> ReadStarts(std::string_view text) {
  std::vector<std::string> starts;
  std::string month;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    if (word.ends_with(':')) {
      month = word.substr(0, word.size() - 1);
    } else {
      starts.push_back(month + (word.size() == 1 ? "-0" : "-") + std::string(word) + "T09:00");
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return starts;
}

class RfcExampleTest : public ::testing::TestWithParam<Example> {};

TEST_P(RfcExampleTest, ComesOutAsTheStandardSays) {
  const Example& example = GetParam();
  const RuleTerms new_york{.zone = Zone::Find("America/New_York").value()};
  const Series series = MakeSeries(std::string(example.start) + "T09:00", example.rule, new_york);
  const std::vector<std::string> expected = ReadStarts(example.starts);
  const std::size_t more = example.ends == kEnds ? 1 : 0;
  EXPECT_EQ(First(series, expected.size() + more), expected);
}

TEST_P(RfcExampleTest, EndsWithItsLastStart) {
  const Example& example = GetParam();
  const RuleTerms new_york{.zone = Zone::Find("America/New_York").value()};
  const Series series = MakeSeries(std::string(example.start) + "T09:00", example.rule, new_york);
  ExpansionBudget budget = Plenty();
  const std::optional<LocalTime> last = LastStart(series, budget).value();
  if (example.ends == kEnds) {
    EXPECT_EQ(last.value().Render(), ReadStarts(example.starts).back());
  } else {
    EXPECT_EQ(last, std::nullopt);
  }
}

TEST_P(RfcExampleTest, IsTheSameInPieces) {
  const Example& example = GetParam();
  const RuleTerms new_york{.zone = Zone::Find("America/New_York").value()};
  const Series series = MakeSeries(std::string(example.start) + "T09:00", example.rule, new_york);
  std::vector<std::string> together;
  for (LocalTime from = Local("1996-11-01T09:00"); from < Local("2001-01-01");
       from = from + std::chrono::hours(24 * 10)) {
    const std::string before = (from + std::chrono::hours(24 * 10)).Render();
    for (std::string& start : Between(series, from.Render(), before)) {
      together.push_back(std::move(start));
    }
  }
  // The last piece ends in January.
  EXPECT_EQ(together, Between(series, "1996-11-01", "2001-01-09T09:00"));
}

INSTANTIATE_TEST_SUITE_P(Rfc5545, RfcExampleTest, ::testing::ValuesIn(kExamples));

TEST(RfcExamplesTest, EveryFridayThe13thLeavesItsStartOut) {
  Series series = MakeSeries("1997-09-02T09:00", "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13");
  series.exceptions = {Local("1997-09-02T09:00")};
  EXPECT_EQ(First(series, 5),
            ReadStarts("1998-02: 13 1998-03: 13 1998-11: 13 1999-08: 13 2000-10: 13"));
}

TEST(RfcExamplesTest, Every20MinutesFrom9To1640EveryDay) {
  const Series series =
      MakeSeries("1997-09-02T09:00", "FREQ=DAILY;BYHOUR=9,10,11,12,13,14,15,16;BYMINUTE=0,20,40");
  const std::vector<std::string> day = Between(series, "1997-09-03", "1997-09-04");
  ASSERT_EQ(day.size(), 24);
  EXPECT_EQ(day[0], "1997-09-03T09:00");
  EXPECT_EQ(day[1], "1997-09-03T09:20");
  EXPECT_EQ(day[23], "1997-09-03T16:40");
}

}  // namespace
}  // namespace atrium::almanac
