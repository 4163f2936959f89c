// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/history.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "files/kept_history.h"
#include "files/past_testing.h"
#include "files/revision_walk.h"

namespace atrium::files {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class HistoryTest : public testing::PastTest {
 protected:
  std::vector<std::uint64_t> NumbersOf(const HistoryQuery& query) {
    const auto page = history_.List({}, ann_, id_, query);
    EXPECT_THAT(page, IsOk());
    std::vector<std::uint64_t> numbers;
    for (const Move& move : page->moves) {
      numbers.push_back(move.number);
    }
    return numbers;
  }
  void KeepDays(std::int32_t days) {
    const auto found = store::Load(store_, {}, Libraries(), LibraryRowKey(id_));
    Library library = found->record;
    library.keep_days = days;
    store::Batch batch;
    batch.Replace(Libraries(), *found, library);
    EXPECT_THAT(store_.Commit({}, std::move(batch)), IsOk());
  }
  /// "path=bytes" for each version.
  static std::vector<std::string> Told(const RevisionPage& page) {
    std::vector<std::string> told;
    for (const FileRevision& one : page.revisions) {
      told.push_back(one.path + "=" + std::to_string(one.entry.size));
    }
    return told;
  }

  HistoryService history_{Ground(), *content_};
};

TEST_F(HistoryTest, StatesComeNewestFirstInPages) {
  Write("/a", "1");
  Write("/b", "22");
  Write("/c", "333");
  EXPECT_THAT(NumbersOf({.limit = 2}), ElementsAre(4, 3));
  EXPECT_THAT(NumbersOf({.skip = 2, .limit = 2}), ElementsAre(2, 1));
  EXPECT_THAT(NumbersOf({.skip = 4}), IsEmpty());
  EXPECT_TRUE(history_.List({}, ann_, id_, {.limit = 2})->more);
  EXPECT_FALSE(history_.List({}, ann_, id_, {.skip = 2, .limit = 2})->more);
  EXPECT_EQ(history_.List({}, ann_, id_, {})->moves.front().by, "ann@example.org");
}

TEST_F(HistoryTest, OthersSeeNoHistory) {
  const CommitId commit = Write("/a", "1");
  EXPECT_THAT(history_.List({}, bob_, id_, {}), FailsWith(ErrorCode::kNotFound));
  EXPECT_THAT(history_.LoadFolder({}, bob_, id_, commit, {}), FailsWith(ErrorCode::kNotFound));
  EXPECT_THAT(history_.ListRevisions({}, bob_, id_, {.path = At("/a")}),
              FailsWith(ErrorCode::kNotFound));
}

TEST_F(HistoryTest, AFolderCanBeSeenAsItWas) {
  const CommitId commit = Write("/songs/a", "1");
  Write("/songs/b", "2");
  const auto then = history_.LoadFolder({}, ann_, id_, commit, At("/songs"));
  ASSERT_THAT(then, IsOk());
  EXPECT_THAT(then->folder->Entries(), SizeIs(1));
  EXPECT_THAT(history_.LoadFolder({}, ann_, id_, commit, At("/songs/a")),
              FailsWith(ErrorCode::kNotFound));
  EXPECT_THAT(history_.LoadFolder({}, ann_, id_, CommitId(), {}), FailsWith(ErrorCode::kNotFound));
  EXPECT_EQ(history_.LoadFile({}, ann_, id_, commit, At("/songs/a"))->entry.size, 1);
}

TEST_F(HistoryTest, AMergeIsAStateToo) {
  const Library seen = Now();
  Write("/a", "1");
  const auto published = Publish(seen, {{"b", "22"}});
  ASSERT_THAT(published, IsOk());
  const auto merged = history_.LoadFolder({}, ann_, id_, published->head, {});
  ASSERT_THAT(merged, IsOk());
  EXPECT_THAT(merged->folder->Entries(), SizeIs(2));
}

TEST_F(HistoryTest, WhatTheHeadNeverWasIsNoState) {
  const Library seen = Now();
  Write("/a", "1");
  const Commit theirs = CommitOn(seen, Upload({{"b", "22"}}), "Added b.");
  ASSERT_THAT(heads_.Publish({}, author_, id_, theirs.id), IsOk());
  EXPECT_THAT(history_.LoadFolder({}, ann_, id_, theirs.id, {}), FailsWith(ErrorCode::kNotFound));
}

TEST_F(HistoryTest, StatesOlderThanKeptAreOutOfReach) {
  const CommitId old = Write("/a", "1");
  const CommitId at_the_time = Write("/a", "22");
  clock_.Advance(std::chrono::days(10));
  Write("/a", "333");
  KeepDays(5);
  // The state of five days ago is the second one, and it is kept.
  EXPECT_THAT(NumbersOf({}), ElementsAre(4, 3));
  EXPECT_THAT(history_.LoadFolder({}, ann_, id_, at_the_time, {}), IsOk());
  EXPECT_THAT(history_.LoadFolder({}, ann_, id_, old, {}), FailsWith(ErrorCode::kNotFound));
  EXPECT_THAT(Told(*history_.ListRevisions({}, ann_, id_, {.path = At("/a")})),
              ElementsAre("/a=3", "/a=2"));
  clock_.Advance(std::chrono::days(100));
  EXPECT_THAT(NumbersOf({}), ElementsAre(4));
}

TEST_F(HistoryTest, TheStateOfATimeIsFoundInFewReads) {
  for (int i = 0; i < 200; ++i) {
    Write("/a", std::to_string(i));
  }
  store::Tally tally;
  const auto number = MoveAt(store_, {.tally = &tally}, Now(),
                             clock_.Now() - std::chrono::hours(100) - std::chrono::minutes(1));
  EXPECT_THAT(number, Holds(100U));
  EXPECT_LE(tally.gets, 10U);
  EXPECT_THAT(MoveAt(store_, {}, Now(), Instant()), Holds(1U));
}

TEST_F(HistoryTest, RevisionsAreTheStatesThatChangedTheFile) {
  Write("/a", "1");
  Write("/other", "x");
  Write("/a", "22");
  Write("/other", "y");
  const auto page = history_.ListRevisions({}, ann_, id_, {.path = At("/a")});
  ASSERT_THAT(page, IsOk());
  EXPECT_THAT(Told(*page), ElementsAre("/a=2", "/a=1"));
  EXPECT_EQ(page->revisions[0].state.number, 4U);
  EXPECT_EQ(page->revisions[1].state.number, 2U);
  EXPECT_FALSE(page->next);
}

TEST_F(HistoryTest, RevisionsComeInPages) {
  for (const char* content : {"1", "22", "333", "4444"}) {
    Write("/a", content);
    Write("/other", content);
  }
  RevisionQuery query{.path = At("/a"), .limit = 3};
  const auto page = history_.ListRevisions({}, ann_, id_, query);
  ASSERT_THAT(page, IsOk());
  EXPECT_THAT(Told(*page), ElementsAre("/a=4", "/a=3", "/a=2"));
  ASSERT_TRUE(page->next);
  query.from = page->next->from;
  query.path = page->next->path;
  EXPECT_THAT(Told(*history_.ListRevisions({}, ann_, id_, query)), ElementsAre("/a=1"));
}

TEST_F(HistoryTest, ARenamedFileIsFollowed) {
  Write("/a", "1");
  Write("/a", "22");
  Rename("/a", "b");
  Write("/b", "333");
  const auto page = history_.ListRevisions({}, ann_, id_, {.path = At("/b")});
  ASSERT_THAT(page, IsOk());
  EXPECT_THAT(Told(*page), ElementsAre("/b=3", "/b=2"));
  EXPECT_EQ(page->revisions[1].renamed_from, "/a");
  ASSERT_TRUE(page->next);
  EXPECT_EQ(page->next->path, At("/a"));
  const auto whole = history_.FollowRevisions({}, ann_, id_, At("/b"), {});
  ASSERT_THAT(whole, IsOk());
  EXPECT_THAT(Told(*whole), ElementsAre("/b=3", "/b=2", "/a=2", "/a=1"));
  EXPECT_FALSE(whole->next);
}

TEST_F(HistoryTest, AFileInARenamedFolderIsFollowed) {
  Write("/songs/a", "1");
  Rename("/songs", "hymns");
  EXPECT_THAT(Told(*history_.FollowRevisions({}, ann_, id_, At("/hymns/a"), {})),
              ElementsAre("/hymns/a=1", "/songs/a=1"));
}

TEST_F(HistoryTest, FollowedRevisionsCanBePassedOver) {
  for (const char* content : {"1", "22", "333"}) {
    Write("/a", content);
  }
  const auto some = history_.FollowRevisions({}, ann_, id_, At("/a"), {.skip = 1, .limit = 1});
  ASSERT_THAT(some, IsOk());
  EXPECT_THAT(Told(*some), ElementsAre("/a=2"));
  EXPECT_TRUE(some->next);
}

TEST_F(HistoryTest, VersionsBeforeADeletionAreTold) {
  Write("/a", "1");
  Remove("/a");
  Write("/a", "22");
  EXPECT_THAT(Told(*history_.ListRevisions({}, ann_, id_, {.path = At("/a")})),
              ElementsAre("/a=2", "/a=1"));
}

TEST_F(HistoryTest, RevisionsOfWhatIsNoFileAreNotFound) {
  Write("/songs/a", "1");
  EXPECT_THAT(history_.ListRevisions({}, ann_, id_, {.path = At("/songs")}),
              FailsWith(ErrorCode::kNotFound));
  EXPECT_THAT(history_.ListRevisions({}, ann_, id_, {.path = At("/b")}),
              FailsWith(ErrorCode::kNotFound));
}

TEST_F(HistoryTest, AVersionIsFoundByItsContentUnderItsPathAlone) {
  Write("/a", "1");
  const ObjectId one = history_.LoadFile({}, ann_, id_, Now().head, At("/a"))->entry.id;
  Write("/a", "22");
  Write("/b", "333");
  EXPECT_EQ(history_.FindVersion({}, ann_, id_, At("/a"), one)->entry.size, 1);
  EXPECT_THAT(history_.FindVersion({}, ann_, id_, At("/b"), one), FailsWith(ErrorCode::kNotFound));
  EXPECT_THAT(history_.FindVersion({}, bob_, id_, At("/a"), one), FailsWith(ErrorCode::kNotFound));
}

}  // namespace
}  // namespace atrium::files
