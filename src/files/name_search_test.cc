// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/name_search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "files/past_testing.h"

namespace atrium::files {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

class NameSearchTest : public testing::PastTest {
 protected:
  std::vector<std::string> Paths(const NameQuery& query) {
    const auto found = search_.Find({}, ann_, query);
    EXPECT_THAT(found, IsOk());
    std::vector<std::string> paths;
    for (const FoundName& one : found->found) {
      paths.push_back(one.path);
    }
    return paths;
  }

  LibraryService libraries_{Ground(), heads_, people_};
  NameSearch search_{Ground(), *content_, libraries_};
};

TEST_F(NameSearchTest, NamesAreFoundByAnyPartInAnyCase) {
  Write("/Agnus Dei.pdf", "1");
  Write("/songs/AGNUS.txt", "2");
  Write("/agnus/other", "3");
  Write("/songs/kyrie", "4");
  EXPECT_THAT(Paths({.text = "gnus"}),
              UnorderedElementsAre("/Agnus Dei.pdf", "/songs/AGNUS.txt", "/agnus"));
  EXPECT_THAT(Paths({.text = "sanctus"}), IsEmpty());
}

TEST_F(NameSearchTest, AccentsAreComparedHoweverTheyAreWritten) {
  Write("/O\xCC\x88lung", "1");
  EXPECT_THAT(Paths({.text = "\xC3\xB6l"}), ElementsAre("/O\xCC\x88lung"));
  EXPECT_THAT(Paths({.text = "ol"}), IsEmpty());
}

TEST_F(NameSearchTest, FilesAndFoldersCanBeToldApart) {
  Write("/agnus/agnus", "1");
  EXPECT_THAT(Paths({.text = "agnus", .kind = WantedKind::kFile}), ElementsAre("/agnus/agnus"));
  EXPECT_THAT(Paths({.text = "agnus", .kind = WantedKind::kFolder}), ElementsAre("/agnus"));
}

TEST_F(NameSearchTest, OneLibraryOrOneFolderCanBeSearched) {
  Write("/songs/a1", "1");
  Write("/a2", "2");
  const auto other = libraries_.Create({}, ann_, {.name = "Other"});
  ASSERT_THAT(other, IsOk());
  EXPECT_THAT(Paths({.text = "a", .library = id_}), UnorderedElementsAre("/songs/a1", "/a2"));
  EXPECT_THAT(Paths({.text = "a", .library = other->record.id}), IsEmpty());
  EXPECT_THAT(Paths({.text = "a", .library = id_, .folder = At("/songs")}),
              ElementsAre("/songs/a1"));
}

TEST_F(NameSearchTest, WhatIsFoundComesInPages) {
  for (const char* path : {"/a1", "/a2", "/a3"}) {
    Write(path, "1");
  }
  const auto first = search_.Find({}, ann_, {.text = "a", .limit = 2});
  ASSERT_THAT(first, IsOk());
  EXPECT_EQ(first->found.size(), 2U);
  EXPECT_TRUE(first->more);
  const auto second = search_.Find({}, ann_, {.text = "a", .skip = 2, .limit = 2});
  ASSERT_THAT(second, IsOk());
  EXPECT_EQ(second->found.size(), 1U);
  EXPECT_FALSE(second->more);
  EXPECT_FALSE(second->is_cut_off);
}

TEST_F(NameSearchTest, OthersFindNothing) {
  Write("/a", "1");
  EXPECT_THAT(search_.Find({}, bob_, {.text = "a"})->found, IsEmpty());
  EXPECT_THAT(search_.Find({}, bob_, {.text = "a", .library = id_}),
              FailsWith(ErrorCode::kNotFound));
}

TEST_F(NameSearchTest, TheTrashIsNotSearched) {
  Write("/a", "1");
  Remove("/a");
  EXPECT_THAT(Paths({.text = "a"}), IsEmpty());
  ASSERT_THAT(libraries_.Delete({}, ann_, id_), IsOk());
  EXPECT_THAT(Paths({.text = "a"}), IsEmpty());
}

TEST_F(NameSearchTest, NothingToLookForIsRefused) {
  EXPECT_THAT(search_.Find({}, ann_, {.text = ""}), FailsSaying(ErrorCode::kInvalidArgument, "q:"));
  EXPECT_THAT(search_.Find({}, ann_, {.text = "\xFF"}),
              FailsSaying(ErrorCode::kInvalidArgument, "q:"));
  EXPECT_THAT(search_.Find({}, ann_, {.text = std::string(256, 'a')}),
              FailsSaying(ErrorCode::kInvalidArgument, "q:"));
}

}  // namespace
}  // namespace atrium::files
