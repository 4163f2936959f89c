// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0

// What rules may cost, whoever wrote them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "almanac/expansion_budget.h"
#include "almanac/local_time.h"
#include "almanac/recurrence.h"
#include "almanac/recurrence_testing.h"
#include "base/error.h"
#include "base/result.h"
#include "base/testing.h"

namespace atrium::almanac {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr std::size_t kManySteps = 10'000'000;

/// How many steps `work` takes.
template <typename Work>
std::size_t StepsOf(const Work& work) {
  ExpansionBudget budget(1'000'000, kManySteps);
  work(budget);
  return kManySteps - budget.StepsLeft();
}

TEST(RecurrenceLimitsTest, OccurrencesRunOut) {
  const Series series = MakeSeries("2026-01-01T09:00", "FREQ=DAILY");
  ExpansionBudget budget(10, 1000);
  EXPECT_THAT(Expand(series, Local("2026-01-01"), Local("2026-01-11"), budget), Holds(SizeIs(10)));
  EXPECT_THAT(Expand(series, Local("2026-01-01"), Local("2026-01-02"), budget),
              FailsSaying(ErrorCode::kLimitExceeded, "too many occurrences"));
}

TEST(RecurrenceLimitsTest, StepsRunOutAndStayOut) {
  const Series rare = MakeSeries("2026-01-01T09:00", "FREQ=DAILY;BYMONTHDAY=31");
  ExpansionBudget budget(1000, 40);
  EXPECT_THAT(Expand(rare, Local("2026-01-01"), Local("2027-01-01"), budget),
              FailsSaying(ErrorCode::kLimitExceeded, "takes too long"));
  EXPECT_THAT(Expand(rare, Local("2026-01-31"), Local("2026-02-01"), budget),
              FailsWith(ErrorCode::kLimitExceeded));
}

TEST(RecurrenceLimitsTest, OneBudgetIsForSeveralSeries) {
  const Series series = MakeSeries("2026-01-01T09:00", "FREQ=WEEKLY");
  ExpansionBudget budget(12, 1000);
  int expanded = 0;
  while (Expand(series, Local("2026-01-01"), Local("2026-02-01"), budget)) {
    ++expanded;
  }
  EXPECT_EQ(expanded, 2);
}

TEST(RecurrenceLimitsTest, AWindowCostsTheSameFarFromTheStart) {
  for (const std::string_view rule :
       {"FREQ=DAILY", "FREQ=DAILY;INTERVAL=7", "FREQ=WEEKLY;BYDAY=MO,FR", "FREQ=MONTHLY;BYDAY=-1FR",
        "FREQ=YEARLY;BYDAY=20MO", "FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO"}) {
    const Series series = MakeSeries("1996-01-01T09:00", rule);
    const auto month = [&](ExpansionBudget& budget) {
      EXPECT_THAT(Expand(series, Local("9996-03-01"), Local("9996-04-01"), budget), IsOk());
    };
    // A step for each day and for each occurrence, and the days of weeks that begin before.
    EXPECT_LE(StepsOf(month), 31 + 31 + 7) << rule;
  }
}

TEST(RecurrenceLimitsTest, PositionsCostThePeriodsTheyAreChosenFrom) {
  const Series series = MakeSeries("1996-01-01T09:00", "FREQ=YEARLY;BYDAY=MO;BYSETPOS=20");
  const auto month = [&](ExpansionBudget& budget) {
    EXPECT_THAT(Expand(series, Local("9996-03-01"), Local("9996-04-01"), budget), Holds(IsEmpty()));
  };
  EXPECT_LE(StepsOf(month), 366);
}

/// Rules that no day ever matches.
class BarrenRuleTest : public ::testing::TestWithParam<std::string_view> {};

TEST_P(BarrenRuleTest, EndsWithItsStartInBoundedTime) {
  const Series series = MakeSeries("2026-01-01T09:00", GetParam());
  std::optional<LocalTime> last;
  const std::size_t steps =
      StepsOf([&](ExpansionBudget& budget) { last = LastStart(series, budget).value(); });
  EXPECT_EQ(last.value().Render(), "2026-01-01T09:00");
  // Each day of the calendar's cycle is looked at once.
  EXPECT_LE(steps, 150'000);
}

TEST_P(BarrenRuleTest, HasNoOtherStart) {
  const Series series = MakeSeries("2026-01-01T09:00", GetParam());
  EXPECT_THAT(First(series, 2), ElementsAre("2026-01-01T09:00"));
  EXPECT_LE(StepsOf([&](ExpansionBudget& budget) {
              EXPECT_THAT(Expand(series, Local("2030-01-01"), Local("2030-02-01"), budget),
                          Holds(IsEmpty()));
            }),
            366);
}

TEST_P(BarrenRuleTest, IsCountedInBoundedTime) {
  const Series series = MakeSeries("2026-01-01T09:00", std::string(GetParam()) + ";COUNT=10000");
  EXPECT_LE(StepsOf([&](ExpansionBudget& budget) {
              EXPECT_THAT(CountedUntil(series, budget),
                          Holds(std::optional<LocalTime>(Local("2026-01-01T09:00"))));
            }),
            150'000);
}

TEST_P(BarrenRuleTest, IsOverWithASmallBudget) {
  const Series series = MakeSeries("2026-01-01T09:00", GetParam());
  ExpansionBudget budget(10, 100);
  EXPECT_THAT(LastStart(series, budget), FailsWith(ErrorCode::kLimitExceeded));
}

INSTANTIATE_TEST_SUITE_P(
    Rules, BarrenRuleTest,
    ::testing::Values("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=31",
                      "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30", "FREQ=DAILY;BYMONTH=4;BYMONTHDAY=-31",
                      "FREQ=DAILY;INTERVAL=7;BYDAY=MO", "FREQ=MONTHLY;BYDAY=6MO",
                      "FREQ=YEARLY;BYYEARDAY=60;BYMONTH=12", "FREQ=WEEKLY;BYDAY=MO;BYSETPOS=2",
                      "FREQ=YEARLY;BYDAY=MO;BYMONTHDAY=1;BYMONTH=1;BYYEARDAY=2",
                      "FREQ=YEARLY;BYWEEKNO=53;BYMONTH=6",
                      "FREQ=YEARLY;INTERVAL=4;BYMONTH=2;BYMONTHDAY=29"));

TEST(RecurrenceLimitsTest, RareDaysAreFoundBeforeTheCalendarRepeatsItself) {
  // Of the years that end a century, each fourth has a leap day.
  const Series series =
      MakeSeries("2000-01-01T09:00", "FREQ=YEARLY;INTERVAL=100;BYMONTH=2;BYMONTHDAY=29");
  EXPECT_THAT(First(series, 4), ElementsAre("2000-01-01T09:00", "2000-02-29T09:00",
                                            "2400-02-29T09:00", "2800-02-29T09:00"));
}

TEST(RecurrenceLimitsTest, EveryTimeOfTheDayIsLookedAtOnlyWhereThereAreFew) {
  const Series series = MakeSeries(
      "2026-01-01T09:00", "FREQ=DAILY;BYHOUR=0,1,2,3,4,5,6,7,8,9;BYMINUTE=0,1,2,3,4,5,6,7,8,9");
  ExpansionBudget budget(1000, 100'000);
  EXPECT_THAT(Expand(series, Local("2026-01-02"), Local("2026-02-01"), budget),
              FailsSaying(ErrorCode::kLimitExceeded, "too many occurrences"));
}

TEST(RecurrenceLimitsTest, TheLastStartIsLookedForFromTheEnd) {
  const Series series = MakeSeries("0001-01-01T09:00", "FREQ=DAILY;UNTIL=99991231T235959");
  EXPECT_LE(StepsOf([&](ExpansionBudget& budget) {
              EXPECT_EQ(LastStart(series, budget).value().value().Render(), "9999-12-31T09:00");
            }),
            2);
}

}  // namespace
}  // namespace atrium::almanac
