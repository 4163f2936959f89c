// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "icalendar/item.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "almanac/local_time.h"
#include "base/error.h"
#include "base/result.h"
#include "base/testing.h"

namespace atrium::icalendar {
namespace {

using almanac::LocalTime;

LocalTime At(std::string_view text) {
  return *LocalTime::Parse(text);
}

Item Series(std::string_view start, std::string zone) {
  Item item{.uid = "1", .zone = std::move(zone), .start = At(start)};
  return item;
}

TEST(StartInSeriesTest, TimesOfAnotherZoneAreTheSameMomentInThatOfTheSeries) {
  const RecurrenceId id{.at = At("2026-03-02T08:00"), .zone = "UTC"};
  EXPECT_THAT(StartInSeries(id, Series("2026-03-01T09:00", "Europe/Berlin")),
              Holds(At("2026-03-02T09:00")));
  EXPECT_THAT(StartInSeries(id, Series("2026-03-01T08:00", "UTC")), Holds(At("2026-03-02T08:00")));
}

TEST(StartInSeriesTest, TimesWithoutZoneAreOnTheClocksOfTheSeries) {
  const RecurrenceId id{.at = At("2026-03-02T08:00")};
  EXPECT_THAT(StartInSeries(id, Series("2026-03-01T08:00", "Europe/Berlin")),
              Holds(At("2026-03-02T08:00")));
}

TEST(StartInSeriesTest, ADayIsTheOccurrenceOfThatDay) {
  const RecurrenceId id{.at = At("2026-03-02"), .all_day = true};
  EXPECT_THAT(StartInSeries(id, Series("2026-03-01T08:00", "Europe/Berlin")),
              Holds(At("2026-03-02T08:00")));
}

TEST(StartInSeriesTest, ATimeIsADayWhereTheSeriesIsAllDay) {
  Item series = Series("2026-03-01", "");
  series.all_day = true;
  const RecurrenceId id{.at = At("2026-03-02T08:00"), .zone = "UTC"};
  EXPECT_THAT(StartInSeries(id, series), Holds(At("2026-03-02")));
}

TEST(StartInSeriesTest, WithoutStartOrKnownZoneThereIsNone) {
  const RecurrenceId id{.at = At("2026-03-02T08:00"), .zone = "UTC"};
  EXPECT_THAT(StartInSeries(id, Item{}), FailsWith(ErrorCode::kInvalidArgument));
  EXPECT_THAT(StartInSeries(id, Series("2026-03-01T08:00", "Nowhere")),
              FailsWith(ErrorCode::kInvalidArgument));
}

}  // namespace
}  // namespace atrium::icalendar
