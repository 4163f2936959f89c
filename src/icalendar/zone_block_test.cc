// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "icalendar/zone_block.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <libical/ical.h>

#include <chrono>
#include <memory>
#include <string>

#include "almanac/zone.h"
#include "base/instant.h"
#include "icalendar/values.h"

namespace atrium::icalendar {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string Render(const char* name) {
  return RenderZone(*almanac::Zone::Find(name));
}

TEST(ZoneBlockTest, EuropeFollowsItsRuleForEver) {
  EXPECT_THAT(Render("Europe/Berlin"),
              HasSubstr("BEGIN:DAYLIGHT\r\nDTSTART:19810329T020000\r\nTZOFFSETFROM:+0100\r\n"
                        "TZOFFSETTO:+0200\r\nRRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU\r\n"
                        "END:DAYLIGHT\r\n"));
}

TEST(ZoneBlockTest, AmericaChangedItsRule) {
  const std::string zone = Render("America/New_York");
  EXPECT_THAT(zone, HasSubstr("RRULE:FREQ=YEARLY;BYMONTH=4;BYDAY=1SU;UNTIL=20060402T070000Z\r\n"));
  EXPECT_THAT(zone, HasSubstr("DTSTART:20070311T020000\r\nTZOFFSETFROM:-0500\r\n"
                              "TZOFFSETTO:-0400\r\nRRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU\r\n"));
}

TEST(ZoneBlockTest, AWeekThatIsNoneOfTheCalendarIsWrittenByItsDays) {
  EXPECT_THAT(Render("America/Santiago"),
              HasSubstr("RRULE:FREQ=YEARLY;BYMONTH=9;BYMONTHDAY=2,3,4,5,6,7,8;BYDAY=SU\r\n"));
}

TEST(ZoneBlockTest, AZoneWithoutSummerTimeIsOneOffset) {
  EXPECT_EQ(Render("Asia/Kathmandu"),
            "BEGIN:VTIMEZONE\r\nTZID:Asia/Kathmandu\r\n"
            "BEGIN:STANDARD\r\nDTSTART:19700101T000000\r\nTZOFFSETFROM:+0530\r\n"
            "TZOFFSETTO:+0530\r\nEND:STANDARD\r\n"
            "BEGIN:STANDARD\r\nDTSTART:19860101T000000\r\nTZOFFSETFROM:+0530\r\n"
            "TZOFFSETTO:+0545\r\nRDATE:19860101T000000\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\n");
}

TEST(ZoneBlockTest, ANewStandardTimeIsNoSummerTime) {
  EXPECT_THAT(Render("Asia/Kathmandu"), Not(HasSubstr("DAYLIGHT")));
}

/// What another reader understands from the VTIMEZONE.
class OtherReader {
 public:
  explicit OtherReader(const std::string& text)
      : zone_(icaltimezone_new(), [](icaltimezone* zone) { icaltimezone_free(zone, 1); }) {
    EXPECT_EQ(icaltimezone_set_component(zone_.get(), icalparser_parse_string(text.c_str())), 1);
  }

  std::chrono::seconds OffsetAt(Instant instant) {
    const auto seconds = std::chrono::floor<std::chrono::seconds>(instant).time_since_epoch();
    icaltimetype time =
        icaltime_from_timet_with_zone(seconds.count(), 0, icaltimezone_get_utc_timezone());
    int is_daylight = 0;
    return std::chrono::seconds(
        icaltimezone_get_utc_offset_of_utc_time(zone_.get(), &time, &is_daylight));
  }

 private:
  std::unique_ptr<icaltimezone, void (*)(icaltimezone*)> zone_;
};

class ZoneBlockOffsetsTest : public ::testing::TestWithParam<const char*> {};

TEST_P(ZoneBlockOffsetsTest, AnotherReaderUnderstandsTheSameOffsets) {
  const almanac::Zone zone = *almanac::Zone::Find(GetParam());
  OtherReader other(RenderZone(zone));
  const Instant end = *ParseInstant("2037-01-01T00:00:00Z");
  // A step that meets each hour of the day and each day of the week in turn.
  for (Instant at = *ParseInstant("1970-02-01T00:00:00Z"); at < end; at += std::chrono::hours(37)) {
    const auto offset = UtcInstant(zone.In(at)) - at;
    ASSERT_EQ(other.OffsetAt(at), offset) << RenderInstant(at);
  }
}

INSTANTIATE_TEST_SUITE_P(Zones, ZoneBlockOffsetsTest,
                         ::testing::Values("Europe/Berlin", "Europe/London", "Europe/Dublin",
                                           "Europe/Moscow", "America/New_York", "America/Sao_Paulo",
                                           "America/Santiago", "America/Nuuk", "Australia/Sydney",
                                           "Australia/Lord_Howe", "Pacific/Apia",
                                           "Africa/Casablanca", "Africa/Cairo", "Asia/Kolkata",
                                           "Asia/Jerusalem", "Africa/Monrovia"));

}  // namespace
}  // namespace atrium::icalendar
