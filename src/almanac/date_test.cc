// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "almanac/date.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string_view>

#include "base/error.h"
#include "base/result.h"
#include "base/strong_id.h"
#include "base/testing.h"

namespace atrium::almanac {
namespace {

Date FromText(std::string_view text) {
  return Date::Parse(text).value();
}

static_assert(HasTextForm<Date>);
static_assert(sizeof(Date) == 4);
static_assert(Date().Days() == 0);
static_assert(Date::Min().Year() == 1 && Date::Min().Month() == 1 && Date::Min().Day() == 1);
static_assert(Date::Max().Year() == 9999 && Date::Max().Month() == 12 && Date::Max().Day() == 31);

TEST(DateTest, TextIsReadAndWrittenBack) {
  for (const std::string_view text : {"0001-01-01", "1582-10-10", "1969-12-31", "1970-01-01",
                                      "2000-02-29", "2026-02-28", "2028-02-29", "9999-12-31"}) {
    const Result<Date> date = Date::Parse(text);
    ASSERT_THAT(date, IsOk()) << text;
    EXPECT_EQ(date->Render(), text);
  }
}

TEST(DateTest, DatesThatDoNotExistAreRefused) {
  for (const std::string_view text : {"2026-02-29", "1900-02-29", "2026-04-31", "2026-00-10",
                                      "2026-13-01", "2026-01-00", "2026-01-32", "0000-01-01"}) {
    EXPECT_THAT(Date::Parse(text), FailsWith(ErrorCode::kInvalidArgument)) << text;
  }
}

TEST(DateTest, OtherSpellingsAreRefused) {
  for (const std::string_view text :
       {"", "2026", "2026-2-28", "2026-02-28 ", " 2026-02-28", "20260228", "2026/02/28",
        "2026-02-2x", "+026-02-28", "12026-02-28", "2026-02-28T"}) {
    EXPECT_THAT(Date::Parse(text), FailsWith(ErrorCode::kInvalidArgument)) << text;
  }
}

TEST(DateTest, PartsOutOfRangeAreRefused) {
  EXPECT_THAT(Date::Of(10'000, 1, 1), FailsWith(ErrorCode::kInvalidArgument));
  EXPECT_THAT(Date::Of(2026, 257, 1), FailsWith(ErrorCode::kInvalidArgument));
  EXPECT_THAT(Date::Of(2026, -1, 1), FailsWith(ErrorCode::kInvalidArgument));
  EXPECT_THAT(Date::Of(67'562, 1, 1), FailsWith(ErrorCode::kInvalidArgument));
}

TEST(DateTest, PartsAreThoseItWasMadeOf) {
  const Result<Date> date = Date::Of(2028, 2, 29);
  ASSERT_THAT(date, IsOk());
  EXPECT_EQ(date->Year(), 2028);
  EXPECT_EQ(date->Month(), 2);
  EXPECT_EQ(date->Day(), 29);
}

TEST(DateTest, WeeksBeginOnMonday) {
  EXPECT_EQ(Date().Weekday(), 3);
  EXPECT_EQ(FromText("2026-03-02").Weekday(), 0);
  EXPECT_EQ(FromText("2026-03-01").Weekday(), 6);
  EXPECT_EQ(Date::Min().Weekday(), 0);
  EXPECT_EQ(FromText("1969-12-31").Weekday(), 2);
}

TEST(DateTest, DaysAreCountedAcrossMonthsAndLeapDays) {
  EXPECT_EQ((FromText("2028-02-28") + 2).Render(), "2028-03-01");
  EXPECT_EQ((FromText("2026-01-01") + -1).Render(), "2025-12-31");
  EXPECT_EQ(FromText("2029-01-01") - FromText("2028-01-01"), 366);
}

TEST(DateTest, ArithmeticStopsAtTheEnds) {
  EXPECT_EQ(Date::Max() + 1, Date::Max());
  EXPECT_EQ(Date::Min() + -1, Date::Min());
  EXPECT_EQ(Date::Max() + std::numeric_limits<int>::max(), Date::Max());
  EXPECT_EQ(Date::FromDays(std::numeric_limits<std::int32_t>::min()), Date::Min());
}

TEST(DateTest, OrderIsThatOfTime) {
  EXPECT_LT(FromText("2026-09-30"), FromText("2026-10-01"));
  EXPECT_LT(FromText("1969-12-31"), Date());
}

}  // namespace
}  // namespace atrium::almanac
