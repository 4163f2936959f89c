// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "icalendar/zone_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "almanac/zone.h"
#include "base/error.h"
#include "base/result.h"
#include "base/testing.h"
#include "icalendar/text_blocks.h"
#include "icalendar/windows_zones.h"

namespace atrium::icalendar {
namespace {

Block Timezone(const std::vector<std::string>& lines) {
  Block block{.name = "VTIMEZONE", .line = 1, .lines = {}};
  for (const std::string& line : lines) {
    block.lines.push_back({.number = 2, .text = line});
  }
  return block;
}

std::string NameOf(ZoneNames& zones, std::string_view tzid) {
  const Result<almanac::Zone> zone = zones.Resolve(tzid);
  return zone ? zone->Name() : "refused";
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

}  // namespace
}  // namespace atrium::icalendar
