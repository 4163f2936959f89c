// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "calendar/merged_agenda.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "calendar/room_testing.h"

namespace atrium::calendar {
namespace {

using ::testing::ElementsAre;

AgendaPlace PlaceOn(std::string_view day) {
  return {.start = {.date = testing::Day(day)}};
}

/// One item of ten bytes on each of the days.
std::shared_ptr<const AgendaPage> PageOf(const std::vector<std::string>& days,
                                         const std::optional<AgendaPlace>& cut = std::nullopt) {
  AgendaPage page{.cut = cut, .bytes = 10 * days.size()};
  for (const std::string& day : days) {
    page.items.push_back({.place = PlaceOn(day), .json = day});
  }
  return std::make_shared<const AgendaPage>(std::move(page));
}

std::vector<std::string> DaysOf(MergedAgenda& agenda) {
  std::vector<std::string> days;
  for (const AgendaItem* item : agenda.Items()) {
    days.push_back(item->json);
  }
  return days;
}

TEST(MergedAgendaTest, CalendarsAreMixedByPlace) {
  MergedAgenda agenda(1000);
  agenda.Add(PageOf({"2026-03-01", "2026-03-05"}));
  agenda.Add(PageOf({"2026-03-02"}));
  EXPECT_THAT(DaysOf(agenda), ElementsAre("2026-03-01", "2026-03-02", "2026-03-05"));
  EXPECT_FALSE(agenda.End());
  EXPECT_EQ(agenda.Bytes(), 30U);
}

TEST(MergedAgendaTest, WhatComesLastIsLeftOutWhenItIsTooLong) {
  MergedAgenda agenda(20);
  agenda.Add(PageOf({"2026-03-01", "2026-03-05"}));
  agenda.Add(PageOf({"2026-03-02", "2026-03-04"}));
  EXPECT_THAT(DaysOf(agenda), ElementsAre("2026-03-01", "2026-03-02"));
  EXPECT_EQ(agenda.End(), PlaceOn("2026-03-04"));
  EXPECT_EQ(agenda.Bytes(), 20U);
}

TEST(MergedAgendaTest, NothingStandsBehindWhereACalendarWasCutOff) {
  MergedAgenda agenda(1000);
  agenda.Add(PageOf({"2026-03-01", "2026-03-05"}));
  agenda.Add(PageOf({"2026-03-02"}, PlaceOn("2026-03-03")));
  EXPECT_THAT(DaysOf(agenda), ElementsAre("2026-03-01", "2026-03-02"));
  EXPECT_EQ(agenda.End(), PlaceOn("2026-03-03"));
}

TEST(MergedAgendaTest, NothingOfALaterCalendarStandsBehindWhereAnEarlierOneWasCutOff) {
  MergedAgenda agenda(1000);
  agenda.Add(PageOf({"2026-03-01"}, PlaceOn("2026-03-03")));
  agenda.Add(PageOf({"2026-03-02", "2026-03-05"}));
  agenda.Add(PageOf({"2026-03-01", "2026-03-06"}, PlaceOn("2026-03-07")));
  EXPECT_THAT(DaysOf(agenda), ElementsAre("2026-03-01", "2026-03-01", "2026-03-02"));
  EXPECT_EQ(agenda.End(), PlaceOn("2026-03-03"));
  EXPECT_EQ(agenda.Bytes(), 30U);
}

TEST(MergedAgendaTest, OneItemIsAlwaysTaken) {
  MergedAgenda agenda(5);
  agenda.Add(PageOf({"2026-03-01", "2026-03-05"}));
  EXPECT_THAT(DaysOf(agenda), ElementsAre("2026-03-01"));
  EXPECT_EQ(agenda.End(), PlaceOn("2026-03-05"));
}

}  // namespace
}  // namespace atrium::calendar
