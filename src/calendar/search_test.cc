// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "calendar/search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "calendar/room_testing.h"

namespace atrium::calendar {
namespace {

using testing::Day;
using ::testing::SizeIs;

class SearchTest : public testing::RoomTest {
 protected:
  SearchQuery For(std::string_view words, std::size_t limit = 50) {
    return {.calendars = {calendar_}, .words = SearchWords::Parse(words).value(), .limit = limit};
  }
  std::size_t Count(std::string_view words) {
    const auto page = Search(store_, {}, For(words));
    EXPECT_THAT(page, IsOk());
    return page ? page->entries.size() : 0;
  }
};

TEST_F(SearchTest, CaseDoesNotMatterInAnyScript) {
  EXPECT_EQ(FoldCase("ÄRGER Straße ΣΟΦΙΑ"), "ärger straße σοφια");
  EntryFields fields = AllDay("2026-03-01");
  fields.title = "Müllers Überraschung";
  fields.location = "Zürich";
  fields.description = "Bring the cake";
  Add(fields);
  EXPECT_EQ(Count("ÜBERRASCHUNG"), 1U);
  EXPECT_EQ(Count("zürich müller"), 1U);
  EXPECT_EQ(Count("cake zürich"), 1U);
  EXPECT_EQ(Count("cake london"), 0U);
}

TEST_F(SearchTest, AnEntryIsFoundOnceHoweverManyRowsItHas) {
  Add(SeveralDays("2026-03-01", "2026-03-14"));
  Add(SeveralDays("2025-03-01", "2027-03-14"));
  EXPECT_EQ(Count("holidays"), 2U);
}

TEST_F(SearchTest, PagesTellEverythingOnce) {
  for (int day = 0; day < 25; ++day) {
    EntryFields fields = AllDay("2026-03-01");
    fields.start_date = Day("2026-03-01") + day;
    Add(fields);
  }
  std::set<EntryId> found;
  SearchQuery query = For("birthday", 10);
  std::size_t pages = 0;
  do {
    const auto page = Search(store_, {}, query);
    ASSERT_THAT(page, IsOk());
    for (const auto& entry : page->entries) {
      EXPECT_TRUE(found.insert(entry.record.id).second);
    }
    query.after = page->resume;
    ++pages;
  } while (query.after && pages < 10);
  EXPECT_THAT(found, SizeIs(25));
}

TEST_F(SearchTest, WordsAreNeededAndBounded) {
  EXPECT_THAT(SearchWords::Parse("  "), FailsWith(ErrorCode::kInvalidArgument));
  EXPECT_THAT(SearchWords::Parse("a b c d e f g h i j k"), FailsWith(ErrorCode::kInvalidArgument));
  SearchQuery query = For("x");
  query.after = "nonsense";
  EXPECT_THAT(Search(store_, {}, query), FailsSaying(ErrorCode::kInvalidArgument, "after"));
}

}  // namespace
}  // namespace atrium::calendar
