// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "icalendar/values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <string_view>

#include "almanac/local_time.h"
#include "base/error.h"
#include "base/instant.h"
#include "base/result.h"
#include "base/testing.h"
#include "icalendar/folding.h"

namespace atrium::icalendar {
namespace {

using ::testing::ElementsAre;

std::string Read(std::string_view text) {
  const Result<TimeValue> time = ParseTime(text);
  if (!time) {
    return "refused";
  }
  constexpr std::string_view kForms[] = {"date ", "local ", "utc "};
  return std::string(kForms[static_cast<int>(time->form)]) + time->at.Render();
}

TEST(ValuesTest, TimesSayWhichFormTheyHave) {
  EXPECT_EQ(Read("20260301"), "date 2026-03-01T00:00");
  EXPECT_EQ(Read("20260301T093000"), "local 2026-03-01T09:30");
  EXPECT_EQ(Read("20260301T093015Z"), "utc 2026-03-01T09:30:15");
  EXPECT_EQ(Read("20240229"), "date 2024-02-29T00:00");
}

TEST(ValuesTest, TheLeapSecondIsTheOneBefore) {
  EXPECT_EQ(Read("20161231T235960Z"), "utc 2016-12-31T23:59:59");
}

TEST(ValuesTest, WhatIsNoTimeIsRefused) {
  for (const std::string_view text :
       {"", "2026", "2026-03-01", "20260301T", "20260301T0930", "20260301T240000",
        "20260301T096000", "20260301T093061", "20260301T093000z", "20260301T093000+0100",
        "20260301 093000", "20260301Z", "00000101", "x0260301", "20260301T093000ZZ"}) {
    EXPECT_EQ(Read(text), "refused") << text;
  }
}

TEST(ValuesTest, ADayThatDoesNotExistIsRefusedAsSuch) {
  EXPECT_THAT(ParseTime("20260230"),
              FailsSaying(ErrorCode::kInvalidArgument, "a day that does not exist"));
}

TEST(ValuesTest, TimesAreWrittenAsTheyAreRead) {
  const almanac::LocalTime time = *almanac::LocalTime::Parse("0999-03-01T09:30:15");
  EXPECT_EQ(RenderDate(time.date), "09990301");
  EXPECT_EQ(RenderLocal(time), "09990301T093015");
  EXPECT_EQ(RenderUtc(UtcInstant(time)), "09990301T093015Z");
  EXPECT_EQ(RenderUtc(*ParseInstant("1969-12-31T23:59:59.900Z")), "19691231T235959Z");
}

std::string ReadDuration(std::string_view text) {
  const Result<Duration> duration = ParseDuration(text);
  return duration ? std::to_string(duration->days) + "d" + std::to_string(duration->time.count())
                  : "refused";
}

TEST(ValuesTest, DurationsKeepDaysApartFromTime) {
  EXPECT_EQ(ReadDuration("P1DT2H3M4S"), "1d7384");
  EXPECT_EQ(ReadDuration("PT24H"), "0d86400");
  EXPECT_EQ(ReadDuration("-P2W"), "-14d0");
  EXPECT_EQ(ReadDuration("+PT15M"), "0d900");
  EXPECT_EQ(ReadDuration("P100000D"), "100000d0");
}

TEST(ValuesTest, WhatIsNoDurationIsRefused) {
  for (const std::string_view text :
       {"", "P", "PT", "P1DT", "1D", "P1", "P1H", "PT1D", "PT1HT1M", "P-1D", "--P1D", "P1D ",
        "P100001D", "P20000W", "PT99999999999999999999S", "PT9999999999S", "P1.5D"}) {
    EXPECT_EQ(ReadDuration(text), "refused") << text;
  }
}

TEST(ValuesTest, MinutesAreWrittenShortly) {
  using std::chrono::minutes;
  EXPECT_EQ(RenderMinutes(minutes(-15)), "-PT15M");
  EXPECT_EQ(RenderMinutes(minutes(0)), "PT0M");
  EXPECT_EQ(RenderMinutes(minutes(2880)), "P2D");
}

TEST(ValuesTest, TextIsUnescaped) {
  EXPECT_EQ(UnescapeText(R"(a\, b\; c\\n\nd\N\:\")"), "a, b; c\\n\nd\n:\"");
  EXPECT_EQ(UnescapeText(R"(C:\temp\)"), R"(C:\temp\)");
  EXPECT_EQ(UnescapeText("a\x01"
                         "b\tc\x7F"),
            "ab\tc");
}

TEST(ValuesTest, TextThatWasEscapedReadsBack) {
  for (const std::string_view text : {"", " ", "plain", "a\\nb", "a\nb", "\\", "\\\\", "\\;",
                                      ",;:\"\\", "tab\t", "Grüße 🎉\n\n"}) {
    EXPECT_EQ(UnescapeText(EscapeText(text)), text);
  }
}

TEST(ValuesTest, LineEndsOfAnyKindBecomeOne) {
  EXPECT_EQ(EscapeText("a\r\nb\rc\nd\x02"), "a\\nb\\nc\\nd");
}

TEST(ValuesTest, ListsAreSplitAtCommas) {
  EXPECT_THAT(SplitList("a,b,"), ElementsAre("a", "b", ""));
  EXPECT_THAT(SplitList("a"), ElementsAre("a"));
}

std::string Folded(std::string_view line) {
  std::string out;
  AppendLine(out, line);
  return out;
}

TEST(FoldingTest, LinesOf75BytesStayAndLongerOnesGoOn) {
  const std::string line(75, 'x');
  EXPECT_EQ(Folded(line), line + "\r\n");
  EXPECT_EQ(Folded(line + "y"), line + "\r\n y\r\n");
  EXPECT_EQ(Folded(line + std::string(75, 'y')),
            line + "\r\n " + std::string(74, 'y') + "\r\n y\r\n");
}

TEST(FoldingTest, CharactersAreNotCut) {
  const std::string line(74, 'x');
  EXPECT_EQ(Folded(line + "ü"), line + "\r\n ü\r\n");
}

TEST(FoldingTest, WhatIsNoTextIsFoldedToo) {
  const std::string line(200, '\x80');
  EXPECT_EQ(Folded(line), std::string(75, '\x80') + "\r\n " + std::string(74, '\x80') + "\r\n " +
                              std::string(51, '\x80') + "\r\n");
}

}  // namespace
}  // namespace atrium::icalendar
