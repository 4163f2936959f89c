// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "calendar/ical_entries.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/json_write.h"
#include "base/testing.h"
#include "calendar/entry_rules.h"
#include "calendar/ical_merge.h"
#include "calendar/ical_series.h"
#include "calendar/occurrences.h"
#include "calendar/records.h"
#include "icalendar/item.h"
#include "icalendar/read.h"
#include "icalendar/write.h"

namespace atrium::calendar {
namespace {

using icalendar::FoundItem;
using icalendar::Item;
using icalendar::ItemKind;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::MatchesRegex;
using ::testing::Not;
using ::testing::SizeIs;

Date Today() {
  return Date::Parse("2026-03-01").value();
}

LocalTime At(std::string_view text) {
  return LocalTime::Parse(text).value();
}

Item Meeting() {
  return {.kind = ItemKind::kEvent,
          .uid = "a@x",
          .summary = "Meeting",
          .zone = "Europe/Berlin",
          .start = At("2026-03-02T09:00"),
          .end = At("2026-03-02T10:00")};
}

Item Days(std::string_view first, std::string_view behind) {
  return {.kind = ItemKind::kEvent,
          .uid = "a@x",
          .summary = "Days",
          .all_day = true,
          .start = At(first),
          .end = At(behind)};
}

Entry EntryOf(const Item& item) {
  const Result<EntryDraft> draft = DraftOf(item, Today());
  EXPECT_THAT(draft, IsOk());
  return draft ? draft->entry : Entry{};
}

TEST(DraftTest, DaysBecomeOneDayOrSeveral) {
  const Entry one = EntryOf(Days("2026-03-02", "2026-03-03"));
  EXPECT_EQ(one.kind, EntryKind::kAllDay);
  EXPECT_EQ(one.end_date, one.start_date);
  const Entry several = EntryOf(Days("2026-03-02", "2026-03-05"));
  EXPECT_EQ(several.kind, EntryKind::kMultiDay);
  EXPECT_EQ(several.end_date.Render(), "2026-03-04");
}

TEST(DraftTest, AMeetingHasTimesInItsZone) {
  const Entry entry = EntryOf(Meeting());
  EXPECT_EQ(entry.kind, EntryKind::kTimed);
  EXPECT_EQ(entry.start_time->Render(), "09:00");
  EXPECT_EQ(entry.time_zone, "Europe/Berlin");
}

TEST(DraftTest, ATaskIsOnTheDayItIsDue) {
  Item item{.kind = ItemKind::kTodo,
            .uid = "t@x",
            .summary = "Taxes",
            .all_day = true,
            .start = At("2026-03-02"),
            .end = At("2026-03-06")};
  EXPECT_EQ(EntryOf(item).start_date.Render(), "2026-03-06");
  item.rule = "FREQ=WEEKLY";
  EXPECT_EQ(EntryOf(item).start_date.Render(), "2026-03-02") << "a rule counts from the start";
}

TEST(DraftTest, ATaskWithoutADayIsOnTheDayItWasMade) {
  Item item{.kind = ItemKind::kTodo, .uid = "t@x", .summary = "Taxes"};
  const Result<EntryDraft> today = DraftOf(item, Today());
  ASSERT_THAT(today, IsOk());
  EXPECT_TRUE(today->undated);
  EXPECT_EQ(today->entry.start_date, Today());
  item.created = ParseInstant("2020-05-06T07:08:09Z").value();
  EXPECT_EQ(EntryOf(item).start_date.Render(), "2020-05-06");
}

TEST(DraftTest, PeopleAndTheAddressOfMoreAreKept) {
  Item item = Meeting();
  item.url = "https://example.org/";
  item.organizer = Organizer{.address = "ann@example.org"};
  item.attendees = {{.address = "ben@example.org"}, {.address = "urn:x"}};
  const Entry entry = EntryOf(item);
  EXPECT_EQ(entry.url, item.url);
  EXPECT_EQ(entry.organizer, item.organizer);
  EXPECT_EQ(entry.attendees, item.attendees);
}

TEST(DraftTest, WhatNoPageMayLeadToIsToldAndNotKept) {
  Item item = Meeting();
  item.url = "javascript:alert(1)";
  const Result<EntryDraft> draft = DraftOf(item, Today());
  ASSERT_THAT(draft, IsOk());
  EXPECT_EQ(draft->entry.url, std::nullopt);
  EXPECT_THAT(draft->notes, Contains(HasSubstr("URL not kept: \"javascript:alert(1)\"")));
}

TEST(DraftTest, TooManyPeopleAreCutWithANote) {
  Item item = Meeting();
  item.attendees = std::vector<Attendee>(kAttendees + 5, Attendee{.address = "a@b"});
  const Result<EntryDraft> many = DraftOf(item, Today());
  ASSERT_THAT(many, IsOk());
  EXPECT_THAT(*many->entry.attendees, SizeIs(kAttendees));
  EXPECT_THAT(many->notes, Contains("ATTENDEE not kept beyond the first 200 of 205"));
  for (Attendee& one : item.attendees) {
    one.name = std::string(250, 'n');
  }
  const Result<EntryDraft> long_ones = DraftOf(item, Today());
  ASSERT_THAT(long_ones, IsOk());
  EXPECT_LT(long_ones->entry.attendees->size(), kAttendees);
  EXPECT_THAT(*long_ones->entry.attendees->front().name, SizeIs(kPersonNameLength));
  item.attendees = {{.address = std::string(kPersonAddressBytes + 1, 'a')}};
  EXPECT_EQ(EntryOf(item).attendees, std::nullopt);
}

TEST(DraftTest, PeopleNeverCostTheEntry) {
  Item item = Meeting();
  item.description = std::string(kDescriptionBytes, '\n');
  item.attendees =
      std::vector<Attendee>(100, Attendee{.address = "a@b", .name = std::string(100, 'n')});
  const Result<EntryDraft> draft = DraftOf(item, Today());
  ASSERT_THAT(draft, IsOk());
  EXPECT_EQ(draft->entry.attendees, std::nullopt);
  EXPECT_THAT(draft->notes, Contains("ATTENDEE not kept: the entry is too large"));
}

TEST(DraftTest, LongWordsAreCutWithANote) {
  Item item = Meeting();
  item.summary = std::string(250, 'x');
  item.location = std::string(600, 'y');
  item.description = std::string(20'000, 'z');
  const Result<EntryDraft> draft = DraftOf(item, Today());
  ASSERT_THAT(draft, IsOk());
  EXPECT_THAT(draft->entry.title, SizeIs(kTitleLength));
  EXPECT_THAT(*draft->entry.location, SizeIs(kLocationLength));
  EXPECT_THAT(*draft->entry.description, SizeIs(kDescriptionBytes));
  EXPECT_THAT(draft->notes, SizeIs(3));
}

TEST(DraftTest, WithoutWordsItIsUntitled) {
  Item item = Meeting();
  item.summary = " \n ";
  item.location = "  ";
  const Entry entry = EntryOf(item);
  EXPECT_EQ(entry.title, "Untitled");
  EXPECT_EQ(entry.location, std::nullopt);
}

TEST(DraftTest, WhatLastsTooLongIsRefused) {
  EXPECT_THAT(DraftOf(Days("2026-03-02", "2056-03-05"), Today()),
              FailsWith(ErrorCode::kInvalidArgument));
}

TEST(DraftTest, RemindersThatCannotBeAreLeftOut) {
  Item item = Meeting();
  item.reminders = {std::chrono::minutes(-5), std::chrono::minutes(10), std::chrono::days(60)};
  const Result<EntryDraft> draft = DraftOf(item, Today());
  ASSERT_THAT(draft, IsOk());
  EXPECT_EQ(draft->entry.reminders, std::vector<Reminder>{{.minutes_before = 10}});
  EXPECT_THAT(draft->notes, Contains(HasSubstr("reminder")));
}

class SeriesBuilderTest : public ::testing::Test {
 protected:
  SeriesBuilderTest() {
    Item item = Meeting();
    item.rule = "FREQ=DAILY;COUNT=5";
    series_ = EntryOf(item);
  }

  static Item Changed(std::string_view occurrence, std::string_view start) {
    Item item = Meeting();
    item.recurrence_id = {.at = At(occurrence), .zone = "Europe/Berlin"};
    item.start = At(start);
    item.end = At(start) + std::chrono::hours(1);
    return item;
  }

  Result<SeriesBuilder::Outcome> Take(SeriesBuilder& builder, const Item& item) {
    return builder.Take(item, notes_);
  }

  Entry series_{};
  std::vector<std::string> notes_{};
};

TEST_F(SeriesBuilderTest, OnlyWhatDiffersIsKept) {
  SeriesBuilder builder(series_);
  EXPECT_THAT(Take(builder, Changed("2026-03-03T09:00", "2026-03-03T11:00")),
              Holds(SeriesBuilder::Outcome::kTaken));
  EXPECT_THAT(Take(builder, Changed("2026-03-04T09:00", "2026-03-04T09:00")),
              Holds(SeriesBuilder::Outcome::kTaken));
  const Result<Entry> series = std::move(builder).Finish(notes_);
  ASSERT_THAT(series, IsOk());
  const Override expected{.occurrence = At("2026-03-03T09:00"),
                          .start_time = TimeOfDay::Parse("11:00").value(),
                          .end_time = TimeOfDay::Parse("12:00").value()};
  EXPECT_EQ(series->recurrence->overrides, std::vector<Override>{expected});
}

TEST_F(SeriesBuilderTest, TimesOfAnotherZoneAreTakenInThatOfTheSeries) {
  Item item = Changed("2026-03-03T09:00", "2026-03-03T10:00");
  item.zone = "UTC";
  item.recurrence_id = {.at = At("2026-03-03T08:00"), .zone = "UTC"};
  SeriesBuilder builder(series_);
  EXPECT_THAT(Take(builder, item), Holds(SeriesBuilder::Outcome::kTaken));
  const Result<Entry> series = std::move(builder).Finish(notes_);
  ASSERT_THAT(series, IsOk());
  ASSERT_THAT(series->recurrence->overrides, SizeIs(1));
  EXPECT_EQ(series->recurrence->overrides[0].start_time->Render(), "11:00");
}

TEST_F(SeriesBuilderTest, ACancelledOccurrenceIsAnException) {
  Item item = Changed("2026-03-03T09:00", "2026-03-03T09:00");
  item.cancelled = true;
  SeriesBuilder builder(series_);
  EXPECT_THAT(Take(builder, item), Holds(SeriesBuilder::Outcome::kTaken));
  const Result<Entry> series = std::move(builder).Finish(notes_);
  ASSERT_THAT(series, IsOk());
  EXPECT_EQ(series->recurrence->exceptions, std::vector{At("2026-03-03T09:00")});
}

TEST_F(SeriesBuilderTest, ADayAmongTimesStandsApartAndItsPlaceIsFree) {
  Item item = Days("2026-03-03", "2026-03-04");
  item.recurrence_id = {.at = At("2026-03-03T09:00"), .zone = "Europe/Berlin"};
  SeriesBuilder builder(series_);
  EXPECT_THAT(Take(builder, item), Holds(SeriesBuilder::Outcome::kApart));
  const Result<Entry> series = std::move(builder).Finish(notes_);
  ASSERT_THAT(series, IsOk());
  EXPECT_EQ(series->recurrence->exceptions, std::vector{At("2026-03-03T09:00")});
  EXPECT_EQ(UidApart(item), "a@x/2026-03-03T09:00");
}

TEST_F(SeriesBuilderTest, WhatTheSeriesDoesNotHaveStandsApart) {
  SeriesBuilder builder(series_);
  EXPECT_THAT(Take(builder, Changed("2026-04-03T09:00", "2026-04-03T11:00")),
              Holds(SeriesBuilder::Outcome::kApart));
  SeriesBuilder single(EntryOf(Meeting()));
  EXPECT_THAT(Take(single, Changed("2026-03-02T09:00", "2026-03-02T11:00")),
              Holds(SeriesBuilder::Outcome::kApart));
}

TEST(BusyItemsTest, SayWhenAndNotWhat) {
  Item item = Meeting();
  item.description = "Pain";
  item.color = "#112233";
  item.reminders = {std::chrono::minutes(5)};
  const auto items = BusyItemsOf(EntryOf(item));
  ASSERT_THAT(items, Holds(SizeIs(1)));
  Item expected = Meeting();
  expected.uid = items->front().uid;
  expected.summary = "Busy";
  EXPECT_EQ(items->front(), expected);
}

TEST(BusyItemsTest, HaveUidsThatStayAndTellNothing) {
  Entry entry = EntryOf(Meeting());
  entry.id = EntryId(Uuid::Parse("018f0000-0000-7000-8000-000000000007").value());
  const auto items = BusyItemsOf(entry);
  ASSERT_THAT(items, Holds(SizeIs(1)));
  EXPECT_THAT(items->front().uid, MatchesRegex("[0-9a-f]{32}@atrium"));
  EXPECT_THAT(items->front().uid, Not(HasSubstr("018f")));
  EXPECT_EQ(BusyItemsOf(entry)->front().uid, items->front().uid);
  entry.id = EntryId(Uuid::Parse("018f0000-0000-7000-8000-000000000008").value());
  EXPECT_NE(BusyItemsOf(entry)->front().uid, items->front().uid);
}

TEST(BusyItemsTest, WhatLeavesOneFreeIsNotThere) {
  Item item = Meeting();
  item.transparent = true;
  EXPECT_THAT(BusyItemsOf(EntryOf(item)), Holds(IsEmpty()));
  item.kind = ItemKind::kTodo;
  item.transparent = false;
  EXPECT_THAT(BusyItemsOf(EntryOf(item)), Holds(IsEmpty()));
}

TEST(UidTest, OursNameTheEntry) {
  const EntryId id(Uuid::Parse("00000000-0000-4000-8000-000000000007").value());
  EXPECT_EQ(UidOf({.id = id}), "00000000-0000-4000-8000-000000000007@atrium");
  EXPECT_EQ(EntryNamedBy(UidOf({.id = id})), id);
  EXPECT_EQ(EntryNamedBy("00000000-0000-4000-8000-000000000007@other"), std::nullopt);
  EXPECT_EQ(EntryNamedBy("x@atrium"), std::nullopt);
}

TEST(MergedTest, WhatFilesCannotSayStays) {
  Entry before = EntryOf(Meeting());
  before.color = "#AAbbCC";
  before.description = "one\r\ntwo";
  before.reminders = {{.minutes_before = 60}, {.minutes_before = 10}};
  EntryDraft draft{.entry = before};
  draft.entry.color = "#AABBCC";
  draft.entry.description = "one\ntwo";
  draft.entry.reminders = {{.minutes_before = 10}, {.minutes_before = 60}};
  EXPECT_TRUE(SayTheSame(Merged(before, draft), before));
  draft.entry.title = "Other";
  EXPECT_FALSE(SayTheSame(Merged(before, draft), before));
}

/// Makes up entries, always the same ones.
class EntryMaker {
 public:
  Entry Make() {
    Entry entry{.title = Words(), .start_date = Today() + Number(-2000, 2000)};
    entry.end_date = entry.start_date;
    SetKind(entry);
    entry.description = Maybe(Words() + "\n\t\\n;,\"" + Words());
    entry.location = Maybe(Words());
    entry.color = Maybe(std::string("#3B82F6"));
    entry.url = Maybe(std::string("https://example.org/a;b,c?d"));
    entry.organizer = Maybe(Organizer{.address = "ann@example.org", .name = Words() + "."});
    entry.attendees = Maybe(People());
    for (int i = Number(0, 3); i > 0; --i) {
      entry.reminders.push_back({.minutes_before = 100 - 10 * i});
    }
    if (Number(0, 2) == 0) {
      Repeat(entry);
    }
    return entry;
  }

  int Number(int least, int most) {
    return std::uniform_int_distribution<int>(least, most)(random_);
  }

 private:
  std::string Words() {
    constexpr auto kWords = std::to_array<std::string_view>(
        {"Zahnarzt", "a:b;c,d", "\\", "\"x\"", "Übung", "会議", "🎉", " ", "BEGIN:VEVENT"});
    std::string text = "w";
    for (int i = Number(1, 12); i > 0; --i) {
      text += kWords.at(static_cast<std::size_t>(Number(0, static_cast<int>(kWords.size()) - 1)));
    }
    return text;
  }

  std::vector<Attendee> People() {
    std::vector<Attendee> people;
    for (int i = Number(1, 4); i > 0; --i) {
      people.push_back({.address = "p" + std::to_string(i) + "@example.org",
                        .name = Words() + ".",
                        .status = icalendar::ParticipationStatus::kTentative,
                        .rsvp = Number(0, 1) == 1});
    }
    return people;
  }

  template <typename T>
  std::optional<T> Maybe(T value) {
    return Number(0, 1) == 0 ? std::nullopt : std::optional(std::move(value));
  }

  void SetKind(Entry& entry) {
    constexpr auto kZones = std::to_array<std::string_view>(
        {"Europe/Berlin", "America/New_York", "Asia/Kolkata", "UTC", "Australia/Lord_Howe"});
    entry.kind = static_cast<EntryKind>(Number(0, 3));
    const bool has_time =
        entry.kind == EntryKind::kTimed || (entry.kind == EntryKind::kTask && Number(0, 1) == 1);
    if (has_time) {
      entry.start_time = TimeOfDay::FromSeconds(Number(0, 40'000));
      entry.end_time = TimeOfDay::FromSeconds(Number(40'000, 86'399));
      entry.time_zone = std::string(
          kZones.at(static_cast<std::size_t>(Number(0, static_cast<int>(kZones.size()) - 1))));
    }
    if (entry.kind == EntryKind::kTimed || entry.kind == EntryKind::kMultiDay) {
      entry.end_date = entry.start_date + Number(1, 9);
    }
    entry.completed = Number(0, 1) == 1;
    entry.transparent = entry.kind != EntryKind::kTask && Number(0, 3) == 0;
  }

  void Repeat(Entry& entry) {
    constexpr auto kRules = std::to_array<std::string_view>(
        {"FREQ=DAILY", "FREQ=WEEKLY;INTERVAL=2", "FREQ=DAILY;COUNT=40", "FREQ=DAILY;INTERVAL=3"});
    entry.recurrence =
        Recurrence{.rule = std::string(kRules.at(static_cast<std::size_t>(Number(0, 3))))};
    const LocalTime start{.date = entry.start_date, .time = entry.start_time.value_or(TimeOfDay())};
    constexpr int kTwelveWeeks = 84;
    entry.recurrence->additions = {start + std::chrono::days(kTwelveWeeks + 1)};
    const LocalTime later = start + std::chrono::days(kTwelveWeeks / 2);
    if (Number(0, 1) == 1 && entry.recurrence->rule != kRules[2]) {
      entry.recurrence->exceptions = {later};
      return;
    }
    Override one{.occurrence = start, .title = Words() + "!", .location = "elsewhere"};
    if (entry.attendees) {
      one.attendees = Number(0, 1) == 0 ? std::vector<Attendee>()
                                        : std::vector{Attendee{.address = "new@example.org"}};
      one.url = entry.url ? "" : "https://example.org/other";
    }
    if (entry.organizer) {
      one.organizer = Organizer{};
    }
    if (entry.kind != EntryKind::kTask) {
      one.start_date = entry.start_date + 1;
      one.end_date = entry.end_date + 2;
    }
    if (entry.kind == EntryKind::kTask) {
      one.completed = !entry.completed;
    }
    entry.recurrence->overrides = {one};
  }

  std::mt19937 random_{20260301};
};

/// What a reader of the file makes of it.
Result<Entry> ReadBack(const std::string& text) {
  ASSIGN_OR_RETURN(const std::vector<icalendar::Finding> findings, icalendar::ReadItems(text));
  std::vector<FoundItem> items;
  for (const icalendar::Finding& finding : findings) {
    items.push_back(std::get<FoundItem>(finding));
    EXPECT_THAT(items.back().notes, IsEmpty());
  }
  ASSIGN_OR_RETURN(const EntryDraft draft, DraftOf(items.front().item, Today()));
  EXPECT_THAT(draft.notes, IsEmpty());
  SeriesBuilder builder(draft.entry);
  std::vector<std::string> notes;
  for (std::size_t i = 1; i < items.size(); ++i) {
    EXPECT_THAT(builder.Take(items[i].item, notes), Holds(SeriesBuilder::Outcome::kTaken));
  }
  EXPECT_THAT(notes, IsEmpty());
  return std::move(builder).Finish(notes);
}

TEST(RoundTripTest, WhatIsWrittenReadsBackTheSame) {
  EntryMaker maker;
  for (int i = 0; i < 1000; ++i) {
    Entry entry = maker.Make();
    ASSERT_THAT(Settle(entry), IsOk()) << ToJson(entry);
    entry.uid = std::to_string(i) + "@x";
    const Result<std::vector<Item>> items = ItemsOf(entry);
    ASSERT_THAT(items, IsOk());
    icalendar::Writer writer{Instant()};
    std::string text = writer.Begin({.name = "Work"});
    for (const Item& item : *items) {
      const Result<std::string> piece = writer.Add(item);
      ASSERT_THAT(piece, IsOk());
      text += *piece;
    }
    text += writer.End();
    const Result<Entry> back = ReadBack(text);
    ASSERT_THAT(back, IsOk()) << text;
    ASSERT_EQ(ToJson(*back), ToJson(entry)) << text;
  }
}

}  // namespace
}  // namespace atrium::calendar
