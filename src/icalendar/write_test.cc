// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "icalendar/write.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <libical/ical.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "almanac/date.h"
#include "almanac/local_time.h"
#include "almanac/time_of_day.h"
#include "base/error.h"
#include "base/instant.h"
#include "base/result.h"
#include "base/testing.h"
#include "icalendar/item.h"
#include "icalendar/participant.h"
#include "icalendar/read.h"

namespace atrium::icalendar {
namespace {

using almanac::LocalTime;
using std::chrono::minutes;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

constexpr std::string_view kWrittenAt = "2026-02-01T12:00:00Z";

LocalTime At(std::string_view text) {
  return *LocalTime::Parse(text);
}

std::string Write(const std::vector<Item>& items) {
  Writer writer(*ParseInstant(kWrittenAt));
  std::string text = writer.Begin({.name = "Work"});
  for (const Item& item : items) {
    const Result<std::string> piece = writer.Add(item);
    EXPECT_THAT(piece, IsOk());
    text += piece.value_or("");
  }
  return text + writer.End();
}

Item Lunch() {
  return {.kind = ItemKind::kEvent,
          .uid = "lunch",
          .summary = "Lunch, with soup",
          .zone = "Europe/Berlin",
          .start = At("2026-03-01T12:00"),
          .end = At("2026-03-01T13:00")};
}

/// Without the VTIMEZONE.
std::string EventIn(const std::string& text) {
  const std::size_t begin = text.find("BEGIN:VEVENT");
  return begin == std::string::npos ? "" : text.substr(begin);
}

TEST(WriterTest, AnEventIsWrittenWithItsZone) {
  EXPECT_EQ(EventIn(Write({Lunch()})),
            "BEGIN:VEVENT\r\nUID:lunch\r\nDTSTAMP:20260201T120000Z\r\n"
            "DTSTART;TZID=Europe/Berlin:20260301T120000\r\n"
            "DTEND;TZID=Europe/Berlin:20260301T130000\r\nSUMMARY:Lunch\\, with soup\r\n"
            "END:VEVENT\r\nEND:VCALENDAR\r\n");
}

TEST(WriterTest, AZoneIsDescribedOnceBeforeItsFirstUse) {
  const std::string text = Write({Lunch(), Lunch()});
  const std::size_t zone = text.find("BEGIN:VTIMEZONE\r\nTZID:Europe/Berlin");
  ASSERT_NE(zone, std::string::npos);
  EXPECT_LT(zone, text.find("BEGIN:VEVENT"));
  EXPECT_EQ(text.find("BEGIN:VTIMEZONE", zone + 1), std::string::npos);
}

TEST(WriterTest, UtcFloatingAndAllDayNeedNoZone) {
  Item utc = Lunch();
  utc.zone = "UTC";
  Item floating = Lunch();
  floating.zone = "";
  Item day = Lunch();
  day.all_day = true;
  day.zone = "";
  const std::string text = Write({utc, floating, day});
  EXPECT_THAT(text, Not(HasSubstr("VTIMEZONE")));
  EXPECT_THAT(text, HasSubstr("DTSTART:20260301T120000Z\r\n"));
  EXPECT_THAT(text, HasSubstr("DTSTART:20260301T120000\r\n"));
  EXPECT_THAT(text, HasSubstr("DTSTART;VALUE=DATE:20260301\r\n"));
}

TEST(WriterTest, UntilIsInUtcBesideAZone) {
  Item item = Lunch();
  item.rule = "FREQ=WEEKLY;UNTIL=20260401T120000;BYDAY=SU";
  EXPECT_THAT(Write({item}), HasSubstr("RRULE:FREQ=WEEKLY;UNTIL=20260401T100000Z;BYDAY=SU\r\n"));
  item.zone = "";
  EXPECT_THAT(Write({item}), HasSubstr("RRULE:FREQ=WEEKLY;UNTIL=20260401T120000;BYDAY=SU\r\n"));
}

TEST(WriterTest, ATaskSaysThatItIsDone) {
  Item task{.kind = ItemKind::kTodo,
            .uid = "t",
            .end = At("2026-03-01T12:00"),
            .completed = true,
            .completed_at = *ParseInstant("2026-03-01T11:00:00Z")};
  EXPECT_THAT(Write({task}), HasSubstr("DUE:20260301T120000\r\nSTATUS:COMPLETED\r\n"
                                       "COMPLETED:20260301T110000Z\r\nPERCENT-COMPLETE:100\r\n"));
}

TEST(WriterTest, RemindersAreDisplays) {
  Item item = Lunch();
  item.reminders = {minutes(15)};
  EXPECT_THAT(Write({item}), HasSubstr("BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER:-PT15M\r\n"
                                       "DESCRIPTION:Lunch\\, with soup\r\nEND:VALARM\r\n"));
}

TEST(WriterTest, TheHeadSaysTheSameInOldAndNewWords) {
  const CalendarHead head{.name = "Work; ours",
                          .description = "About",
                          .color = "#1e90fe",
                          .refresh_interval = minutes(60)};
  const std::string text = Writer(Instant()).Begin(head);
  EXPECT_EQ(text,
            "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Atrium//Atrium//EN\r\n"
            "CALSCALE:GREGORIAN\r\nNAME:Work\\; ours\r\nX-WR-CALNAME:Work\\; ours\r\n"
            "DESCRIPTION:About\r\nX-WR-CALDESC:About\r\nCOLOR:dodgerblue\r\n"
            "X-APPLE-CALENDAR-COLOR:#1e90fe\r\nREFRESH-INTERVAL;VALUE=DURATION:PT60M\r\n"
            "X-PUBLISHED-TTL:PT60M\r\n");
  const std::string whole = text + "END:VCALENDAR\r\n";
  const Result<ItemReader> reader = ItemReader::Open(whole);
  ASSERT_THAT(reader, IsOk());
  EXPECT_EQ(reader->Head(), head);
}

TEST(WriterTest, AnUnknownZoneCostsItsItemOnly) {
  Writer writer((Instant()));
  Item item = Lunch();
  item.recurrence_id = RecurrenceId{.at = At("2026-03-01T12:00"), .zone = "Nowhere"};
  EXPECT_THAT(writer.Add(item), FailsWith(ErrorCode::kInvalidArgument));
  EXPECT_THAT(writer.Add(Lunch()), Holds(HasSubstr("BEGIN:VTIMEZONE\r\nTZID:Europe/Berlin")));
}

TEST(WriterTest, LinesAreFoldedAt75Bytes) {
  Item item = Lunch();
  item.description = "Grüße: ";
  for (int i = 0; i < 100; ++i) {
    item.description += "äöü\n";
  }
  const std::string text = Write({item});
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::size_t end = rest.find("\r\n");
    ASSERT_NE(end, std::string_view::npos);
    EXPECT_LE(end, 75U) << rest.substr(0, end);
    rest.remove_prefix(end + 2);
  }
}

/// Makes items such as ReadItems() answers.
class ItemMaker {
 public:
  explicit ItemMaker(std::uint32_t seed) : random_(seed) {}

