// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/trash.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "files/history.h"
#include "files/kept_history.h"
#include "files/past_testing.h"
#include "files/reverts.h"

namespace atrium::files {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

class TrashTest : public testing::PastTest {
 protected:
  static std::vector<std::string> PathsOf(const TrashPage& page) {
    std::vector<std::string> paths;
    for (const TrashedEntry& one : page.entries) {
      paths.push_back((one.folder == "/" ? "" : one.folder) + "/" + one.entry.name);
    }
    return paths;
  }
  std::vector<std::string> Paths(const TrashQuery& query = {}) {
    const auto page = trash_.List({}, ann_, id_, query);
    EXPECT_THAT(page, IsOk());
    return page ? PathsOf(*page) : std::vector<std::string>();
  }

  TrashService trash_{Ground(), *content_, people_};
  RevertService reverts_{Ground(), *content_, heads_};
  HistoryService history_{Ground(), *content_};
};

TEST_F(TrashTest, WhatWasDeletedIsThereNewestFirst) {
  Write("/a", "1");
  Write("/songs/b", "22");
  Write("/songs/c", "333");
  Remove("/a");
  const CommitId before = Now().head;
  Remove("/songs/b");
  const auto page = trash_.List({}, ann_, id_, {});
  ASSERT_THAT(page, IsOk());
  EXPECT_THAT(PathsOf(*page), ElementsAre("/songs/b", "/a"));
  EXPECT_EQ(page->entries[0].commit, before);
  EXPECT_EQ(page->entries[0].deleted_at, clock_.Now());
  EXPECT_EQ(page->entries[0].entry.size, 2);
  EXPECT_FALSE(page->resume);
}

TEST_F(TrashTest, ADeletedFolderIsOneEntry) {
  Write("/songs/a", "1");
  Write("/songs/b", "2");
  Remove("/songs");
  EXPECT_THAT(Paths(), ElementsAre("/songs"));
}

TEST_F(TrashTest, WhatWasMovedIsNotInTheTrash) {
  Write("/a", "1");
  Write("/songs/b", "2");
  Rename("/a", "aa");
  Rename("/songs", "hymns");
  EXPECT_THAT(Paths(), IsEmpty());
}

TEST_F(TrashTest, WhatIsBackAgainIsNotInTheTrash) {
  const CommitId then = Write("/a", "1");
  Remove("/a");
  ASSERT_THAT(reverts_.Restore({}, ann_, id_, then, {"/a"}), IsOk());
  EXPECT_THAT(Paths(), IsEmpty());
}

TEST_F(TrashTest, WhatOthersTookThePlaceOfStaysInTheTrash) {
  Write("/a", "1");
  Remove("/a");
  Write("/a", "22");
  EXPECT_THAT(Paths(), ElementsAre("/a"));
}

TEST_F(TrashTest, ItCanBeAskedForOneFolder) {
  Write("/songs/a", "1");
  Write("/songs/old/b", "2");
  Write("/c", "3");
  Remove("/songs/a");
  Remove("/c");
  Remove("/songs/old");
  EXPECT_THAT(Paths({.folder = At("/songs")}), ElementsAre("/songs/old", "/songs/a"));
}

TEST_F(TrashTest, ManyDeletionsOfOneStateComeInPages) {
  const std::vector<std::string> names = {"a", "b", "c", "d", "e"};
  for (const std::string& name : names) {
    Write("/" + name, name);
  }
  Remove("/a");
  Do([&](PathEdits& edits, ObjectWriter& /*writer*/) {
    for (const std::string& name : {"b", "c", "d", "e"}) {
      EXPECT_THAT(edits.Remove(At("/" + name)), IsOk());
    }
  });
  std::vector<std::string> all;
  TrashQuery query{.limit = 2};
  for (int pages = 0; pages < 10; ++pages) {
    const auto page = trash_.List({}, ann_, id_, query);
    ASSERT_THAT(page, IsOk());
    EXPECT_LE(page->entries.size(), 2U);
    for (const std::string& path : PathsOf(*page)) {
      all.push_back(path);
    }
    if (!page->resume) {
      break;
    }
    query.after = page->resume;
  }
  EXPECT_THAT(all, UnorderedElementsAre("/a", "/b", "/c", "/d", "/e"));
}

TEST_F(TrashTest, APlaceToGoOnMustBeOne) {
  for (const char* text : {"", "x", "1", "1.", ".1", "1.x", "-1.0", "1.1.1"}) {
    EXPECT_THAT(trash_.List({}, ann_, id_, {.after = text}),
                FailsSaying(ErrorCode::kInvalidArgument, "scan_stat"))
        << text;
  }
  EXPECT_THAT(trash_.List({}, ann_, id_, {.after = "99999.99999"}), IsOk());
}

TEST_F(TrashTest, EmptyingIsTheEndOfAllThatWasDeleted) {
  const CommitId then = Write("/a", "1");
  Write("/a", "22");
  const CommitId before = Now().head;
  Remove("/a");
  ASSERT_THAT(trash_.Empty({}, ann_, id_, 0), IsOk());
  EXPECT_THAT(Paths(), IsEmpty());
  EXPECT_THAT(history_.LoadFolder({}, ann_, id_, then, {}), FailsWith(ErrorCode::kNotFound));
  EXPECT_THAT(history_.LoadFile({}, ann_, id_, before, At("/a")), FailsWith(ErrorCode::kNotFound));
  EXPECT_THAT(reverts_.Restore({}, ann_, id_, before, {"/a"}), FailsWith(ErrorCode::kNotFound));
  EXPECT_THAT(history_.List({}, ann_, id_, {})->moves, SizeIs(1));
  EXPECT_THAT(FirstKept(store_, {}, Now(), clock_.Now()), Holds(Now().moves));
  EXPECT_THAT(people_.Deeds(), ::testing::Contains("library.empty_trash"));
}

TEST_F(TrashTest, WhatWasEmptiedStaysSoWhenTheLibraryChanges) {
  Write("/a", "1");
  Remove("/a");
  ASSERT_THAT(trash_.Empty({}, ann_, id_, 0), IsOk());
  Write("/b", "2");
  Remove("/b");
  EXPECT_THAT(Paths(), ElementsAre("/b"));
  EXPECT_THAT(history_.List({}, ann_, id_, {})->moves, SizeIs(3));
}

TEST_F(TrashTest, EmptyingMayLeaveTheLastDays) {
  Write("/a", "1");
  Write("/b", "2");
  Remove("/a");
  clock_.Advance(std::chrono::days(10));
  Remove("/b");
  ASSERT_THAT(trash_.Empty({}, ann_, id_, 5), IsOk());
  EXPECT_THAT(Paths(), ElementsAre("/b"));
  // Less cannot be emptied afterwards than was emptied before.
  ASSERT_THAT(trash_.Empty({}, ann_, id_, 3000), IsOk());
  EXPECT_THAT(Paths(), ElementsAre("/b"));
  EXPECT_THAT(trash_.Empty({}, ann_, id_, -1),
              FailsSaying(ErrorCode::kInvalidArgument, "keep_days"));
}

TEST_F(TrashTest, OthersSeeNoTrashAndEmptyNone) {
  Write("/a", "1");
  Remove("/a");
  EXPECT_THAT(trash_.List({}, bob_, id_, {}), FailsWith(ErrorCode::kNotFound));
  EXPECT_THAT(trash_.Empty({}, bob_, id_, 0), FailsWith(ErrorCode::kNotFound));
  Person reader = ann_;
  reader.may_write = false;
  EXPECT_THAT(trash_.List({}, reader, id_, {}), IsOk());
  EXPECT_THAT(trash_.Empty({}, reader, id_, 0), FailsWith(ErrorCode::kPermissionDenied));
}

}  // namespace
}  // namespace atrium::files
