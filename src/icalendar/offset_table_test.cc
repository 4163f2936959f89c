// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "icalendar/offset_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string_view>

#include "almanac/local_time.h"
#include "almanac/zone.h"
#include "base/instant.h"

namespace atrium::icalendar {
namespace {

using std::chrono::hours;
using std::chrono::seconds;
using ::testing::SizeIs;

Instant Moment(std::string_view text) {
  return ParseInstant(text).value();
}

almanac::LocalTime Local(std::string_view text) {
  return almanac::LocalTime::Parse(text).value();
}

/// Berlin in 2026.
OffsetTable Berlin() {
  return OffsetTable(
      hours(1), {{.at = Moment("2026-10-25T01:00:00Z"), .before = hours(2), .after = hours(1)},
                 {.at = Moment("2026-03-29T01:00:00Z"), .before = hours(1), .after = hours(2)}});
}

constexpr TimeSpan kYear{.from = Instant(std::chrono::sys_days(std::chrono::year(2026) / 1 / 1)),
                         .to = Instant(std::chrono::sys_days(std::chrono::year(2027) / 1 / 1))};

TEST(OffsetTableTest, AnOffsetHoldsUntilTheNextChange) {
  EXPECT_EQ(Berlin().OffsetAt(Moment("1900-01-01T00:00:00Z")), hours(1));
  EXPECT_EQ(Berlin().OffsetAt(Moment("2026-03-29T00:59:59Z")), hours(1));
  EXPECT_EQ(Berlin().OffsetAt(Moment("2026-03-29T01:00:00Z")), hours(2));
  EXPECT_EQ(Berlin().OffsetAt(Moment("2100-07-01T00:00:00Z")), hours(1));
}

TEST(OffsetTableTest, LocalTimesAreTheMomentsThatTheDatabaseHas) {
  const almanac::Zone berlin = *almanac::Zone::Find("Europe/Berlin");
  for (const std::string_view text :
       {"2026-01-15T09:00", "2026-03-29T01:59:59", "2026-03-29T02:00", "2026-03-29T02:30",
        "2026-03-29T03:00", "2026-07-15T09:00", "2026-10-25T01:59", "2026-10-25T02:00",
        "2026-10-25T02:30", "2026-10-25T03:00", "2026-12-31T23:59"}) {
    EXPECT_EQ(Berlin().At(Local(text)), berlin.At(Local(text))) << text;
  }
}

TEST(OffsetTableTest, ChangesThatChangeNothingAreNone) {
  const OffsetTable table(
      hours(1), {{.at = Moment("2026-01-01T00:00:00Z"), .before = hours(5), .after = hours(1)},
                 {.at = Moment("2026-02-01T00:00:00Z"), .before = hours(1), .after = hours(2)},
                 {.at = Moment("2026-02-01T00:00:00Z"), .before = hours(1), .after = hours(3)},
                 {.at = Moment("2026-03-01T00:00:00Z"), .before = hours(1), .after = hours(3)}});
  ASSERT_THAT(table.Changes(), SizeIs(1));
  EXPECT_EQ(table.Changes()[0].after, hours(3));
}

TEST(OffsetTableTest, ADifferenceIsToldInTime) {
  const almanac::Zone berlin = *almanac::Zone::Find("Europe/Berlin");
  EXPECT_EQ(Berlin().DifferenceTo(berlin, kYear, seconds::max()), seconds(0));
  EXPECT_EQ(Berlin().DifferenceTo(*almanac::Zone::Find("Europe/Paris"), kYear, seconds::max()),
            seconds(0));
  // Lagos has no summer time: from March to October it is an hour behind.
  EXPECT_EQ(Berlin().DifferenceTo(*almanac::Zone::Find("Africa/Lagos"), kYear, seconds::max()),
            std::chrono::days(210));
  EXPECT_GT(Berlin().DifferenceTo(*almanac::Zone::Find("Asia/Tokyo"), kYear, hours(1)), hours(1));
}

}  // namespace
}  // namespace atrium::icalendar
