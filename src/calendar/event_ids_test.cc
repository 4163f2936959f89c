// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "calendar/event_ids.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>

namespace atrium::calendar {
namespace {

TEST(EventIdsTest, OneCalendarIsANumber) {
  EXPECT_EQ(RenderEventId("7k2mq0zd", 1024), "7k2mq0zd.1024");
  EXPECT_EQ(ParseEventId("7k2mq0zd.1024", "7k2mq0zd"), 1024U);
}

TEST(EventIdsTest, ManyCalendarsAreANumberEach) {
  ManyEventId id("7k2mq0zd", 12);
  id.Add("1f0c9a3e", 28);
  id.Add("77d20b41", 336);
  EXPECT_EQ(id.Text(), "7k2mq0zd.m12.1f0c9a3e-s.77d20b41-9c");
  EXPECT_EQ(ParseManyEventId(id.Text(), "7k2mq0zd"),
            (ManyPositions{.own = 12, .calendars = {{"1f0c9a3e", 28}, {"77d20b41", 336}}}));
}

TEST(EventIdsTest, NoCalendarIsAPositionToo) {
  EXPECT_EQ(ParseManyEventId(ManyEventId("e", 3).Text(), "e"), ManyPositions{.own = 3});
}

TEST(EventIdsTest, AnotherEpochSaysNothing) {
  EXPECT_EQ(ParseEventId("aaaaaaaa.1", "bbbbbbbb"), std::nullopt);
  EXPECT_EQ(ParseManyEventId("aaaaaaaa.m1", "bbbbbbbb"), std::nullopt);
}

TEST(EventIdsTest, WhatIsNoIdSaysNothing) {
  for (const char* text : {"", "e", "e.", "e.x", "e.-1", "e.1.2", "1", "e.m1"}) {
    EXPECT_EQ(ParseEventId(text, "e"), std::nullopt) << text;
  }
  for (const char* text : {"", "e.1", "e.m", "e.m1.1f0c9a3e", "e.m1.1f0c9a3e-", "e.m1.1f0c9a3e-!",
                           "e.m1..", "e.m1.short-1"}) {
    EXPECT_EQ(ParseManyEventId(text, "e"), std::nullopt) << text;
  }
}

TEST(EventIdsTest, CalendarsThatCannotBeToldApartSayNothing) {
  EXPECT_EQ(ParseManyEventId("e.m1.1f0c9a3e-1.1f0c9a3e-2", "e"), std::nullopt);
}

TEST(EventIdsTest, TheTagOfAnEpochIsTheRandomEndOfItsId) {
  const auto id = Ulid::Parse("01ARZ3NDEKTSV4RRFFQ69G5FAV");
  ASSERT_TRUE(id.has_value());
  EXPECT_EQ(EpochTag({.id = *id}), "q69g5fav");
}

}  // namespace
}  // namespace atrium::calendar
