// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "calendar/keys.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "base/hex.h"
#include "base/testing.h"
#include "store/record.h"
#include "store/schema.h"

namespace atrium::calendar {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// Golden bytes: what a release has written, every later one reads.

/// The documents of docs/formats/calendar.md, in their order.
std::vector<std::string> Documents() {
  std::ifstream file(ATRIUM_SOURCE_DIR "/docs/formats/calendar.md");
  std::vector<std::string> documents;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('{')) {
      documents.push_back(line);
    }
  }
  return documents;
}

enum Place : std::size_t {
  kCalendar,
  kMember,
  kView,
  kEntry,
  kEntryWithPeople,
  kChange,
  kFeed,
  kSubscription,
  kAll
};

std::string Golden(Place place) {
  const std::vector<std::string> documents = Documents();
  EXPECT_THAT(documents, SizeIs(kAll));
  return documents.size() == kAll ? documents[place] : std::string();
}

/// Reads the bytes, writes them again, and answers "<partition>/<sort>".
template <typename T>
std::string Check(const store::Collection<T>& collection, Place place) {
  const std::string golden = Golden(place);
  const auto read = store::DecodeRecord<T>(golden, {});
  EXPECT_THAT(read, IsOk()) << golden;
  if (!read) {
    return {};
  }
  EXPECT_EQ(store::EncodeRecord(read->record), golden);
  EXPECT_THAT(read->unknown, IsEmpty());
  const store::Key key = collection.KeyOf(read->record);
  return key.partition + "/" + key.sort;
}

/// "<table>/<partition>/<sort in hexadecimal digits>" for each row that follows.
template <typename T>
std::vector<std::string> IndexKeys(const store::Collection<T>& collection, Place place) {
  const std::string golden = Golden(place);
  const auto read = store::DecodeRecord<T>(golden, {});
  std::vector<std::string> keys;
  for (const store::IndexRow& row : collection.RowsOf(read->record, golden)) {
    keys.push_back(std::string(row.table->name) + "/" + row.key.partition + "/" +
                   EncodeHex(row.key.sort));
  }
  return keys;
}

constexpr const char* kCalendarId = "00000000-0000-4000-8000-000000000001";

TEST(CalendarKeysTest, CalendarsAreAsTheyAlwaysWere) {
  EXPECT_EQ(Check(Calendars(), kCalendar), std::string(kCalendarId) + "/");
  EXPECT_THAT(IndexKeys(Calendars(), kCalendar),
              ElementsAre("default_calendars/00000000-0000-4000-8000-000000000003/"));
}

TEST(CalendarKeysTest, MembersAreAsTheyAlwaysWere) {
  EXPECT_EQ(Check(Members(), kMember),
            std::string(kCalendarId) + "/user:00000000-0000-4000-8000-000000000003");
  EXPECT_THAT(IndexKeys(Members(), kMember),
              ElementsAre("calendars_by_user/00000000-0000-4000-8000-000000000003/" +
                          EncodeHex(std::string_view(kCalendarId))));
  EXPECT_EQ(Check(Views(), kView),
            std::string(kCalendarId) + "/00000000-0000-4000-8000-000000000003");
}

TEST(CalendarKeysTest, EntriesAreAsTheyAlwaysWere) {
  EXPECT_EQ(Check(Entries(), kEntry), "00000000-0000-4000-8000-000000000005/");
  EXPECT_THAT(
      IndexKeys(Entries(), kEntry),
      ElementsAre(
          "entry_uids/" + std::string(kCalendarId) + "/" +
              EncodeHex(
                  UidKey(CalendarId(Uuid::Parse(kCalendarId).value()), "choir@example.org").sort),
          "entries_by_time/" + std::string(kCalendarId) +
              "/7900000000000007eb00000001000051cd"
              "00000000000040008000000000000005"));
  EXPECT_EQ(Check(Entries(), kEntryWithPeople), "00000000-0000-4000-8000-000000000006/");
  const auto change = FromJson<EntryTrace>(Golden(kChange), {.missing = OnMissing::kKeepDefault});
  ASSERT_THAT(change, IsOk());
  EXPECT_EQ(ToJson(*change), Golden(kChange));
}

TEST(CalendarKeysTest, FeedsAreAsTheyAlwaysWere) {
  EXPECT_EQ(Check(Feeds(), kFeed), "ab12/");
  EXPECT_EQ(Check(Subscriptions(), kSubscription), std::string(kCalendarId) + "/");
}

TEST(CalendarKeysTest, AnEntryInTheTrashIsInNoOtherList) {
  Entry entry = store::DecodeRecord<Entry>(Golden(kEntry), {})->record;
  entry.deleted_at = ParseInstant("2027-01-15T08:00:00Z").value();
  std::vector<std::string> tables;
  for (const store::IndexRow& row : Entries().RowsOf(entry, "{}")) {
    tables.emplace_back(row.table->name);
  }
  EXPECT_THAT(tables, ElementsAre("entry_trash", "entries_to_erase"));
}

TEST(CalendarKeysTest, TheTablesAreTheNumbersFrom120To137) {
  store::Schema schema;
  for (const store::Table* table : BareTables()) {
    EXPECT_THAT(schema.Add(*table), IsOk());
  }
  for (const store::AnyCollection* collection : Collections()) {
    EXPECT_THAT(schema.Add(collection->Base()), IsOk());
    for (const store::Table* index : collection->Indexes()) {
      EXPECT_THAT(schema.Add(*index), IsOk());
    }
  }
  ASSERT_THAT(schema.Tables(), SizeIs(18));
  EXPECT_EQ(schema.Tables().front()->number, 120);
  EXPECT_EQ(schema.Tables().back()->number, 137);
}

}  // namespace
}  // namespace atrium::calendar
