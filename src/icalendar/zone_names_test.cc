// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "icalendar/zone_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "almanac/zone.h"
#include "base/error.h"
#include "base/instant.h"
#include "base/result.h"
#include "base/testing.h"
#include "icalendar/text_blocks.h"
#include "icalendar/windows_zones.h"
#include "icalendar/zone_definition.h"
#include "icalendar/zone_uses.h"

namespace atrium::icalendar {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Block Timezone(const std::vector<std::string>& lines) {
  Block block{.name = "VTIMEZONE", .line = 1, .lines = {}};
  for (const std::string& line : lines) {
    block.lines.push_back({.number = 2, .text = line});
  }
  return block;
}

std::string NameOf(ZoneNames& zones, std::string_view tzid) {
  const Result<ZoneChoice> choice = zones.Resolve(tzid);
  return choice ? choice->zone.Name() : "refused";
}

TEST(ZoneNamesTest, NamesOfTheDatabaseStandForThemselves) {
  ZoneNames zones;
  EXPECT_EQ(NameOf(zones, "Europe/Berlin"), "Europe/Berlin");
  EXPECT_EQ(NameOf(zones, "America/Argentina/Buenos_Aires"), "America/Argentina/Buenos_Aires");
  EXPECT_EQ(NameOf(zones, "UTC"), "UTC");
}

TEST(ZoneNamesTest, PrefixesThatMakeANameUniqueAreTakenOff) {
  ZoneNames zones;
  EXPECT_EQ(NameOf(zones, "/freeassociation.sourceforge.net/Europe/Berlin"), "Europe/Berlin");
  EXPECT_EQ(NameOf(zones, "/freeassociation.sourceforge.net/Tzfile/Asia/Tokyo"), "Asia/Tokyo");
  EXPECT_EQ(NameOf(zones, "/mozilla.org/20050126_1/America/Indiana/Knox"), "America/Indiana/Knox");
  EXPECT_EQ(NameOf(zones, "/Europe/Rome"), "Europe/Rome");
}

TEST(ZoneNamesTest, NamesAreKnownInAnyCaseAndWithBlanks) {
  ZoneNames zones;
  EXPECT_EQ(NameOf(zones, "europe/berlin"), "Europe/Berlin");
  EXPECT_EQ(NameOf(zones, "America/New York"), "America/New_York");
  EXPECT_EQ(NameOf(zones, "/MOZILLA.org/20050126_1/EUROPE/berlin"), "Europe/Berlin");
  EXPECT_EQ(NameOf(zones, "example.org/2026/Asia/Tokyo"), "Asia/Tokyo");
  EXPECT_EQ(NameOf(zones, "tzone://Microsoft/Utc"), "UTC");
  EXPECT_EQ(NameOf(zones, "(UTC+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna"),
            "Europe/Berlin");
}

/// A zone of one rule for each half of the year, as Exchange writes it.
Block Custom(const std::string& tzid, const std::vector<std::string>& offsets) {
  return Timezone(
      {"TZID:" + tzid, "BEGIN:STANDARD", "DTSTART:16010101T030000", "TZOFFSETFROM:" + offsets[1],
       "TZOFFSETTO:" + offsets[0], "RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10", "END:STANDARD",
       "BEGIN:DAYLIGHT", "DTSTART:16010101T020000", "TZOFFSETFROM:" + offsets[0],
       "TZOFFSETTO:" + offsets[1], "RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3", "END:DAYLIGHT"});
}

Block Event(const std::vector<std::string>& lines) {
  Block block = Timezone(lines);
  block.name = "VEVENT";
  return block;
}

TEST(ZoneNamesTest, AZoneThatTheFileDefinesIsFoundByItsRules) {
  ZoneNames zones;
  zones.Declare(Custom("Customized Time Zone", {"+0100", "+0200"}));
  zones.NoteUses(Event({"DTSTART;TZID=Customized Time Zone:20260701T090000"}));
  EXPECT_EQ(NameOf(zones, "Customized Time Zone"), "Europe/Berlin");
  EXPECT_THAT(zones.Taken(),
              ElementsAre(TakenZone{.tzid = "Customized Time Zone",
                                    .zone = "Europe/Berlin",
                                    .note = "found by the rules that the file gives"}));
}

TEST(ZoneNamesTest, OfSeveralZonesWithTheRulesThatOfThePersonIsTaken) {
  ZoneNames zones(*almanac::Zone::Find("Europe/Vienna"));
  zones.Declare(Custom("Ours", {"+0100", "+0200"}));
  zones.Declare(Custom("Theirs", {"+0000", "+0100"}));
  zones.NoteUses(Event({"DTSTART;TZID=Ours:20260701T090000", "RRULE:FREQ=WEEKLY"}));
  EXPECT_EQ(NameOf(zones, "Ours"), "Europe/Vienna");
}

TEST(ZoneNamesTest, OneOffsetIsAZoneWithoutSummerTime) {
  ZoneNames zones;
  for (const auto& [tzid, offset] : std::vector<std::pair<std::string, std::string>>{
           {"A", "+0300"}, {"B", "-0500"}, {"C", "+0000"}, {"D", "+0530"}}) {
    zones.Declare(Timezone({"TZID:" + tzid, "BEGIN:STANDARD", "DTSTART:19700101T000000",
                            "TZOFFSETFROM:" + offset, "TZOFFSETTO:" + offset, "END:STANDARD"}));
  }
  EXPECT_EQ(NameOf(zones, "A"), "Etc/GMT-3");
  EXPECT_EQ(NameOf(zones, "B"), "Etc/GMT+5");
  EXPECT_EQ(NameOf(zones, "C"), "UTC");
  EXPECT_EQ(NameOf(zones, "D"), "Asia/Kolkata");
}

TEST(ZoneNamesTest, RulesThatNoZoneHasAreKeptBesideTheClosest) {
  ZoneNames zones;
  zones.Declare(Custom("Odd", {"+0115", "+0200"}));
  const Result<ZoneChoice> choice = zones.Resolve("Odd");
  ASSERT_THAT(choice, IsOk());
  ASSERT_TRUE(choice->rules);
  EXPECT_EQ(choice->rules->OffsetAt(*ParseInstant("2026-01-15T00:00:00Z")),
            std::chrono::minutes(75));
  ASSERT_EQ(zones.Taken().size(), 1);
  EXPECT_THAT(zones.Taken()[0].note, HasSubstr("no zone has the rules"));
}

TEST(ZoneNamesTest, OtherRulesForAKnownNameAreTold) {
  ZoneNames zones;
  zones.Declare(Custom("Europe/London", {"+0100", "+0200"}));
  zones.Declare(Custom("Europe/Berlin", {"+0100", "+0200"}));
  zones.NoteUses(Event({"DTSTART;TZID=Europe/London:20260701T090000"}));
  zones.NoteUses(Event({"DTSTART;TZID=Europe/Berlin:20260701T090000"}));
  EXPECT_EQ(NameOf(zones, "Europe/London"), "Europe/London");
  EXPECT_EQ(NameOf(zones, "Europe/Berlin"), "Europe/Berlin");
  EXPECT_THAT(zones.Taken(),
              ElementsAre(TakenZone{.tzid = "Europe/London",
                                    .zone = "Europe/London",
                                    .note = "the file gives other rules for 2026: those of the "
                                            "zone count"}));
}

TEST(ZoneNamesTest, ADefinitionThatCannotBeUsedIsToldWithItsReason) {
  ZoneNames zones;
  zones.Declare(
      Timezone({"TZID:Strange", "BEGIN:STANDARD", "DTSTART:19000101T000000", "TZOFFSETFROM:+0100",
                "TZOFFSETTO:+0300", "RRULE:FREQ=SECONDLY", "END:STANDARD"}));
  EXPECT_THAT(zones.Resolve("Strange"),
              FailsSaying(ErrorCode::kInvalidArgument,
                          "the time zone \"Strange\" is not known, and its VTIMEZONE on line 1 "
                          "cannot be used: RRULE on line 2: is not understood"));
}

TEST(ZoneNamesTest, ADefaultCountsWhereNoZoneIsNamed) {
  ZoneNames zones;
  EXPECT_EQ(zones.ForFloating(), std::nullopt);
  zones.DeclareDefault("Europe/Berlin");
  EXPECT_EQ(zones.ForFloating(), almanac::Zone::Find("Europe/Berlin").value());
  EXPECT_THAT(zones.Taken(),
              ElementsAre(TakenZone{.tzid = "",
                                    .zone = "Europe/Berlin",
                                    .note = "for times without a zone, by X-WR-TIMEZONE"}));
  zones.NoteUses(Event({"DTSTART;TZID=Asia/Tokyo:20260701T090000"}));
  EXPECT_EQ(zones.ForFloating(), std::nullopt);
}

TEST(ZoneNamesTest, YearsAreThoseOfTheItems) {
  ZoneUses uses;
  uses.Note(Event({"DTSTART;TZID=A:20260701T090000", "dtend;tzid=\"A\":20270101T000000"}));
  uses.Note(Event({"DTSTART;TZID=B:20200701T090000", "RRULE:FREQ=DAILY;UNTIL=20231231T000000Z"}));
  uses.Note(Event({"DTSTART;TZID=C:20260701T090000", "RRULE:FREQ=DAILY"}));
  uses.Note(
      Event({"DTSTART;TZID=D:00010101T090000", "EXDATE;TZID=D:20260101T000000,99990101T000000"}));
  EXPECT_EQ(uses.YearsOf("A"), (YearSpan{.first = 2026, .last = 2027}));
  EXPECT_EQ(uses.YearsOf("B"), (YearSpan{.first = 2020, .last = 2023}));
  EXPECT_EQ(uses.YearsOf("C"), (YearSpan{.first = 2026, .last = 2036}));
  EXPECT_EQ(uses.YearsOf("D"), (YearSpan{.first = 1900, .last = 2100}));
}

TEST(ZoneNamesTest, AVtimezoneMayNameItsPlace) {
  ZoneNames zones;
  zones.Declare(Timezone({"TZID:Berlin 1", "X-LIC-LOCATION:Europe/Berlin", "BEGIN:STANDARD",
                          "DTSTART:19700101T000000", "END:STANDARD"}));
  zones.Declare(Timezone({"TZID-ALIAS-OF:Asia/Tokyo", "TZID:Ours\\, far away"}));
  EXPECT_EQ(NameOf(zones, "Berlin 1"), "Europe/Berlin");
  EXPECT_EQ(NameOf(zones, "Ours, far away"), "Asia/Tokyo");
}

TEST(ZoneNamesTest, AVtimezoneCannotGiveAnotherMeaningToANameOfTheDatabase) {
  ZoneNames zones;
  zones.Declare(Timezone({"TZID:Europe/Berlin", "X-LIC-LOCATION:Asia/Tokyo"}));
  EXPECT_EQ(NameOf(zones, "Europe/Berlin"), "Europe/Berlin");
}

TEST(ZoneNamesTest, NamesOfWindowsAreKnownInAnyCase) {
  ZoneNames zones;
  EXPECT_EQ(NameOf(zones, "W. Europe Standard Time"), "Europe/Berlin");
  EXPECT_EQ(NameOf(zones, "eastern standard time"), "America/New_York");
  EXPECT_EQ(NameOf(zones, "UTC-02"), "Etc/GMT+2");
}

TEST(ZoneNamesTest, EachZoneOfTheTableOfWindowsExists) {
  for (const WindowsZone& zone : WindowsZones()) {
    EXPECT_THAT(almanac::Zone::Find(zone.iana), IsOk()) << zone.windows;
  }
}

TEST(ZoneNamesTest, OtherNamesAreRefused) {
  ZoneNames zones;
  zones.Declare(Timezone({"TZID:Nowhere", "X-LIC-LOCATION:Nowhere/City"}));
  zones.Declare(Timezone({"TZID:Broken", "no property", "X-LIC-LOCATION:Europe/Berlin"}));
  for (const std::string_view tzid : {"", "Nowhere", "Broken", "Customized Time Zone", "/", "//",
                                      "/x/../Europe", "../Europe/Berlin"}) {
    EXPECT_THAT(zones.Resolve(tzid), FailsSaying(ErrorCode::kInvalidArgument, "is not known"))
        << tzid;
  }
  EXPECT_THAT(
      zones.Resolve("Mars/Olympus\nMons"),
      FailsSaying(ErrorCode::kInvalidArgument, "the time zone \"Mars/Olympus?Mons\" is not known"));
}

TEST(ZoneNamesTest, AFileNamesAThousandZonesAtMost) {
  ZoneNames zones;
  EXPECT_EQ(NameOf(zones, "Europe/Berlin"), "Europe/Berlin");
  for (int i = 1; i < 1000; ++i) {
    EXPECT_THAT(zones.Resolve("Zone " + std::to_string(i)),
                FailsSaying(ErrorCode::kInvalidArgument, "is not known"));
  }
  EXPECT_THAT(zones.Resolve("Asia/Tokyo"),
              FailsSaying(ErrorCode::kInvalidArgument, "more than 1000 time zones"));
  EXPECT_EQ(NameOf(zones, "Europe/Berlin"), "Europe/Berlin");
}

TEST(ZoneNamesTest, LongNamesAreNotKnownAndNotKept) {
  ZoneNames zones;
  const std::string path = "/" + std::string(600, 'x');
  for (int i = 0; i < 1001; ++i) {
    ASSERT_THAT(zones.Resolve(path + std::to_string(i) + "/Europe/Berlin"),
                FailsSaying(ErrorCode::kInvalidArgument, "is not known"));
  }
  EXPECT_EQ(NameOf(zones, "Europe/Berlin"), "Europe/Berlin");
}

TEST(ZoneNamesTest, ZonesBeyondAThousandAreOfTheUsualYears) {
  ZoneUses uses;
  for (int i = 0; i < 1000; ++i) {
    uses.Note(Event({"DTSTART;TZID=Zone " + std::to_string(i) + ":19500701T090000"}));
  }
  uses.Note(Event({"DTSTART;TZID=One too many:19500701T090000"}));
  uses.Note(Event({"DTSTART;TZID=Zone 0:19600701T090000"}));
  EXPECT_EQ(uses.YearsOf("Zone 0"), (YearSpan{.first = 1950, .last = 1960}));
  EXPECT_EQ(uses.YearsOf("One too many"), uses.YearsOf("Never noted"));
}

TEST(ZoneNamesTest, ALongNameIsAName) {
  ZoneUses uses;
  const std::string name(600, 'x');
  uses.Note(Event({"DTSTART;TZID=" + name + ":19500701T090000"}));
  EXPECT_FALSE(uses.Empty());
  EXPECT_EQ(uses.YearsOf(name), uses.YearsOf("Never noted"));
}

}  // namespace
}  // namespace atrium::icalendar
