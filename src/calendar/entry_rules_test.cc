// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "calendar/entry_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "calendar/room_testing.h"

namespace atrium::calendar {
namespace {

using testing::At;
using testing::Day;
using testing::Time;

constexpr const char* kZone = "Europe/Berlin";

EntryFields Timed() {
  return {.kind = EntryKind::kTimed,
          .title = "Meeting",
          .start_date = Day("2026-03-01"),
          .start_time = Time("09:00"),
          .end_time = Time("10:00")};
}

Result<Entry> Make(const EntryFields& fields) {
  return Compose(fields, kZone);
}

TEST(EntryRulesTest, ATimedEntryHasBothTimesAndTheZoneOfItsWriter) {
  const auto entry = Make(Timed());
  ASSERT_THAT(entry, IsOk());
  EXPECT_TRUE(entry->is_timed);
  EXPECT_EQ(entry->time_zone, kZone);
  EXPECT_EQ(entry->end_date, Day("2026-03-01"));
  EntryFields without_end = Timed();
  without_end.end_time.reset();
  EXPECT_THAT(Make(without_end), FailsSaying(ErrorCode::kInvalidArgument, "end_time"));
}

TEST(EntryRulesTest, WholeDaysHaveNoZone) {
  EntryFields fields = Timed();
  fields.kind = EntryKind::kMultiDay;
  fields.end_date = Day("2026-03-03");
  fields.time_zone = kZone;
  const auto entry = Make(fields);
  ASSERT_THAT(entry, IsOk());
  EXPECT_EQ(entry->time_zone, std::nullopt);
  EXPECT_EQ(entry->start_time, std::nullopt);
}

TEST(EntryRulesTest, AnEndIsNotBeforeItsStart) {
  EntryFields fields = Timed();
  fields.end_time = Time("08:00");
  EXPECT_THAT(Make(fields), FailsSaying(ErrorCode::kInvalidArgument, "end_time"));
  fields.end_date = Day("2026-03-02");
  EXPECT_THAT(Make(fields), IsOk());
  fields.end_date = Day("2026-02-28");
  EXPECT_THAT(Make(fields), FailsSaying(ErrorCode::kInvalidArgument, "end_date"));
  fields.end_date = Day("2046-03-01");
  EXPECT_THAT(Make(fields), FailsSaying(ErrorCode::kInvalidArgument, "end_date"));
}

TEST(EntryRulesTest, TextsAreBounded) {
  const auto with_title = [](std::string title) {
    EntryFields fields = Timed();
    fields.title = std::move(title);
    return Make(fields);
  };
  EXPECT_THAT(with_title(std::string(200, 'x')), IsOk());
  EXPECT_THAT(with_title(std::string(201, 'x')), FailsSaying(ErrorCode::kInvalidArgument, "title"));
  EXPECT_THAT(with_title("  "), FailsSaying(ErrorCode::kInvalidArgument, "title"));
  EXPECT_THAT(with_title("two\nlines"), FailsSaying(ErrorCode::kInvalidArgument, "title"));
  EXPECT_THAT(with_title("\xff"), FailsSaying(ErrorCode::kInvalidArgument, "title"));
  EntryFields fields = Timed();
  fields.color = "blue";
  EXPECT_THAT(Make(fields), FailsSaying(ErrorCode::kInvalidArgument, "color"));
  fields.color = "#12aBcD";
  EXPECT_THAT(Make(fields), IsOk());
  fields.description = std::string(kDescriptionBytes + 1, 'x');
  EXPECT_THAT(Make(fields), FailsSaying(ErrorCode::kInvalidArgument, "description"));
}

TEST(EntryRulesTest, UnknownZonesAndHostileRulesAreRefused) {
  EntryFields fields = Timed();
  fields.time_zone = "Mars/Olympus";
  EXPECT_THAT(Make(fields), FailsSaying(ErrorCode::kInvalidArgument, "time_zone"));
  fields = Timed();
  fields.recurrence = RecurrenceFields{.rule = "FREQ=SECONDLY"};
  EXPECT_THAT(Make(fields), FailsSaying(ErrorCode::kInvalidArgument, "recurrence"));
}

TEST(EntryRulesTest, AStartThatMovesTakesTheEndAlong) {
  const Entry entry = Make(Timed()).value();
  const auto moved =
      Apply({.start_date = Day("2026-03-05"), .start_time = Time("23:30")}, kZone, entry);
  ASSERT_THAT(moved, IsOk());
  EXPECT_EQ(moved->end_date, Day("2026-03-06"));
  EXPECT_EQ(moved->end_time, Time("00:30"));
}

TEST(EntryRulesTest, WhatBecomesTimedWithoutTimesIsInTheMorning) {
  const Entry day =
      Make({.kind = EntryKind::kAllDay, .title = "Day", .start_date = Day("2026-03-01")}).value();
  auto timed = Apply({.kind = EntryKind::kTimed}, kZone, day);
  ASSERT_THAT(timed, IsOk());
  ASSERT_THAT(Settle(*timed), IsOk());
  EXPECT_EQ(timed->start_time, Time("09:00"));
  EXPECT_EQ(timed->end_time, Time("10:00"));
  EXPECT_EQ(timed->time_zone, kZone);
}

TEST(EntryRulesTest, ATaskCanLoseItsTime) {
  EntryFields fields = Timed();
  fields.kind = EntryKind::kTask;
  const Entry task = Make(fields).value();
  ASSERT_EQ(task.start_time, Time("09:00"));
  EntryFields without;
  without.start_time.emplace();
  const auto free = Apply(without, kZone, task);
  ASSERT_THAT(free, IsOk());
  EXPECT_EQ(free->start_time, std::nullopt);
  EXPECT_EQ(free->end_time, std::nullopt);
  EXPECT_EQ(free->time_zone, std::nullopt);
  const auto timed = Apply(without, kZone, Make(Timed()).value());
  ASSERT_THAT(timed, IsOk());
  EXPECT_EQ(timed->start_time, Time("09:00"));
}

TEST(EntryRulesTest, AnAddressOfMoreIsOneOfTheWeb) {
  for (const std::string_view good :
       {"https://example.org", "HTTP://example.org/a?b={c}#d", "https://example.org/ü"}) {
    EntryFields fields = Timed();
    fields.url = std::string(good);
    EXPECT_THAT(Make(fields), IsOk()) << good;
  }
  for (const std::string_view bad :
       {"javascript:alert(1)", "https://", "https:///x", "ftp://example.org", "example.org",
        "https://ann:secret@example.org", "https://example.org/a b", "https://example.org/\n"}) {
    EntryFields fields = Timed();
    fields.url = std::string(bad);
    EXPECT_THAT(Make(fields), FailsSaying(ErrorCode::kInvalidArgument, "url: must be")) << bad;
  }
}

TEST(EntryRulesTest, PeopleAreBounded) {
  Entry entry = Make(Timed()).value();
  entry.attendees = std::vector<Attendee>(kAttendees + 1, Attendee{.address = "a@b"});
  EXPECT_THAT(Settle(entry), FailsSaying(ErrorCode::kInvalidArgument, "attendees: at most 200"));
  entry.attendees = {{.address = "a@b", .name = "two\nlines"}};
  EXPECT_THAT(Settle(entry), FailsSaying(ErrorCode::kInvalidArgument, "attendees: one line"));
  entry.attendees.reset();
  entry.organizer = Organizer{.address = ""};
  EXPECT_THAT(Settle(entry), FailsSaying(ErrorCode::kInvalidArgument, "organizer: an address"));
}

TEST(EntryRulesTest, TheLastOccurrenceIsFoundWhenItIsWritten) {
  EntryFields fields = Timed();
  fields.recurrence = RecurrenceFields{.rule = "freq=daily;count=3"};
  const auto entry = Make(fields);
  ASSERT_THAT(entry, IsOk());
  EXPECT_EQ(entry->recurrence->rule, "FREQ=DAILY;COUNT=3");
  EXPECT_EQ(entry->recurrence->last, At("2026-03-03T09:00"));
}

}  // namespace
}  // namespace atrium::calendar
