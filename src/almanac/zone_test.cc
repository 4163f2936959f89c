// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "almanac/zone.h"

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "almanac/local_time.h"
#include "base/error.h"
#include "base/instant.h"
#include "base/testing.h"

namespace atrium::almanac {
namespace {

LocalTime Local(std::string_view text) {
  return LocalTime::Parse(text).value();
}

Instant Moment(std::string_view text) {
  return ParseInstant(text).value();
}

Zone Named(std::string_view name) {
  return Zone::Find(name).value();
}

/// The moment of a local time, as text.
std::string At(std::string_view zone, std::string_view local) {
  return RenderInstant(Named(zone).At(Local(local)));
}

std::string In(std::string_view zone, std::string_view instant) {
  return Named(zone).In(Moment(instant)).Render();
}

TEST(ZoneTest, NamesOfTheDatabaseAreFound) {
  for (const std::string_view name :
       {"UTC", "Etc/UTC", "Europe/Berlin", "America/Argentina/Buenos_Aires", "America/New_York",
        "Asia/Kathmandu", "Australia/Lord_Howe", "Etc/GMT+12", "EST5EDT",
        "America/Port-au-Prince"}) {
    const Result<Zone> zone = Zone::Find(name);
    ASSERT_THAT(zone, IsOk()) << name;
    EXPECT_EQ(zone->Name(), name);
  }
}

TEST(ZoneTest, WhatIsNoZoneOfTheDatabaseIsRefused) {
  for (const std::string_view name :
       {"", "Mars/Olympus", "europe/berlin", "EUROPE/BERLIN", "utc", "Europe/Berlin ",
        "Europe//Berlin", "Europe/Berlin/", "Europe", "America/Argentina", "Fixed/UTC+01:00:00",
        "+01:00", "Factory", "zone.tab", "tzdata.zi", "leapseconds", "posixrules"}) {
    EXPECT_THAT(Zone::Find(name), FailsSaying(ErrorCode::kInvalidArgument, "time_zone: ")) << name;
  }
}

TEST(ZoneTest, NoFileElsewhereIsRead) {
  using std::string_view_literals::operator""sv;
  for (const std::string_view name :
       {"/usr/share/zoneinfo/Europe/Berlin"sv, "../zoneinfo/Europe/Berlin"sv,
        "Europe/../Europe/Berlin"sv, "Europe/./Berlin"sv, "localtime"sv, "libc:localtime"sv,
        "posix/Europe/Berlin"sv, "right/Europe/Berlin"sv, "Europe/Berlin\0"sv,
        "Europe/Berlin\0/../x"sv, ":Europe/Berlin"sv, "file:Europe/Berlin"sv}) {
    EXPECT_THAT(Zone::Find(name), FailsWith(ErrorCode::kInvalidArgument)) << name;
  }
  EXPECT_THAT(Zone::Find(std::string(100'000, 'A')), FailsWith(ErrorCode::kInvalidArgument));
}

TEST(ZoneTest, ZonesAreEqualWhenTheirNamesAre) {
  EXPECT_EQ(Named("Europe/Berlin"), Named("Europe/Berlin"));
  EXPECT_NE(Named("Europe/Berlin"), Named("Europe/Paris"));
  EXPECT_EQ(Named("UTC"), Zone::Utc());
}

TEST(ZoneTest, SummerAndWinterHaveDifferentOffsets) {
  EXPECT_EQ(At("Europe/Berlin", "2026-01-15T09:00"), "2026-01-15T08:00:00.000Z");
  EXPECT_EQ(At("Europe/Berlin", "2026-07-15T09:00"), "2026-07-15T07:00:00.000Z");
  EXPECT_EQ(In("Europe/Berlin", "2026-07-15T07:00:00Z"), "2026-07-15T09:00");
  EXPECT_EQ(At("UTC", "2026-07-15T09:00:01"), "2026-07-15T09:00:01.000Z");
}

TEST(ZoneTest, TimesThatAreSkippedUseTheOffsetBeforeTheGap) {
  EXPECT_EQ(At("Europe/Berlin", "2026-03-29T02:30"), "2026-03-29T01:30:00.000Z");
  EXPECT_EQ(In("Europe/Berlin", "2026-03-29T01:30:00Z"), "2026-03-29T03:30");
  EXPECT_EQ(At("America/New_York", "2026-03-08T02:00"), "2026-03-08T07:00:00.000Z");
  // The clocks are put forward by half an hour there.
  EXPECT_EQ(At("Australia/Lord_Howe", "2026-10-04T02:15"), "2026-10-03T15:45:00.000Z");
  EXPECT_EQ(In("Australia/Lord_Howe", "2026-10-03T15:45:00Z"), "2026-10-04T02:45");
  // Midnight itself is skipped there.
  EXPECT_EQ(In("America/Sao_Paulo", "2018-11-04T03:00:00Z"), "2018-11-04T01:00");
  EXPECT_EQ(At("America/Sao_Paulo", "2018-11-04T00:00"), "2018-11-04T03:00:00.000Z");
}

TEST(ZoneTest, TimesThatComeTwiceAreTheFirst) {
  EXPECT_EQ(At("Europe/Berlin", "2026-10-25T02:30"), "2026-10-25T00:30:00.000Z");
  EXPECT_EQ(In("Europe/Berlin", "2026-10-25T01:30:00Z"), "2026-10-25T02:30");
  EXPECT_EQ(At("America/New_York", "2026-11-01T01:30"), "2026-11-01T05:30:00.000Z");
  EXPECT_EQ(At("Australia/Lord_Howe", "2026-04-05T01:45"), "2026-04-04T14:45:00.000Z");
}

TEST(ZoneTest, ADayThatWasLeftOutIsTakenForTheNext) {
  // Samoa crossed the date line: the 29th was followed by the 31st.
  EXPECT_EQ(At("Pacific/Apia", "2011-12-30T12:00"), "2011-12-30T22:00:00.000Z");
  EXPECT_EQ(In("Pacific/Apia", "2011-12-30T22:00:00Z"), "2011-12-31T12:00");
}

TEST(ZoneTest, LawsThatChangedAreKnown) {
  // The United States moved both changes in 2007.
  EXPECT_EQ(At("America/New_York", "2006-03-20T12:00"), "2006-03-20T17:00:00.000Z");
  EXPECT_EQ(At("America/New_York", "2007-03-20T12:00"), "2007-03-20T16:00:00.000Z");
  // Russia stayed on summer time from 2011, and on winter time from 2014.
  EXPECT_EQ(At("Europe/Moscow", "2010-12-01T12:00"), "2010-12-01T09:00:00.000Z");
  EXPECT_EQ(At("Europe/Moscow", "2012-12-01T12:00"), "2012-12-01T08:00:00.000Z");
  EXPECT_EQ(At("Europe/Moscow", "2015-07-01T12:00"), "2015-07-01T09:00:00.000Z");
  // Local mean time of a city before there were zones.
  EXPECT_EQ(At("Europe/Paris", "1800-01-01T00:00"), "1799-12-31T23:50:39.000Z");
}

TEST(ZoneTest, ChangesOfTheClockGoOnAfter2037) {
  EXPECT_EQ(At("Europe/Berlin", "2126-07-15T09:00"), "2126-07-15T07:00:00.000Z");
  EXPECT_EQ(At("Europe/Berlin", "2126-01-15T09:00"), "2126-01-15T08:00:00.000Z");
  EXPECT_EQ(At("America/New_York", "2400-07-01T12:00"), "2400-07-01T16:00:00.000Z");
}

TEST(ZoneTest, TheWholeRangeOfDatesIsConverted) {
  EXPECT_EQ(At("UTC", "0001-01-01"), "0001-01-01T00:00:00.000Z");
  EXPECT_EQ(At("UTC", "9999-12-31T23:59:59"), "9999-12-31T23:59:59.000Z");
  for (const std::string_view text : {"0001-01-01T00:00", "9999-12-31T23:59:59"}) {
    const Zone zone = Named("Pacific/Kiritimati");
    EXPECT_EQ(zone.In(zone.At(Local(text))).Render(), text);
  }
  EXPECT_EQ(Named("Pacific/Kiritimati").In(Zone::Utc().At(LocalTime::Max())), LocalTime::Max());
  EXPECT_EQ(Named("America/New_York").In(Zone::Utc().At(LocalTime::Min())), LocalTime::Min());
  EXPECT_EQ(Zone::Utc().In(Instant::max()), LocalTime::Max());
  EXPECT_EQ(Zone::Utc().In(Instant::min()), LocalTime::Min());
}

TEST(ZoneTest, FractionsOfASecondAreDropped) {
  EXPECT_EQ(In("UTC", "2026-01-01T00:00:00.999Z"), "2026-01-01T00:00");
  EXPECT_EQ(In("UTC", "1969-12-31T23:59:59.001Z"), "1969-12-31T23:59:59");
}

TEST(ZoneTest, NamesAreFoundInAnyCaseWhereThatIsAskedFor) {
  for (const auto& [said, meant] : std::array<std::array<std::string_view, 2>, 5>{
           {{"europe/berlin", "Europe/Berlin"},
            {"AMERICA/PORT-AU-PRINCE", "America/Port-au-Prince"},
            {"utc", "UTC"},
            {"etc/gmt+2", "Etc/GMT+2"},
            {"Asia/Tokyo", "Asia/Tokyo"}}}) {
    EXPECT_EQ(Zone::FindInAnyCase(said).value().Name(), meant);
  }
  for (const std::string_view name : {"", "posix/europe/berlin", "factory", "europe", "../etc"}) {
    EXPECT_THAT(Zone::FindInAnyCase(name), FailsWith(ErrorCode::kInvalidArgument)) << name;
  }
}

TEST(ZoneTest, FixedOffsetsHaveZonesWhereTheyAreWholeHours) {
  using std::chrono::hours;
  EXPECT_EQ(Zone::FindFixed(hours(0)).value().Name(), "UTC");
  EXPECT_EQ(Zone::FindFixed(hours(3)).value().Name(), "Etc/GMT-3");
  EXPECT_EQ(Zone::FindFixed(hours(-5)).value().Name(), "Etc/GMT+5");
  for (const std::chrono::seconds offset :
       {std::chrono::seconds(19'800), {hours(15)}, {hours(-13)}}) {
    EXPECT_THAT(Zone::FindFixed(offset), FailsWith(ErrorCode::kInvalidArgument));
  }
}

TEST(ZoneTest, OffsetsAndTheirChangesAreTold) {
  const Zone berlin = Named("Europe/Berlin");
  EXPECT_EQ(berlin.OffsetAt(Moment("2026-01-01T00:00:00Z")), std::chrono::hours(1));
  EXPECT_EQ(berlin.OffsetAt(Moment("2026-07-01T00:00:00Z")), std::chrono::hours(2));
  EXPECT_EQ(berlin.NextChange(Moment("2026-01-01T00:00:00Z")),
            (OffsetChange{.at = Moment("2026-03-29T01:00:00Z"),
                          .before = std::chrono::hours(1),
                          .after = std::chrono::hours(2)}));
  EXPECT_EQ(berlin.NextChange(Moment("2026-03-29T01:00:00Z"))->at, Moment("2026-10-25T01:00:00Z"));
  EXPECT_EQ(Zone::Utc().NextChange(Moment("2026-01-01T00:00:00Z")), std::nullopt);
  EXPECT_EQ(Named("Asia/Tokyo").NextChange(Moment("2026-01-01T00:00:00Z")), std::nullopt);
}

TEST(ZoneTest, ZonesAreFoundFromManyThreads) {
  std::array<std::jthread, 4> threads;
  for (std::jthread& thread : threads) {
    thread = std::jthread([] {
      for (const std::string_view name : {"Asia/Tokyo", "Asia/Seoul", "Asia/Dubai", "Asia/None"}) {
        const Result<Zone> zone = Zone::Find(name);
        EXPECT_EQ(zone.has_value(), name != "Asia/None");
      }
    });
  }
}

}  // namespace
}  // namespace atrium::almanac
