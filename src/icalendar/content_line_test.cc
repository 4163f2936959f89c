// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "icalendar/content_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/error.h"
#include "base/result.h"
#include "base/testing.h"

namespace atrium::icalendar {
namespace {

Result<Property> Parse(std::string text) {
  return ParseContentLine({.number = 7, .text = std::move(text)});
}

TEST(ContentLineTest, NameAndValueAreApart) {
  const Result<Property> property = Parse("summary:Lunch: soup; bread");
  ASSERT_THAT(property, IsOk());
  EXPECT_EQ(property->name, "SUMMARY");
  EXPECT_EQ(property->value, "Lunch: soup; bread");
  EXPECT_EQ(property->line, 7U);
}

TEST(ContentLineTest, ParametersAreFoundByName) {
  const Result<Property> property =
      Parse("DTSTART;value=DATE-TIME;TZID=Europe/Berlin:20260301T090000");
  ASSERT_THAT(property, IsOk());
  EXPECT_EQ(property->Find("VALUE"), "DATE-TIME");
  EXPECT_EQ(property->Find("TZID"), "Europe/Berlin");
  EXPECT_EQ(property->Find("RANGE"), "");
  EXPECT_EQ(property->value, "20260301T090000");
}

TEST(ContentLineTest, QuotesHideColonsAndSemicolons) {
  const Result<Property> property =
      Parse(R"(DTSTART;TZID="(UTC+01:00) Rome; Paris";X=1:20260301T090000)");
  ASSERT_THAT(property, IsOk());
  EXPECT_EQ(property->Find("TZID"), "(UTC+01:00) Rome; Paris");
  EXPECT_EQ(property->Find("X"), "1");
}

TEST(ContentLineTest, AValueMayBeEmpty) {
  EXPECT_THAT(Parse("SUMMARY:"), IsOk());
}

TEST(ContentLineTest, WhatIsNoPropertyIsRefusedWithItsLine) {
  for (const std::string& text :
       {std::string("just text"), std::string(":value"), std::string("SUMMARY"),
        std::string("SUMMARY;:x"), std::string("SUMMARY;LANGUAGE:x"),
        std::string("SUMMARY;LANGUAGE=\"x:y"), std::string("SUM MARY:x"),
        std::string(101, 'X') + ":x"}) {
    EXPECT_THAT(Parse(text), FailsSaying(ErrorCode::kInvalidArgument, "line 7 is not a property"))
        << text;
  }
}

TEST(ContentLineTest, WhatIsNotUtf8IsRefused) {
  EXPECT_THAT(Parse("SUMMARY:caf\xE9"),
              FailsSaying(ErrorCode::kInvalidArgument, "line 7 is not text in UTF-8"));
}

}  // namespace
}  // namespace atrium::icalendar
