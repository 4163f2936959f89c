// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "icalendar/read.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/error.h"
#include "base/result.h"
#include "base/testing.h"
#include "icalendar/item.h"

namespace atrium::icalendar {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::string Calendar(std::string_view body) {
  return fmt::format("BEGIN:VCALENDAR\nVERSION:2.0\n{}END:VCALENDAR\n", body);
}

std::vector<Finding> Read(std::string_view text) {
  Result<std::vector<Finding>> findings = ReadItems(text);
  EXPECT_THAT(findings, IsOk());
  return findings ? *findings : std::vector<Finding>();
}

std::string Summarised(const Finding& finding) {
  if (const auto* refusal = std::get_if<Refusal>(&finding)) {
    return fmt::format("{} refused {}|{}: {}", refusal->line, refusal->uid, refusal->summary,
                       refusal->reason);
  }
  const auto& found = std::get<FoundItem>(finding);
  return fmt::format("{} {}", found.line, found.item.uid);
}

std::vector<std::string> Summaries(std::string_view text) {
  std::vector<std::string> summaries;
  for (const Finding& finding : Read(text)) {
    summaries.push_back(Summarised(finding));
  }
  return summaries;
}

TEST(ReadTest, ItemsAndRefusalsComeInTheOrderOfTheFile) {
  EXPECT_THAT(Summaries(Calendar("BEGIN:VEVENT\nUID:a\nDTSTART:20260301\nEND:VEVENT\n"
                                 "BEGIN:VEVENT\nUID:b\nSUMMARY:Broken\nDTSTART:20260230\n"
                                 "END:VEVENT\n"
                                 "BEGIN:VTODO\nUID:c\nEND:VTODO\n")),
              ElementsAre("3 a",
                          "7 refused b|Broken: DTSTART on line 10: \"20260230\" names a day that "
                          "does not exist",
                          "12 c"));
}

TEST(ReadTest, OtherComponentsAreRefusedAndZonesAreNot) {
  EXPECT_THAT(Summaries(Calendar("BEGIN:VTIMEZONE\nTZID:x\nEND:VTIMEZONE\n"
                                 "BEGIN:VJOURNAL\nUID:j\nSUMMARY:Diary\nEND:VJOURNAL\n")),
              ElementsAre("6 refused j|Diary: a VJOURNAL is neither an event nor a task"));
}

TEST(ReadTest, WhatIsWrongWithTheFileIsToldWithItsPlace) {
  EXPECT_THAT(Summaries("BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:a\nBEGIN:VEVENT\nUID:b\n"
                        "DTSTART:20260301\nEND:VEVENT\nEND:VCALENDAR\nBye\n"),
              ElementsAre("2 refused a|: VEVENT has not ended where line 4 begins a VEVENT", "4 b",
                          "9 refused |: stands in no calendar"));
}

TEST(ReadTest, ARefusalDoesNotTakeItsNameFromAReminder) {
  EXPECT_THAT(Summaries(Calendar("BEGIN:VEVENT\nBEGIN:VALARM\nSUMMARY:Wake up\nEND:VALARM\n"
                                 "END:VEVENT\n")),
              ElementsAre("3 refused |: has no DTSTART: when does it start?"));
}

TEST(ReadTest, AFileWithoutCalendarIsRefused) {
  for (const std::string_view text : {"", "<html></html>", "BEGIN:VCARD\nEND:VCARD\n"}) {
    EXPECT_THAT(ReadItems(text),
                FailsSaying(ErrorCode::kInvalidArgument, "the file is not an iCalendar file"));
  }
}

TEST(ReadTest, TheOlderFormatIsRefused) {
  EXPECT_THAT(ReadItems("BEGIN:VCALENDAR\nVERSION:1.0\nEND:VCALENDAR\n"),
              FailsSaying(ErrorCode::kInvalidArgument, "vCalendar 1.0"));
}

TEST(ReadTest, AnEmptyCalendarHasNoItems) {
  EXPECT_THAT(Read(Calendar("")), IsEmpty());
}

TEST(ReadTest, ZonesMayBeDeclaredAfterTheirUse) {
  const std::vector<Finding> findings =
      Read(Calendar("BEGIN:VEVENT\nUID:a\nDTSTART;TZID=Ours:20260301T090000\nEND:VEVENT\n"
                    "BEGIN:VTIMEZONE\nTZID:Ours\nX-LIC-LOCATION:Asia/Tokyo\nEND:VTIMEZONE\n"));
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(std::get<FoundItem>(findings[0]).item.zone, "Asia/Tokyo");
}

TEST(ReadTest, TheHeadSaysWhatTheCalendarSaysOfItself) {
  const std::string text = Calendar(
      "X-WR-CALNAME:Old\\, name\nNAME:New name\nX-WR-CALDESC:About\nCOLOR:navy\n"
      "X-APPLE-CALENDAR-COLOR:#1E90FFFF\nREFRESH-INTERVAL;VALUE=DURATION:PT90S\n"
      "X-PUBLISHED-TTL:P1D\n");
  const Result<ItemReader> reader = ItemReader::Open(text);
  ASSERT_THAT(reader, IsOk());
  const CalendarHead expected{.name = "Old, name",
                              .description = "About",
                              .color = "#1e90ff",
                              .refresh_interval = std::chrono::minutes(2)};
  EXPECT_EQ(reader->Head(), expected);
}

TEST(ReadTest, PositionGrowsToTheEndOfTheText) {
  const std::string text = Calendar("BEGIN:VTODO\nUID:a\nEND:VTODO\nBEGIN:VTODO\nEND:VTODO\n");
  Result<ItemReader> reader = ItemReader::Open(text);
  ASSERT_THAT(reader, IsOk());
  EXPECT_EQ(reader->Position(), 0U);
  ASSERT_TRUE(reader->Next().has_value());
  const std::size_t middle = reader->Position();
  EXPECT_GT(middle, 0U);
  EXPECT_LT(middle, text.size());
  ASSERT_TRUE(reader->Next().has_value());
  ASSERT_FALSE(reader->Next().has_value());
  EXPECT_EQ(reader->Position(), text.size());
}

TEST(ReadTest, TextThatIsNotUtf8CostsItsItemOnly) {
  EXPECT_THAT(Summaries(Calendar("BEGIN:VTODO\nUID:a\nSUMMARY:caf\xE9\nEND:VTODO\n"
                                 "BEGIN:VTODO\nUID:b\nEND:VTODO\n")),
              ElementsAre("3 refused a|: line 5 is not text in UTF-8", "7 b"));
}

TEST(ReadTest, ManyItemsAreReadOneByOne) {
  constexpr std::size_t kCount = 1000;
  std::string body;
  for (std::size_t i = 0; i < kCount; ++i) {
    body += fmt::format("BEGIN:VEVENT\nUID:{}\nDTSTART:20260301\nEND:VEVENT\n", i);
  }
  EXPECT_THAT(Read(Calendar(body)), SizeIs(kCount));
}

}  // namespace
}  // namespace atrium::icalendar
