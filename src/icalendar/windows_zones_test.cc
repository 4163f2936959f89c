// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "icalendar/windows_zones.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unicode/ucal.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "almanac/zone.h"
#include "base/instant.h"
#include "base/result.h"
#include "base/testing.h"
#include "icalendar/windows_titles.h"

namespace atrium::icalendar {
namespace {

/// What ICU, and so CLDR at the time of its release, says of a name of Windows; empty: nothing.
std::string AskIcu(std::string_view windows) {
  const icu::UnicodeString name = icu::UnicodeString::fromUTF8(
      icu::StringPiece(windows.data(), static_cast<int>(windows.size())));
  std::array<char16_t, 128> found{};
  UErrorCode error = U_ZERO_ERROR;
  const std::int32_t size =
      ucal_getTimeZoneIDForWindowsID(name.getBuffer(), name.length(), "001", found.data(),
                                     static_cast<std::int32_t>(found.size()), &error);
  std::string text;
  icu::UnicodeString(found.data(), U_SUCCESS(error) ? size : 0).toUTF8String(text);
  return text;
}

/// The same clocks for as long as matters to a calendar of today.
bool BehaveTheSame(const almanac::Zone& one, const almanac::Zone& other) {
  const Instant end = *ParseInstant("2036-01-01T00:00:00Z");
  for (Instant at = *ParseInstant("2025-01-01T00:00:00Z"); at < end; at += std::chrono::days(5)) {
    if (one.OffsetAt(at) != other.OffsetAt(at)) {
      return false;
    }
  }
  return true;
}

TEST(WindowsZonesTest, TheTableSaysWhatIcuSays) {
  // Where CLDR has changed its mind since the release that Debian has, or has no name.
  constexpr auto kNewer = std::to_array<std::string_view>(
      {"Central Asia Standard Time", "Mountain Standard Time (Mexico)",
       "Mid-Atlantic Standard Time", "Kamchatka Standard Time"});
  for (const WindowsZone& zone : WindowsZones()) {
    if (std::ranges::find(kNewer, zone.windows) != kNewer.end()) {
      continue;
    }
    const Result<almanac::Zone> theirs = almanac::Zone::Find(AskIcu(zone.windows));
    ASSERT_THAT(theirs, IsOk()) << zone.windows << ": " << AskIcu(zone.windows);
    EXPECT_TRUE(BehaveTheSame(*almanac::Zone::Find(zone.iana), *theirs))
        << zone.windows << ": " << zone.iana << " and " << theirs->Name();
  }
}

std::string TitledZone(std::string_view title) {
  const std::optional<almanac::Zone> zone = FindTitledZone(title);
  return zone ? zone->Name() : "unknown";
}

TEST(WindowsZonesTest, TitlesAreFoundByTheirPlacesOrTheirWords) {
  EXPECT_EQ(TitledZone("(UTC+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna"),
            "Europe/Berlin");
  EXPECT_EQ(TitledZone("(GMT+01:00) Brussels, Copenhagen, Madrid, Paris"), "Europe/Paris");
  EXPECT_EQ(TitledZone("(UTC) Dublin, Edinburgh, Lisbon, London"), "Europe/London");
  EXPECT_EQ(TitledZone("(UTC-05:00) Eastern Time (US & Canada)"), "America/New_York");
  EXPECT_EQ(TitledZone("(UTC-08:00) Pacific Time (US & Canada)"), "America/Los_Angeles");
  EXPECT_EQ(TitledZone("(UTC-06:00) Central America"), "America/Guatemala");
  EXPECT_EQ(TitledZone("(UTC+05:30) Chennai, Kolkata, Mumbai, New Delhi"), "Asia/Kolkata");
  EXPECT_EQ(TitledZone("(UTC+10:00) Canberra, Melbourne, Sydney"), "Australia/Sydney");
  EXPECT_EQ(TitledZone("(UTC-10:00) Hawaii"), "Pacific/Honolulu");
  EXPECT_EQ(TitledZone("(UTC+02:00) Nicosia"), "Europe/Nicosia");
  EXPECT_EQ(TitledZone("(UTC) Coordinated Universal Time"), "UTC");
  EXPECT_EQ(TitledZone("(UTC-11:00) Coordinated Universal Time-11"), "Etc/GMT+11");
}

TEST(WindowsZonesTest, ATitleOfAnotherOffsetIsNotTaken) {
  for (const std::string_view title :
       {"(UTC+05:00) Amsterdam, Berlin", "(UTC+01:00) Nowhere", "(UTC+1:00) Berlin", "(UTC+01:00",
        "Amsterdam, Berlin", "(UTC+aa:bb) Berlin", "(UTC+05:30)", "()", "("}) {
    EXPECT_EQ(TitledZone(title), "unknown") << title;
  }
}

}  // namespace
}  // namespace atrium::icalendar
