// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "icalendar/item_parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "almanac/local_time.h"
#include "base/error.h"
#include "base/instant.h"
#include "base/result.h"
#include "base/testing.h"
#include "icalendar/item.h"
#include "icalendar/participant.h"
#include "icalendar/text_blocks.h"
#include "icalendar/zone_names.h"

namespace atrium::icalendar {
namespace {

using std::chrono::minutes;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

using Text = std::initializer_list<std::string_view>;

/// The first of the lines is 2.
Block MakeBlock(std::string_view name, Text lines) {
  Block block{.name = std::string(name), .line = 1, .lines = {}};
  for (const std::string_view line : lines) {
    block.lines.push_back({.number = block.lines.size() + 2, .text = std::string(line)});
  }
  return block;
}

Result<ParsedItem> Parse(std::string_view name, Text lines) {
  ZoneNames zones;
  return ParseItem(MakeBlock(name, lines), zones);
}

Result<ParsedItem> ParseEvent(Text lines) {
  return Parse("VEVENT", lines);
}

Result<ParsedItem> ParseTodo(Text lines) {
  return Parse("VTODO", lines);
}

Item EventOf(Text lines) {
  const Result<ParsedItem> parsed = ParseEvent(lines);
  EXPECT_THAT(parsed, IsOk());
  return parsed ? parsed->item : Item();
}

Item TodoOf(Text lines) {
  const Result<ParsedItem> parsed = ParseTodo(lines);
  EXPECT_THAT(parsed, IsOk());
  return parsed ? parsed->item : Item();
}

std::vector<std::string> NotesOf(Text lines) {
  const Result<ParsedItem> parsed = ParseEvent(lines);
  EXPECT_THAT(parsed, IsOk());
  return parsed ? parsed->notes : std::vector<std::string>();
}

/// "2026-03-01T09:00 - 2026-03-01T10:00 Europe/Berlin"
std::string WhenOf(const Item& item) {
  const auto render = [](const auto& time) { return time ? time->Render() : std::string("none"); };
  return render(item.start) + " - " + render(item.end) + " " +
         (item.all_day        ? "all day"
          : item.zone.empty() ? "floating"
                              : item.zone);
}

std::string WhenOfEvent(Text lines) {
  return WhenOf(EventOf(lines));
}

std::vector<std::string> Rendered(const std::vector<almanac::LocalTime>& times) {
  std::vector<std::string> texts;
  texts.reserve(times.size());
  for (const almanac::LocalTime& time : times) {
    texts.push_back(time.Render());
  }
  return texts;
}

auto Refuses(std::string_view reason) {
  return FailsSaying(ErrorCode::kInvalidArgument, std::string(reason));
}

TEST(ItemParserTest, TextsAreUnescaped) {
  const Item item = EventOf({"UID:a\\,b", "DTSTART:20260301", "SUMMARY:Lunch\\; soup",
                             "LOCATION:Here\\nand there", "DESCRIPTION:One\\\\two"});
  EXPECT_EQ(item.kind, ItemKind::kEvent);
  EXPECT_EQ(item.uid, "a,b");
  EXPECT_EQ(item.summary, "Lunch; soup");
  EXPECT_EQ(item.location, "Here\nand there");
  EXPECT_EQ(item.description, "One\\two");
}

TEST(ItemParserTest, AMissingUidIsMadeFromTheText) {
  const Item first = EventOf({"DTSTART:20260301", "SUMMARY:a"});
  EXPECT_THAT(first.uid, StartsWith("atrium-"));
  EXPECT_EQ(EventOf({"DTSTART:20260301", "SUMMARY:a"}).uid, first.uid);
  EXPECT_EQ(EventOf({"DTSTAMP:20260101T000000Z", "DTSTART:20260301", "SUMMARY:a"}).uid, first.uid);
  EXPECT_NE(EventOf({"DTSTART:20260301", "SUMMARY:b"}).uid, first.uid);
  EXPECT_THAT(NotesOf({"DTSTART:20260301"}), ElementsAre("has no UID: one was made from its text"));
}

TEST(ItemParserTest, ZonesOfTimesAreKept) {
  EXPECT_EQ(WhenOfEvent({"DTSTART;TZID=Europe/Berlin:20260301T090000",
                         "DTEND;TZID=Europe/Berlin:20260301T100000"}),
            "2026-03-01T09:00 - 2026-03-01T10:00 Europe/Berlin");
  EXPECT_EQ(WhenOfEvent({"DTSTART:20260301T090000Z", "DTEND:20260301T100000Z"}),
            "2026-03-01T09:00 - 2026-03-01T10:00 UTC");
  EXPECT_EQ(WhenOfEvent({"DTSTART:20260301T090000", "DTEND:20260301T100000"}),
            "2026-03-01T09:00 - 2026-03-01T10:00 floating");
}

TEST(ItemParserTest, AnEndOfAnotherZoneBecomesOneOfTheStart) {
  EXPECT_EQ(WhenOfEvent({"DTSTART;TZID=Europe/Berlin:20260301T090000",
                         "DTEND;TZID=America/New_York:20260301T090000"}),
            "2026-03-01T09:00 - 2026-03-01T15:00 Europe/Berlin");
  EXPECT_EQ(WhenOfEvent({"DTSTART;TZID=Europe/Berlin:20260301T090000", "DTEND:20260301T090000Z"}),
            "2026-03-01T09:00 - 2026-03-01T10:00 Europe/Berlin");
  EXPECT_EQ(WhenOfEvent({"DTSTART;TZID=Europe/Berlin:20260301T090000", "DTEND:20260301T093000"}),
            "2026-03-01T09:00 - 2026-03-01T09:30 Europe/Berlin");
}

TEST(ItemParserTest, UtcBesideAZoneIsATimeOfThatZone) {
  EXPECT_EQ(WhenOfEvent({"DTSTART;TZID=Europe/Berlin:20260301T090000Z"}),
            "2026-03-01T10:00 - 2026-03-01T10:00 Europe/Berlin");
}

TEST(ItemParserTest, WithoutEndATimeLastsNothingAndADayLastsItself) {
  EXPECT_EQ(WhenOfEvent({"DTSTART:20260301T090000Z"}), "2026-03-01T09:00 - 2026-03-01T09:00 UTC");
  EXPECT_EQ(WhenOfEvent({"DTSTART;VALUE=DATE:20260301"}),
            "2026-03-01T00:00 - 2026-03-02T00:00 all day");
}

TEST(ItemParserTest, DaysAreDaysWithoutVALUETooAndHaveNoZone) {
  EXPECT_EQ(WhenOfEvent({"DTSTART;TZID=Europe/Berlin:20260301", "DTEND:20260303"}),
            "2026-03-01T00:00 - 2026-03-03T00:00 all day");
  EXPECT_EQ(WhenOfEvent({"DTSTART;VALUE=DATE:20260301T000000Z"}),
            "2026-03-01T00:00 - 2026-03-02T00:00 all day");
}

TEST(ItemParserTest, AnAllDayEventThatEndsWhereItStartsLastsItsDay) {
  EXPECT_EQ(WhenOfEvent({"DTSTART:20260301", "DTEND:20260301"}),
            "2026-03-01T00:00 - 2026-03-02T00:00 all day");
}

TEST(ItemParserTest, DaysOfADurationAreOnTheWallAndHoursAreExact) {
  // Clocks go forward on 29 March at two.
  EXPECT_EQ(WhenOfEvent({"DTSTART;TZID=Europe/Berlin:20260328T120000", "DURATION:P1D"}),
            "2026-03-28T12:00 - 2026-03-29T12:00 Europe/Berlin");
  EXPECT_EQ(WhenOfEvent({"DTSTART;TZID=Europe/Berlin:20260328T120000", "DURATION:PT24H"}),
            "2026-03-28T12:00 - 2026-03-29T13:00 Europe/Berlin");
  EXPECT_EQ(WhenOfEvent({"DTSTART:20260328T120000", "DURATION:P1DT1H"}),
            "2026-03-28T12:00 - 2026-03-29T13:00 floating");
  EXPECT_EQ(WhenOfEvent({"DTSTART:20260328", "DURATION:P1DT24H"}),
            "2026-03-28T00:00 - 2026-03-30T00:00 all day");
}

TEST(ItemParserTest, ClocksThatArePutBackDoNotMakeAnEndBeforeTheStart) {
  // From 02:50 of summer time to 02:10 of winter time.
  EXPECT_EQ(WhenOfEvent({"DTSTART;TZID=Europe/Berlin:20261025T025000", "DURATION:PT20M"}),
            "2026-10-25T02:50 - 2026-10-25T02:50 Europe/Berlin");
  EXPECT_EQ(WhenOfEvent({"DTSTART;TZID=Europe/Berlin:20261025T025000", "DTEND:20261025T011000Z"}),
            "2026-10-25T02:50 - 2026-10-25T02:50 Europe/Berlin");
}

TEST(ItemParserTest, TimesThatContradictEachOtherAreRefused) {
  EXPECT_THAT(ParseEvent({"UID:a"}), Refuses("has no DTSTART"));
  EXPECT_THAT(ParseEvent({"DTSTART:20260301T090000", "DTEND:20260301T080000"}),
              Refuses("DTEND on line 3: it ends before it starts"));
  EXPECT_THAT(ParseEvent({"DTSTART:20260302", "DTEND:20260301"}),
              Refuses("DTEND on line 3: it ends before it starts"));
  EXPECT_THAT(ParseEvent({"DTSTART:20260301", "DTEND:20260301T080000"}),
              Refuses("DTEND on line 3: is a time, while DTSTART is a day"));
  EXPECT_THAT(ParseEvent({"DTSTART:20260301T080000", "DTEND:20260302"}),
              Refuses("DTEND on line 3: is a day, while DTSTART is a time"));
  EXPECT_THAT(ParseEvent({"DTSTART:20260301T080000", "DTEND:20260301T090000Z"}),
              Refuses("DTEND on line 3: has a time zone, while DTSTART has none"));
  EXPECT_THAT(ParseEvent({"DTSTART:20260301", "DTSTART:20260302"}),
              Refuses("DTSTART on line 3: stands on line 2 already"));
  EXPECT_THAT(ParseEvent({"DTSTART:20260301", "DTEND:20260302", "DURATION:P1D"}),
              Refuses("DURATION on line 4: contradicts DTEND on line 3"));
  EXPECT_THAT(ParseEvent({"DTSTART:20260301", "DURATION:-P1D"}),
              Refuses("DURATION on line 3: it ends before it starts"));
  EXPECT_THAT(ParseEvent({"DTSTART:20260301", "DURATION:PT1H"}),
              Refuses("DURATION on line 3: an all-day item lasts whole days"));
  EXPECT_THAT(ParseEvent({"DTSTART:20260301", "DURATION:soon"}),
              Refuses("DURATION on line 3: \"soon\" is not a length of time"));
}

TEST(ItemParserTest, AnUnknownZoneIsRefused) {
  EXPECT_THAT(ParseEvent({"DTSTART;TZID=Mars:20260301T090000"}),
              Refuses("DTSTART on line 2: the time zone \"Mars\" is not known"));
}

TEST(ItemParserTest, ALineThatIsNoPropertyIsRefused) {
  EXPECT_THAT(ParseEvent({"DTSTART:20260301", "and so on"}),
              Refuses("line 3 is not a property: \"and so on\""));
}

TEST(ItemParserTest, RulesAreCanonicalWithUntilInLocalTime) {
  EXPECT_EQ(EventOf({"DTSTART;TZID=Europe/Berlin:20260301T090000",
                     "RRULE:UNTIL=20260401T070000Z;FREQ=weekly;INTERVAL=1"})
                .rule,
            "FREQ=WEEKLY;UNTIL=20260401T090000");
  EXPECT_EQ(EventOf({"DTSTART:20260301", "RRULE:FREQ=DAILY;UNTIL=20260401T070000Z"}).rule,
            "FREQ=DAILY;UNTIL=20260401");
}

TEST(ItemParserTest, RulesThatAreNotUnderstoodAreRefused) {
  EXPECT_THAT(ParseEvent({"DTSTART:20260301", "RRULE:FREQ=HOURLY"}),
              Refuses("RRULE on line 3: FREQ must not be finer than DAILY"));
  EXPECT_THAT(ParseEvent({"DTSTART:20260301", "RRULE:FREQ=DAILY", "RRULE:FREQ=WEEKLY"}),
              Refuses("RRULE on line 4: stands on line 3 already"));
  EXPECT_THAT(ParseEvent({"DTSTART:20260301", "EXRULE:FREQ=WEEKLY"}), Refuses("EXRULE on line 3"));
}

TEST(ItemParserTest, AnEmptyRuleIsNone) {
  EXPECT_EQ(EventOf({"DTSTART:20260301", "RRULE:"}).rule, "");
}

TEST(ItemParserTest, ListedTimesAreOfTheZoneOfTheStartSortedAndOnce) {
  const Item item = EventOf({"DTSTART;TZID=Europe/Berlin:20260301T090000",
                             "EXDATE;TZID=Europe/Berlin:20260303T090000,20260302T090000",
                             "EXDATE:20260302T080000Z", "EXDATE:20260305T090000",
                             "RDATE;TZID=America/New_York:20260304T060000"});
  EXPECT_THAT(Rendered(item.exceptions),
              ElementsAre("2026-03-02T09:00", "2026-03-03T09:00", "2026-03-05T09:00"));
  EXPECT_THAT(Rendered(item.additions), ElementsAre("2026-03-04T12:00"));
}

TEST(ItemParserTest, ListedDaysStandForTheirOccurrences) {
  const Text lines = {"UID:a", "DTSTART;TZID=Europe/Berlin:20260301T090000",
                      "EXDATE;VALUE=DATE:20260302,20260303"};
  EXPECT_THAT(Rendered(EventOf(lines).exceptions),
              ElementsAre("2026-03-02T09:00", "2026-03-03T09:00"));
  EXPECT_THAT(NotesOf(lines),
              ElementsAre("EXDATE on line 4: a day stands for the occurrence of that day"));
  EXPECT_THAT(Rendered(EventOf({"DTSTART:20260301", "EXDATE:20260302T000000Z"}).exceptions),
              ElementsAre("2026-03-02T00:00"));
}

TEST(ItemParserTest, APeriodIsTakenByItsStart) {
  const Text lines = {"UID:a", "DTSTART:20260301T090000Z",
                      "RDATE;VALUE=PERIOD:20260302T090000Z/PT3H"};
  EXPECT_THAT(Rendered(EventOf(lines).additions), ElementsAre("2026-03-02T09:00"));
  EXPECT_THAT(NotesOf(lines),
              ElementsAre("RDATE on line 4: lasts as long as all other occurrences"));
}

TEST(ItemParserTest, ListedTimesThatAreNoneAreRefused) {
  EXPECT_THAT(ParseEvent({"DTSTART:20260301", "EXDATE:20260302,,20260303"}),
              Refuses("EXDATE on line 3: \"\" is neither a date nor a time"));
  EXPECT_THAT(ParseEvent({"DTSTART:20260301T090000", "EXDATE:20260302T090000Z"}),
              Refuses("EXDATE on line 3: has a time zone, while DTSTART has none"));
}

TEST(ItemParserTest, AChangeOfAnOccurrenceNamesItInItsOwnZone) {
  const Item item =
      EventOf({"RECURRENCE-ID:20260302T080000Z", "DTSTART;TZID=Europe/Berlin:20260302T110000"});
  const RecurrenceId expected{.at = *almanac::LocalTime::Parse("2026-03-02T08:00"), .zone = "UTC"};
  EXPECT_EQ(item.recurrence_id, expected);
}

TEST(ItemParserTest, AChangeOfAnOccurrenceDoesNotRepeat) {
  const Text lines = {"UID:a", "RECURRENCE-ID:20260302", "DTSTART:20260303", "RRULE:FREQ=DAILY",
                      "EXDATE:20260304"};
  const Item item = EventOf(lines);
  EXPECT_EQ(item.rule, "");
  EXPECT_THAT(item.exceptions, IsEmpty());
  EXPECT_THAT(NotesOf(lines),
              ElementsAre("RRULE on line 5: left out: an occurrence of a series does not repeat",
                          "EXDATE on line 6: left out: an occurrence of a series does not repeat"));
}

TEST(ItemParserTest, AChangeOfAllThatFollowsIsRefused) {
  EXPECT_THAT(ParseEvent({"RECURRENCE-ID;RANGE=THISANDFUTURE:20260302", "DTSTART:20260303"}),
              Refuses("RECURRENCE-ID on line 2: changes of one occurrence and all after it"));
}

TEST(ItemParserTest, TasksNeedNoTimes) {
  EXPECT_EQ(WhenOf(TodoOf({"UID:a"})), "none - none floating");
  EXPECT_EQ(WhenOf(TodoOf({"DUE:20260301"})), "none - 2026-03-01T00:00 all day");
  EXPECT_EQ(WhenOf(TodoOf({"DUE;TZID=Asia/Tokyo:20260301T090000"})),
            "none - 2026-03-01T09:00 Asia/Tokyo");
  EXPECT_EQ(WhenOf(TodoOf({"DTSTART:20260301", "DUE:20260301"})),
            "2026-03-01T00:00 - 2026-03-01T00:00 all day");
  EXPECT_EQ(WhenOf(TodoOf({"DTSTART:20260301T090000Z", "DURATION:PT1H"})),
            "2026-03-01T09:00 - 2026-03-01T10:00 UTC");
}

TEST(ItemParserTest, TasksThatRepeatNeedAStart) {
  EXPECT_THAT(ParseTodo({"DUE:20260301", "RRULE:FREQ=DAILY"}), Refuses("has no DTSTART"));
  EXPECT_THAT(ParseTodo({"DURATION:PT1H"}), Refuses("DURATION on line 2: a length needs a start"));
}

TEST(ItemParserTest, TasksAreDoneInAnyOfThreeWays) {
  EXPECT_FALSE(TodoOf({"STATUS:NEEDS-ACTION", "PERCENT-COMPLETE:50"}).completed);
  EXPECT_TRUE(TodoOf({"STATUS:COMPLETED"}).completed);
  EXPECT_TRUE(TodoOf({"PERCENT-COMPLETE:100"}).completed);
  const Item item = TodoOf({"COMPLETED:20260301T090000Z"});
  EXPECT_TRUE(item.completed);
  EXPECT_EQ(item.completed_at, *ParseInstant("2026-03-01T09:00:00Z"));
}

TEST(ItemParserTest, StatesAreRead) {
  const Item item = EventOf({"DTSTART:20260301", "STATUS:cancelled", "TRANSP:TRANSPARENT",
                             "CREATED:20260101T000000Z", "LAST-MODIFIED:20260102T000000Z",
                             "SEQUENCE:7", "COLOR:navy"});
  EXPECT_TRUE(item.cancelled);
  EXPECT_TRUE(item.transparent);
  EXPECT_EQ(item.created, *ParseInstant("2026-01-01T00:00:00Z"));
  EXPECT_EQ(item.last_modified, *ParseInstant("2026-01-02T00:00:00Z"));
  EXPECT_EQ(item.sequence, 7U);
  EXPECT_EQ(item.color, "#000080");
}

TEST(ItemParserTest, TheExactColourWinsInEitherOrder) {
  EXPECT_EQ(EventOf({"DTSTART:20260301", "COLOR:navy", "X-APPLE-CALENDAR-COLOR:#000081"}).color,
            "#000081");
  EXPECT_EQ(EventOf({"DTSTART:20260301", "X-APPLE-CALENDAR-COLOR:#000081", "COLOR:navy"}).color,
            "#000081");
}

TEST(ItemParserTest, WhatIsNotKeptIsTold) {
  EXPECT_THAT(NotesOf({"UID:a", "DTSTAMP:20260101T000000Z", "DTSTART:20260301", "STATUS:TENTATIVE",
                       "TRANSP:OPAQUE", "CREATED:20260101", "SEQUENCE:-1", "COLOR:bluish",
                       "CLASS:PRIVATE", "SUMMARY:a", "SUMMARY:b", "ATTENDEE:mailto:a@example.org",
                       "ATTENDEE:mailto:b@example.org", "X-EMPTY:", "X-Foo:1", "BEGIN:VLOCATION",
                       "END:VLOCATION"}),
              ElementsAre("STATUS on line 5: not kept: \"TENTATIVE\"",
                          "CREATED on line 7: not kept: is not a moment in UTC",
                          "SEQUENCE on line 8: not kept: is not a number",
                          "COLOR on line 9: not kept: \"bluish\" is not a colour",
                          "CLASS on line 10: not kept: \"PRIVATE\"",
                          "SUMMARY on line 12: not kept: it is there already",
                          "not kept: X-FOO, VLOCATION"));
}

TEST(ItemParserTest, PeopleAndTheAddressOfMoreAreKept) {
  const Item item = EventOf({"DTSTART:20260301T090000Z", "URL;VALUE=URI:https://example.org/a",
                             "ORGANIZER;CN=Ann:mailto:ann@example.org",
                             "ATTENDEE;PARTSTAT=DECLINED:mailto:ben@example.org",
                             "ATTENDEE:mailto:cleo@example.org"});
  EXPECT_EQ(item.url, "https://example.org/a");
  EXPECT_EQ(item.organizer, (Organizer{.address = "ann@example.org", .name = "Ann"}));
  EXPECT_THAT(item.attendees, ElementsAre(Attendee{.address = "ben@example.org",
                                                   .status = ParticipationStatus::kDeclined},
                                          Attendee{.address = "cleo@example.org"}));
}

/// A zone of an hour and a quarter, which no place has.
ZoneNames OddZone() {
  ZoneNames zones;
  zones.Declare(MakeBlock("VTIMEZONE", {"TZID:Odd", "BEGIN:STANDARD", "DTSTART:19700101T000000",
                                        "TZOFFSETFROM:+0115", "TZOFFSETTO:+0115", "END:STANDARD"}));
  return zones;
}

TEST(ItemParserTest, WhatComesOnceInAZoneOfTheFileIsAMomentInUtc) {
  ZoneNames zones = OddZone();
  const Result<ParsedItem> parsed = ParseItem(
      MakeBlock("VEVENT",
                {"UID:a", "DTSTART;TZID=Odd:20260301T090000", "DTEND;TZID=Odd:20260301T100000"}),
      zones);
  ASSERT_THAT(parsed, IsOk());
  EXPECT_EQ(WhenOf(parsed->item), "2026-03-01T07:45 - 2026-03-01T08:45 UTC");
  EXPECT_THAT(parsed->notes, IsEmpty());
}

TEST(ItemParserTest, ASeriesInAZoneOfTheFileIsOfTheClosestZone) {
  ZoneNames zones = OddZone();
  for (const std::string_view repeats : {"RRULE:FREQ=DAILY", "RDATE;TZID=Odd:20260302T090000",
                                         "RECURRENCE-ID;TZID=Odd:20260301T090000"}) {
    const Result<ParsedItem> parsed = ParseItem(
        MakeBlock("VEVENT", {"UID:a", "DTSTART;TZID=Odd:20260301T090000", repeats}), zones);
    ASSERT_THAT(parsed, IsOk());
    EXPECT_THAT(WhenOf(parsed->item), StartsWith("2026-03-01T09:00 - 2026-03-01T09:00 "));
    EXPECT_NE(parsed->item.zone, "UTC");
    EXPECT_THAT(parsed->notes, Contains(HasSubstr("no zone has the rules of \"Odd\"")));
  }
}

std::vector<minutes> RemindersOf(Text times, Text alarm) {
  Block block = MakeBlock("VEVENT", times);
  block.lines.push_back({.number = 20, .text = "BEGIN:VALARM"});
  for (const std::string_view line : alarm) {
    block.lines.push_back({.number = 21, .text = std::string(line)});
  }
  block.lines.push_back({.number = 22, .text = "END:VALARM"});
  ZoneNames zones;
  const Result<ParsedItem> parsed = ParseItem(block, zones);
  EXPECT_THAT(parsed, IsOk());
  return parsed ? parsed->item.reminders : std::vector<minutes>();
}

TEST(ItemParserTest, RemindersAreMinutesBeforeTheStart) {
  const Text times = {"DTSTART:20260301T090000Z", "DTEND:20260301T100000Z"};
  EXPECT_THAT(RemindersOf(times, {"TRIGGER:-PT15M"}), ElementsAre(minutes(15)));
  EXPECT_THAT(RemindersOf(times, {"TRIGGER:-P1W"}), ElementsAre(minutes(7 * 24 * 60)));
  EXPECT_THAT(RemindersOf(times, {"TRIGGER:-PT90S"}), ElementsAre(minutes(2)));
  EXPECT_THAT(RemindersOf(times, {"TRIGGER:PT5M"}), ElementsAre(minutes(-5)));
  EXPECT_THAT(RemindersOf(times, {"TRIGGER;RELATED=END:-PT90M"}), ElementsAre(minutes(30)));
  EXPECT_THAT(RemindersOf(times, {"TRIGGER;VALUE=DATE-TIME:20260301T083000Z"}),
              ElementsAre(minutes(30)));
}

TEST(ItemParserTest, RemindersThatCannotBeKeptAreLeftOut) {
  const Text times = {"DTSTART:20260301"};
  EXPECT_THAT(RemindersOf(times, {"ACTION:DISPLAY"}), IsEmpty());
  EXPECT_THAT(RemindersOf(times, {"TRIGGER:soon"}), IsEmpty());
  EXPECT_THAT(RemindersOf(times, {"TRIGGER:20260301T083000Z"}), IsEmpty());
  EXPECT_THAT(
      RemindersOf({"DTSTART:20260301T090000Z", "RRULE:FREQ=DAILY"}, {"TRIGGER:20260301T083000Z"}),
      IsEmpty());
  EXPECT_THAT(RemindersOf({"DTSTART:20260301T090000Z"}, {"TRIGGER:10260301T083000Z"}), IsEmpty());
  EXPECT_THAT(RemindersOf(times, {"ACTION:NONE", "TRIGGER:-PT15M"}), IsEmpty());
}

TEST(ItemParserTest, ALeftOutReminderIsTold) {
  EXPECT_THAT(NotesOf({"UID:a", "DTSTART:20260301", "BEGIN:VALARM", "TRIGGER:soon", "END:VALARM",
                       "BEGIN:VALARM", "END:VALARM"}),
              ElementsAre("TRIGGER on line 5: not kept: is neither a length of time nor a moment",
                          "VALARM on line 7: not kept: has no TRIGGER"));
}

TEST(ItemParserTest, RemindersOfATaskWithoutStartCountFromItsEnd) {
  EXPECT_THAT(TodoOf({"DUE:20260301T090000Z", "BEGIN:VALARM", "TRIGGER;RELATED=END:-PT15M",
                      "END:VALARM", "BEGIN:VALARM", "TRIGGER:-PT15M", "END:VALARM"})
                  .reminders,
              ElementsAre(minutes(15)));
}

TEST(ItemParserTest, TheEndsOfTimeAreNotPassed) {
  EXPECT_EQ(WhenOfEvent({"DTSTART:99991231"}), "9999-12-31T00:00 - 9999-12-31T00:00 all day");
  EXPECT_EQ(WhenOfEvent({"DTSTART;TZID=Asia/Tokyo:00010101T000000", "DURATION:P100000D"}),
            "0001-01-01T00:00 - 0274-10-17T00:00 Asia/Tokyo");
}

}  // namespace
}  // namespace atrium::icalendar