  Item Make() {
    Item item{.kind = Chance(3) ? ItemKind::kTodo : ItemKind::kEvent,
              .uid = "id" + Text(),
              .summary = Text(),
              .description = Text(),
              .location = Text()};
    item.all_day = Chance(3);
    item.zone = item.all_day ? "" : std::string(kZones.at(Below(kZones.size())));
    PutTimes(item);
    PutRecurrence(item);
    PutState(item);
    PutPeople(item);
    return item;
  }

 private:
  static constexpr std::array<std::string_view, 6> kZones{
      "", "UTC", "Europe/Berlin", "America/New_York", "Australia/Sydney", "Asia/Kolkata"};

  std::size_t Below(std::size_t bound) { return random_() % bound; }
  bool Chance(std::size_t one_in) { return Below(one_in) == 0; }

  std::string Text() {
    constexpr std::array<std::string_view, 14> kPieces{
        "a", " ", "\n", "\t", "\\", ",", ";", ":", "\"", "ü", "🎉", "\\n", "BEGIN:VEVENT", "END"};
    std::string text;
    for (std::size_t i = Below(60); i > 0; --i) {
      text += kPieces.at(Below(kPieces.size()));
    }
    return text;
  }

  /// What parameters of ours may hold: one line, without blanks around it.
  std::optional<std::string> Name() {
    constexpr std::array<std::string_view, 11> kPieces{"a",  " ", "^",  ",", ";",  ":",
                                                       "\"", "'", "^n", "ü", "Ann"};
    std::string name = "n";
    for (std::size_t i = Below(30); i > 0; --i) {
      name += kPieces.at(Below(kPieces.size()));
    }
    return Chance(3) ? std::nullopt : std::optional(name + "n");
  }

