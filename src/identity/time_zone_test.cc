// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "identity/time_zone.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "base/error.h"
#include "base/testing.h"

namespace atrium::identity {
namespace {

constexpr std::string_view kDatabase =
    "# version 2025b\n"
    "R d 1916 o - Jun 14 23s 1 S\n"
    "Z Europe/Rome 0:49:56 - LMT 1866 D 12\n"
    "0:49:56 - RMT 1893 O 31 23u\n"
    "1 E CE%sT\n"
    "Z Factory 0 - -00\n"
    "Z EST -5 - EST\n"
    "L Europe/Rome Europe/Vatican";

TEST(TimeZoneTest, ZonesOfTheMachineAreKnown) {
  EXPECT_THAT(CheckTimeZone("Europe/Rome"), Holds(std::string("Europe/Rome")));
  EXPECT_THAT(CheckTimeZone("America/Argentina/Buenos_Aires"),
              Holds(std::string("America/Argentina/Buenos_Aires")));
}

TEST(TimeZoneTest, LinksKeepTheirName) {
  EXPECT_THAT(CheckTimeZone("Asia/Calcutta"), Holds(std::string("Asia/Calcutta")));
}

TEST(TimeZoneTest, TheSpellingIsThatOfTheDatabase) {
  EXPECT_THAT(CheckTimeZone("europe/ROME"), Holds(std::string("Europe/Rome")));
  EXPECT_THAT(CheckTimeZoneIn(kDatabase, "EUROPE/vatican"), Holds(std::string("Europe/Vatican")));
}

TEST(TimeZoneTest, UtcIsAlwaysKnown) {
  EXPECT_THAT(CheckTimeZone("UTC"), Holds(std::string("UTC")));
  EXPECT_THAT(CheckTimeZoneIn("", "utc"), Holds(std::string("UTC")));
}

TEST(TimeZoneTest, OtherNamesAreRefused) {
  for (const std::string_view name :
       {"", " ", "Europe", "Europe/", "Europe/Atlantis", "Europe/Rome ", "+02:00", "Z",
        "../../../etc/passwd", "/usr/share/zoneinfo/Europe/Rome", "posix/Europe/Rome", "localtime",
        "Europe/Rome\nEurope/Oslo"}) {
    EXPECT_THAT(CheckTimeZone(name), FailsSaying(ErrorCode::kInvalidArgument, "time zone")) << name;
  }
}

TEST(TimeZoneTest, OnlyNamesOfZonesAndLinksCount) {
  for (const std::string_view name : {"", "d", "R", "E", "-", "0:49:56", "1893", "Factory"}) {
    EXPECT_THAT(CheckTimeZoneIn(kDatabase, name), FailsWith(ErrorCode::kInvalidArgument)) << name;
  }
  EXPECT_THAT(CheckTimeZoneIn(kDatabase, "EST"), Holds(std::string("EST")));
}

}  // namespace
}  // namespace atrium::identity
