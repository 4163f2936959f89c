// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "calendar/series_edits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "calendar/entry_rules.h"
#include "calendar/occurrences.h"
#include "calendar/occurrences_testing.h"
#include "calendar/room_testing.h"

namespace atrium::calendar {
namespace {

using testing::At;
using testing::Day;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::Time;

constexpr const char* kZone = "Europe/Berlin";

/// Mondays at nine; 2026-03-02 is one.
Entry Mondays(const std::string& rule = "FREQ=WEEKLY;BYDAY=MO;COUNT=5") {
  const auto entry = Compose({.kind = EntryKind::kTimed,
                              .title = "Choir",
                              .start_date = Day("2026-03-02"),
                              .start_time = Time("09:00"),
                              .end_time = Time("10:00"),
                              .recurrence = RecurrenceFields{.rule = rule}},
                             kZone);
  EXPECT_THAT(entry, IsOk());
  return entry.value_or(Entry{});
}

/// "2026-03-02T09:00 Choir" for each occurrence up to the end of 2026.
std::vector<std::string> Take(const Entry& entry) {
  almanac::ExpansionBudget budget = BudgetForOne();
  std::vector<std::string> taken;
  for (const Occurrence& one : testing::OccurrencesOf(
           entry, {.from = Day("2026-01-01"), .to = Day("2026-12-31")}, budget)) {
    taken.push_back(StartOf(one.entry).Render() + " " + one.entry.title);
  }
  return taken;
}

TEST(SeriesEditsTest, OneOccurrenceMayDiffer) {
  const auto changed = ChangeThis(Mondays(), At("2026-03-09T09:00"),
                                  {.title = "Concert", .start_time = Time("19:00")}, kZone);
  ASSERT_THAT(changed, IsOk());
  EXPECT_THAT(Take(*changed), ElementsAre("2026-03-02T09:00 Choir", "2026-03-09T19:00 Concert",
                                          "2026-03-16T09:00 Choir", "2026-03-23T09:00 Choir",
                                          "2026-03-30T09:00 Choir"));
  // Back to what the series says: nothing is left of it.
  const auto back = ChangeThis(*changed, At("2026-03-09T09:00"),
                               {.title = "Choir", .start_time = Time("09:00")}, kZone);
  ASSERT_THAT(back, IsOk());
  EXPECT_THAT(back->recurrence->overrides, IsEmpty());
}

TEST(SeriesEditsTest, OnlyWhatTheSeriesHasCanBeChanged) {
  EXPECT_THAT(ChangeThis(Mondays(), At("2026-03-10T09:00"), {.title = "X"}, kZone),
              FailsWith(ErrorCode::kNotFound));
  EXPECT_THAT(ChangeThis(Mondays(), At("2026-03-09T09:00"), {.kind = EntryKind::kTask}, kZone),
              FailsSaying(ErrorCode::kInvalidArgument, "kind"));
}

TEST(SeriesEditsTest, DroppingTheLastOneLeavesNothing) {
  Entry entry = Mondays("FREQ=WEEKLY;COUNT=2");
  auto rest = DropThis(entry, At("2026-03-02T09:00"));
  ASSERT_THAT(rest, IsOk());
  ASSERT_TRUE(*rest);
  EXPECT_THAT(Take(**rest), ElementsAre("2026-03-09T09:00 Choir"));
  EXPECT_THAT(DropThis(**rest, At("2026-03-09T09:00")), Holds(::testing::Eq(std::nullopt)));
}

TEST(SeriesEditsTest, ASplitLosesNothingAndDoublesNothing) {
  const auto split = SplitAt(Mondays(), At("2026-03-16T09:00"));
  ASSERT_THAT(split, IsOk());
  EXPECT_THAT(Take(*split->before),
              ElementsAre("2026-03-02T09:00 Choir", "2026-03-09T09:00 Choir"));
  EXPECT_THAT(Take(split->after), ElementsAre("2026-03-16T09:00 Choir", "2026-03-23T09:00 Choir",
                                              "2026-03-30T09:00 Choir"));
  const auto whole = SplitAt(Mondays(), At("2026-03-02T09:00"));
  ASSERT_THAT(whole, IsOk());
  EXPECT_FALSE(whole->before);
}

TEST(SeriesEditsTest, AWeeklySeriesMovesToAnotherWeekdayWithAllThatBelongsToIt) {
  Entry entry = Mondays();
  entry = **DropThis(entry, At("2026-03-09T09:00"));
  entry = *ChangeThis(entry, At("2026-03-16T09:00"), {.title = "Concert"}, kZone);
  const auto moved =
      ChangeAll(entry, At("2026-03-23T09:00"),
                {.start_date = Day("2026-03-25"), .start_time = Time("18:00")}, kZone);
  ASSERT_THAT(moved, IsOk());
  EXPECT_THAT(Take(*moved), ElementsAre("2026-03-04T18:00 Choir", "2026-03-18T18:00 Concert",
                                        "2026-03-25T18:00 Choir", "2026-04-01T18:00 Choir"));
}

TEST(SeriesEditsTest, ARuleThatNamesItsDaysOtherwiseMustComeAlong) {
  const Entry monthly = Mondays("FREQ=MONTHLY;BYDAY=1MO;COUNT=3");
  EXPECT_THAT(ChangeAll(monthly, std::nullopt, {.start_date = Day("2026-03-03")}, kZone),
              FailsSaying(ErrorCode::kInvalidArgument, "recurrence"));
  EXPECT_THAT(ChangeAll(monthly, std::nullopt,
                        {.start_date = Day("2026-03-03"),
                         .recurrence = RecurrenceFields{.rule = "FREQ=MONTHLY;BYDAY=1TU;COUNT=3"}},
                        kZone),
              IsOk());
}

}  // namespace
}  // namespace atrium::calendar
