// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "calendar/import.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/testing.h"
#include "calendar/access.h"
#include "calendar/agenda.h"
#include "calendar/room_testing.h"
#include "store/change_log.h"

namespace atrium::calendar {
namespace {

using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::string Event(std::string_view uid, std::string_view more = {}) {
  return "BEGIN:VEVENT\r\nUID:" + std::string(uid) +
         "\r\nDTSTART;VALUE=DATE:20260302\r\nSUMMARY:" + std::string(uid) + "\r\n" +
         std::string(more) + "END:VEVENT\r\n";
}

std::string File(const std::string& items) {
  return "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n" + items + "END:VCALENDAR\r\n";
}

class ImportTest : public testing::RoomTest {
 protected:
  ImportTarget Target() {
    return {.calendar = calendar_,
            .author = {.user = ann_.user, .label = "import"},
            .enter = [this]() -> Result<store::Stored<Calendar>> {
              ASSIGN_OR_RETURN(Seat seat, Enter(store_, {}, ann_, calendar_, Need::kWriteEntries));
              return std::move(seat.calendar);
            }};
  }
  std::unique_ptr<EntryImport> Open(const std::string& text) {
    auto import = EntryImport::Open(room_.ground, Target(), text);
    EXPECT_THAT(import, IsOk());
    return std::move(import).value_or(nullptr);
  }
  ImportReport Import(const std::string& text) {
    const std::unique_ptr<EntryImport> import = Open(text);
    while (import->Step()) {
    }
    EXPECT_EQ(import->Done(), import->Of());
    return import->Report();
  }
  std::uint64_t LastChange() {
    const auto last = store::LastChange(store_, {}, store::kChanges, TopicOf(calendar_));
    EXPECT_THAT(last, IsOk());
    return last.value_or(0);
  }
  std::vector<AgendaItem> Listed() {
    almanac::ExpansionBudget budget = BudgetForAgenda();
    auto page =
        ReadAgenda(store_, {},
                   {.calendar = calendar_,
                    .days = {.from = testing::Day("2026-01-01"), .to = testing::Day("2026-12-31")}},
                   budget);
    EXPECT_THAT(page, IsOk());
    return std::move(page).value_or(AgendaPage{}).items;
  }
};

TEST_F(ImportTest, WhatIsNoCalendarIsRefused) {
  EXPECT_THAT(EntryImport::Open(room_.ground, Target(), "Dear Sir"),
              FailsWith(ErrorCode::kInvalidArgument));
}

TEST_F(ImportTest, AFileBroughtInTwiceChangesNothing) {
  std::string items;
  for (int i = 0; i < 30; ++i) {
    items += Event(std::to_string(i));
  }
  EXPECT_EQ(Import(File(items)).added, 30U);
  const std::uint64_t rows = CountRows(kEntryHistory);
  EXPECT_EQ(Import(File(items)).unchanged, 30U);
  EXPECT_EQ(CountRows(kEntryHistory), rows);
  EXPECT_THAT(Listed(), SizeIs(30));
  EXPECT_EQ(Defects(), 0U);
}

TEST_F(ImportTest, WhatIsUnchangedIsNotCommitted) {
  Import(File(Event("a")));
  const std::uint64_t before = LastChange();
  Import(File(Event("a", "DTSTAMP:20260101T000000Z\r\n")));
  EXPECT_EQ(LastChange(), before);
}

TEST_F(ImportTest, ARefusedOneDisturbsNoOther) {
  const ImportReport report =
      Import(File(Event("a") + Event("b", "RRULE:FREQ=NEVER\r\n") + Event("c")));
  EXPECT_EQ(report.added, 2U);
  EXPECT_THAT(report.refused, ElementsAre(Field(&ImportRefusal::line, 8U)));
  EXPECT_THAT(report.refused.front().reason, HasSubstr("RRULE on line 12"));
}

TEST_F(ImportTest, EntriesThatAreLargeComeInOneByOne) {
  std::string text;
  for (int i = 0; i < 200; ++i) {
    text += "\r\n " + std::string(70, 'x');
  }
  std::string items;
  for (int i = 0; i < 24; ++i) {
    items += Event(std::to_string(i), "RRULE:FREQ=YEARLY;COUNT=5\r\nDESCRIPTION:" + text + "\r\n");
  }
  EXPECT_EQ(Import(File(items)).added, 24U);
  EXPECT_EQ(Defects(), 0U);
}

TEST_F(ImportTest, AnEntryMadeHereIsKnownByItsId) {
  const store::Stored<Entry> made = Add(AllDay("2026-03-02"));
  const std::string uid = made.record.id.Render() + "@atrium";
  EXPECT_EQ(Import(File(Event(uid))).updated, 1U);
  const auto entry = store::Load(store_, {}, Entries(), EntryKey(made.record.id));
  ASSERT_THAT(entry, IsOk());
  EXPECT_EQ(entry->record.title, uid);
  EXPECT_EQ(entry->record.uid, "");
}

TEST_F(ImportTest, AnEntryInTheTrashIsNotTouched) {
  Import(File(Event("a")));
  const AgendaItem listed = Listed().front();
  ASSERT_THAT(room_.entries.Delete({}, ann_, {.id = listed.place.id}, testing::AnyVersion), IsOk());
  EXPECT_EQ(Import(File(Event("a"))).added, 1U);
  EXPECT_THAT(Listed(), SizeIs(1));
  EXPECT_EQ(Defects(), 0U);
}

TEST_F(ImportTest, ItEndsWhenTheCalendarGoes) {
  std::string items;
  for (int i = 0; i < 40; ++i) {
    items += Event(std::to_string(i));
  }
  const std::unique_ptr<EntryImport> import = Open(File(items));
  EXPECT_TRUE(import->Step());
  ASSERT_THAT(room_.calendars.Delete({}, ann_, calendar_, Trashing::kKeep, testing::AnyVersion),
              IsOk());
  EXPECT_FALSE(import->Step());
  EXPECT_FALSE(import->Step());
  EXPECT_EQ(import->Failure()->code, ErrorCode::kNotFound);
  EXPECT_EQ(import->Report().stopped, "there is no such calendar");
}

TEST_F(ImportTest, OccurrencesWithoutTheirSeriesChangeTheStoredOne) {
  Import(File(Event("s", "RRULE:FREQ=DAILY;COUNT=3\r\n")));
  const ImportReport report =
      Import(File("BEGIN:VEVENT\r\nUID:s\r\nRECURRENCE-ID;VALUE=DATE:20260303\r\n"
                  "DTSTART;VALUE=DATE:20260310\r\nSUMMARY:moved\r\nEND:VEVENT\r\n"));
  EXPECT_EQ(report.updated, 1U);
  const std::vector<AgendaItem> items = Listed();
  ASSERT_THAT(items, SizeIs(3));
  EXPECT_EQ(items.back().first, testing::Day("2026-03-10"));
}

TEST_F(ImportTest, ZonesThatAreCalledOtherwiseAreTold) {
  const auto meeting = [](const std::string& tzid) {
    return "BEGIN:VEVENT\r\nUID:" + tzid + "\r\nDTSTART;TZID=" + tzid +
           ":20260706T090000\r\nEND:VEVENT\r\n";
  };
  const ImportReport report =
      Import(File(meeting("W. Europe Standard Time") + meeting("Asia/Tokyo")));
  EXPECT_EQ(report.added, 2U);
  EXPECT_EQ(report.zones_count, 1U);
  ASSERT_THAT(report.zones, SizeIs(1));
  EXPECT_EQ(report.zones[0].tzid, "W. Europe Standard Time");
  EXPECT_EQ(report.zones[0].zone, "Europe/Berlin");
}

TEST_F(ImportTest, NotesAreTold) {
  const ImportReport report = Import(File(Event("a", "X-COST:12\r\n")));
  EXPECT_EQ(report.notes_count, 1U);
  EXPECT_THAT(report.notes, ElementsAre(HasSubstr("X-COST")));
  EXPECT_THAT(report.refused, IsEmpty());
}

}  // namespace
}  // namespace atrium::calendar
