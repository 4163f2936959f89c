// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "icalendar/zone_definition.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "almanac/expansion_budget.h"
#include "almanac/zone.h"
#include "base/error.h"
#include "base/instant.h"
#include "base/result.h"
#include "base/testing.h"
#include "icalendar/offset_table.h"
#include "icalendar/text_blocks.h"
#include "icalendar/zone_block.h"

namespace atrium::icalendar {
namespace {

using std::chrono::seconds;
using Lines = std::vector<std::string>;

Block Timezone(const Lines& lines) {
  Block block{.name = "VTIMEZONE", .line = 1, .lines = {}};
  for (const std::string& line : lines) {
    block.lines.push_back({.number = block.lines.size() + 2, .text = line});
  }
  return block;
}

Lines Observance(const std::string& kind, const Lines& lines) {
  Lines all{"BEGIN:" + kind};
  all.insert(all.end(), lines.begin(), lines.end());
  all.push_back("END:" + kind);
  return all;
}

Lines Together(const std::vector<Lines>& parts) {
  Lines all{"TZID:Somewhere"};
  for (const Lines& part : parts) {
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

/// Central Europe as Exchange writes it.
Lines ExchangeRules() {
  return Together(
      {Observance("STANDARD", {"DTSTART:16010101T030000", "TZOFFSETFROM:+0200", "TZOFFSETTO:+0100",
                               "RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=10"}),
       Observance("DAYLIGHT", {"DTSTART:16010101T020000", "TZOFFSETFROM:+0100", "TZOFFSETTO:+0200",
                               "RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=3"})});
}

Result<OffsetTable> Expand(const Lines& lines, const YearSpan& years) {
  almanac::ExpansionBudget budget(10'000, 5'000'000);
  ASSIGN_OR_RETURN(const ZoneDefinition definition, ZoneDefinition::Parse(Timezone(lines)));
  return definition.Expand(years, budget);
}

TEST(ZoneDefinitionTest, RulesOfExchangeAreThoseOfTheDatabase) {
  const YearSpan years{.first = 2000, .last = 2040};
  const Result<OffsetTable> table = Expand(ExchangeRules(), years);
  ASSERT_THAT(table, IsOk());
  EXPECT_EQ(
      table->DifferenceTo(*almanac::Zone::Find("Europe/Berlin"), years.Times(), seconds::max()),
      seconds(0));
}

class ZoneDefinitionOwnTest : public ::testing::TestWithParam<const char*> {};

/// What we write of a zone of the database, we read back as that zone.
TEST_P(ZoneDefinitionOwnTest, WhatIsWrittenOfAZoneReadsBackAsThatZone) {
  const almanac::Zone zone = *almanac::Zone::Find(GetParam());
  const std::string text = "BEGIN:VCALENDAR\r\n" + RenderZone(zone) + "END:VCALENDAR\r\n";
  TextBlocks blocks(text);
  const std::optional<Piece> piece = blocks.Next();
  ASSERT_TRUE(piece && std::holds_alternative<Block>(*piece));
  const Result<ZoneDefinition> definition = ZoneDefinition::Parse(std::get<Block>(*piece));
  ASSERT_THAT(definition, IsOk());
  for (const YearSpan years :
       {YearSpan{.first = 1971, .last = 2099}, YearSpan{.first = 2024, .last = 2024},
        YearSpan{.first = 1999, .last = 2008}}) {
    almanac::ExpansionBudget budget(10'000, 5'000'000);
    const Result<OffsetTable> table = definition->Expand(years, budget);
    ASSERT_THAT(table, IsOk());
    EXPECT_EQ(table->DifferenceTo(zone, years.Times(), seconds::max()), seconds(0)) << years.first;
  }
}

INSTANTIATE_TEST_SUITE_P(Zones, ZoneDefinitionOwnTest,
                         ::testing::Values("Europe/Berlin", "Europe/London", "Europe/Dublin",
                                           "Europe/Moscow", "America/New_York", "America/Sao_Paulo",
                                           "America/Santiago", "Australia/Lord_Howe",
                                           "Pacific/Apia", "Africa/Cairo", "Asia/Kolkata",
                                           "Asia/Kathmandu", "Pacific/Auckland"));

TEST(ZoneDefinitionTest, OneOffsetIsOneOffsetForEver) {
  const Result<OffsetTable> table = Expand(
      Together({Observance("STANDARD",
                           {"DTSTART:20200101T000000", "TZOFFSETFROM:+0530", "TZOFFSETTO:+0530"})}),
      {.first = 1990, .last = 2030});
  ASSERT_THAT(table, IsOk());
  EXPECT_EQ(table->OffsetAt(Instant()), std::chrono::minutes(330));
  EXPECT_TRUE(table->Changes().empty());
}

struct BadCase {
  const char* name;
  Lines lines;
  const char* reason;
};

TEST(ZoneDefinitionTest, WhatCannotBeUsedIsRefusedWithAReason) {
  const Lines good{"DTSTART:20200101T000000", "TZOFFSETFROM:+0100", "TZOFFSETTO:+0200"};
  const auto with = [&good](const std::string& line) {
    Lines lines = good;
    lines.push_back(line);
    return Together({Observance("STANDARD", lines)});
  };
  const std::vector<BadCase> cases{
      {"empty", {"TZID:x"}, "says nothing of clocks"},
      {"no offset", Together({Observance("STANDARD", {good[0], good[1]})}), "has no TZOFFSETTO"},
      {"no start", Together({Observance("DAYLIGHT", {good[1], good[2]})}), "has no DTSTART"},
      {"bad offset", Together({Observance("STANDARD", {good[0], good[1], "TZOFFSETTO:+2500"})}),
       "is not an offset"},
      {"bad date", with("RDATE:20201341T000000"), "RDATE on line"},
      {"every second", with("RRULE:FREQ=SECONDLY"), "is not understood"},
      {"no property", Together({{"garbage"}}), "is not a property"},
  };
  for (const BadCase& one : cases) {
    EXPECT_THAT(Expand(one.lines, {.first = 2020, .last = 2030}),
                FailsSaying(ErrorCode::kInvalidArgument, one.reason))
        << one.name;
  }
}

TEST(ZoneDefinitionTest, ThousandsOfObservancesAreRefused) {
  std::vector<Lines> parts;
  for (std::size_t i = 0; i <= ZoneDefinition::kObservancesMax; ++i) {
    parts.push_back(Observance(
        "STANDARD", {"DTSTART:20200101T000000", "TZOFFSETFROM:+0100", "TZOFFSETTO:+0200"}));
  }
  EXPECT_THAT(ZoneDefinition::Parse(Timezone(Together(parts))),
              FailsSaying(ErrorCode::kInvalidArgument, "too often"));
}

TEST(ZoneDefinitionTest, ARuleThatPutsTheClocksEveryDayRunsOutOfItsBudget) {
  const Lines daily = Together(
      {Observance("STANDARD", {"DTSTART:19000101T000000", "TZOFFSETFROM:+0100", "TZOFFSETTO:+0200",
                               "RRULE:FREQ=DAILY;BYHOUR=1,2,3,4,5,6"})});
  EXPECT_THAT(Expand(daily, {.first = 1900, .last = 2100}), FailsWith(ErrorCode::kLimitExceeded));
}

}  // namespace
}  // namespace atrium::icalendar