  std::string Address() {
    constexpr std::array<std::string_view, 4> kOthers{"urn:uuid:1", "invalid:nomail", "/principal/",
                                                      "mailto:a b"};
    return Chance(4) ? std::string(kOthers.at(Below(kOthers.size())))
                     : fmt::format("p{}+x@example.org", Below(1000));
  }

  void PutPeople(Item& item) {
    item.url = Chance(2) ? "" : fmt::format("https://example.org/{}?a=b,c;d#e", Below(1000));
    if (Chance(2)) {
      item.organizer = Organizer{.address = Address(), .name = Name()};
    }
    for (std::size_t i = Below(4); i > 0; --i) {
      item.attendees.push_back(
          {.address = Address(),
           .name = Name(),
           .status =
               Chance(3) ? std::nullopt : std::optional(static_cast<ParticipationStatus>(Below(7))),
           .role =
               Chance(3) ? std::nullopt : std::optional(static_cast<ParticipationRole>(Below(4))),
           .kind = Chance(3) ? std::nullopt : std::optional(static_cast<ParticipantKind>(Below(5))),
           .rsvp = Chance(3) ? std::nullopt : std::optional(Chance(2))});
    }
  }

  LocalTime Time(bool all_day) {
    const auto days = static_cast<std::int32_t>(Below(60'000)) - 10'000;
    const auto seconds = static_cast<std::int32_t>(Below(almanac::TimeOfDay::kSecondsPerDay));
    return {.date = almanac::Date::FromDays(days),
            .time = almanac::TimeOfDay::FromSeconds(all_day ? 0 : seconds)};
  }

  Instant Moment() {
    return Instant(std::chrono::seconds(static_cast<std::int64_t>(Below(4'000'000'000))));
  }

  void PutTimes(Item& item) {
    const bool todo = item.kind == ItemKind::kTodo;
    if (!todo || Chance(2)) {
      item.start = Time(item.all_day);
    }
    if (!item.start && !Chance(2)) {
      item.end = Time(item.all_day);
    } else if (item.start && (!todo || Chance(2))) {
      const int days = static_cast<int>(Below(5)) + (item.all_day ? 1 : 0);
      item.end = *item.start + std::chrono::days(days);
    }
    // Without any time there is nothing of which to be all day, or in a zone.
    if (!item.start && !item.end) {
      item.all_day = false;
      item.zone = "";
    }
  }

  void PutRecurrence(Item& item) {
    if (Chance(4)) {
      const bool all_day = Chance(2);
      item.recurrence_id =
          RecurrenceId{.at = Time(all_day),
                       .all_day = all_day,
                       .zone = all_day ? "" : std::string(kZones.at(Below(kZones.size())))};
      return;
    }
    if (!item.start) {
      return;
    }
    // None of the zones changes its clocks at noon.
    constexpr std::array<std::string_view, 5> kRules{"", "FREQ=DAILY;COUNT=5", "FREQ=YEARLY",
                                                     "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TU",
                                                     "FREQ=MONTHLY;UNTIL=20990401T120000"};
    item.rule = kRules.at(Below(item.all_day ? kRules.size() - 1 : kRules.size()));
    item.additions = Times(item.all_day);
    item.exceptions = Times(item.all_day);
  }

  std::vector<LocalTime> Times(bool all_day) {
    std::vector<LocalTime> times;
    for (std::size_t i = Below(10); i > 0; --i) {
      times.push_back(Time(all_day));
    }
    std::ranges::sort(times);
    times.erase(std::ranges::unique(times).begin(), times.end());
    return times;
  }

  void PutState(Item& item) {
    item.cancelled = Chance(4);
    item.completed = item.kind == ItemKind::kTodo && Chance(2);
    if (item.completed && Chance(2)) {
      item.completed_at = Moment();
    }
    item.transparent = item.kind == ItemKind::kEvent && Chance(3);
    if (item.start || item.end) {
      for (std::size_t i = Below(3); i > 0; --i) {
        item.reminders.push_back(minutes(static_cast<int>(Below(5000)) - 1000));
      }
      std::ranges::sort(item.reminders);
      item.reminders.erase(std::ranges::unique(item.reminders).begin(), item.reminders.end());
    }
    item.color = Chance(2) ? "" : fmt::format("#{:06x}", Below(0x1000000));
    item.created = Chance(2) ? std::nullopt : std::optional(Moment());
    item.last_modified = Chance(2) ? std::nullopt : std::optional(Moment());
    item.sequence = Chance(2) ? 0 : static_cast<std::uint32_t>(Below(1000));
  }

  std::mt19937 random_;
};

constexpr std::uint32_t kSeed = 20'260'301;
constexpr std::size_t kItems = 500;

std::vector<Item> MadeItems() {
  ItemMaker maker(kSeed);
  std::vector<Item> items;
  items.reserve(kItems);
  for (std::size_t i = 0; i < kItems; ++i) {
    items.push_back(maker.Make());
  }
  return items;
}

TEST(WriterTest, WhatIsWrittenReadsBackEqual) {
  const std::vector<Item> items = MadeItems();
  const std::string text = Write(items);
  const Result<std::vector<Finding>> findings = ReadItems(text);
  ASSERT_THAT(findings, IsOk());
  ASSERT_THAT(*findings, SizeIs(kItems));
  for (std::size_t i = 0; i < kItems; ++i) {
    const auto* found = std::get_if<FoundItem>(&findings->at(i));
    ASSERT_NE(found, nullptr) << std::get<Refusal>(findings->at(i)).reason;
    EXPECT_THAT(found->notes, IsEmpty());
    ASSERT_TRUE(found->item == items[i]) << "item " << i << ":\n" << Write({items[i]});
  }
}

TEST(WriterTest, AnotherReaderFindsNoFault) {
  std::vector<Item> items = MadeItems();
  for (Item& item : items) {
    // To that reader, blanks alone are no text.
    for (std::string* text : {&item.summary, &item.description, &item.location}) {
      *text += 'x';
    }
  }
  const std::unique_ptr<icalcomponent, void (*)(icalcomponent*)> calendar(
      icalparser_parse_string(Write(items).c_str()), icalcomponent_free);
  ASSERT_NE(calendar, nullptr);
  EXPECT_EQ(icalcomponent_count_errors(calendar.get()), 0);
  EXPECT_EQ(icalcomponent_count_components(calendar.get(), ICAL_VEVENT_COMPONENT) +
                icalcomponent_count_components(calendar.get(), ICAL_VTODO_COMPONENT),
            static_cast<int>(kItems));
}

}  // namespace
}  // namespace atrium::icalendar
