// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/reverts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <thread>

#include "files/past_testing.h"

namespace atrium::files {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;

class RevertsTest : public testing::PastTest {
 protected:
  Result<Dirent> Revert(const CommitId& commit, const std::string& path,
                        OnTaken taken = OnTaken::kReplace) {
    return reverts_.RevertEntry(
        {}, ann_, {.library = id_, .commit = commit, .path = At(path), .taken = taken});
  }

  RevertService reverts_{Ground(), *content_, heads_};
};

TEST_F(RevertsTest, AFileBecomesWhatItWas) {
  const CommitId then = Write("/songs/a", "1");
  Write("/songs/a", "22");
  Write("/songs/b", "3");
  EXPECT_THAT(Revert(then, "/songs/a"), IsOk());
  EXPECT_THAT(Tree(),
              ElementsAre(Pair("/songs", "/"), Pair("/songs/a", "1"), Pair("/songs/b", "3")));
  EXPECT_EQ(Now().bytes, 2);
  EXPECT_THAT(History().back().description,
              ::testing::StartsWith("Reverted file \"a\" to status at 2027-01-15 09:00:00"));
}

TEST_F(RevertsTest, AFileComesBackBesideTheOtherWhenItIsToBeRenamed) {
  const CommitId then = Write("/a.txt", "1");
  Write("/a.txt", "22");
  const auto entry = Revert(then, "/a.txt", OnTaken::kRename);
  ASSERT_THAT(entry, IsOk());
  EXPECT_EQ(entry->name, "a (1).txt");
  EXPECT_THAT(Tree(), ElementsAre(Pair("/a (1).txt", "1"), Pair("/a.txt", "22")));
}

TEST_F(RevertsTest, WhatIsAsItWasStaysAndMakesNoState) {
  const CommitId then = Write("/a", "1");
  const std::uint64_t moves = Now().moves;
  EXPECT_THAT(Revert(then, "/a"), IsOk());
  EXPECT_EQ(Now().moves, moves);
}

TEST_F(RevertsTest, FoldersOnTheWayAreMadeAgain) {
  const CommitId then = Write("/songs/old/a", "1");
  Remove("/songs");
  EXPECT_THAT(Revert(then, "/songs/old/a"), IsOk());
  EXPECT_EQ(Tree().at("/songs/old/a"), "1");
}

TEST_F(RevertsTest, AFolderBecomesWhatItWas) {
  Write("/songs/a", "1");
  const CommitId then = Write("/songs/b", "2");
  Remove("/songs/a");
  Write("/songs/c", "3");
  EXPECT_THAT(Revert(then, "/songs"), IsOk());
  EXPECT_THAT(Tree(),
              ElementsAre(Pair("/songs", "/"), Pair("/songs/a", "1"), Pair("/songs/b", "2")));
}

TEST_F(RevertsTest, AFileDoesNotTakeThePlaceOfAFolder) {
  const CommitId then = Write("/a", "1");
  Remove("/a");
  Write("/a/b", "2");
  EXPECT_THAT(Revert(then, "/a"), FailsWith(ErrorCode::kAlreadyExists));
  EXPECT_THAT(Revert(then, "/a", OnTaken::kRename), IsOk());
  EXPECT_EQ(Tree().at("/a (1)"), "1");
}

TEST_F(RevertsTest, WhatWasNotThereIsNotFound) {
  const CommitId then = Write("/a", "1");
  EXPECT_THAT(Revert(then, "/b"), FailsWith(ErrorCode::kNotFound));
  EXPECT_THAT(Revert(CommitId(), "/a"), FailsWith(ErrorCode::kNotFound));
  EXPECT_THAT(Revert(then, "/"), FailsWith(ErrorCode::kInvalidArgument));
}

TEST_F(RevertsTest, OthersRevertNothing) {
  const CommitId then = Write("/a", "1");
  Write("/a", "22");
  EXPECT_THAT(reverts_.RevertEntry({}, bob_, {.library = id_, .commit = then, .path = At("/a")}),
              FailsWith(ErrorCode::kNotFound));
  EXPECT_THAT(reverts_.RevertLibrary({}, bob_, id_, then), FailsWith(ErrorCode::kNotFound));
  Person reader = ann_;
  reader.may_write = false;
  EXPECT_THAT(reverts_.RevertEntry({}, reader, {.library = id_, .commit = then, .path = At("/a")}),
              FailsWith(ErrorCode::kPermissionDenied));
  EXPECT_THAT(reverts_.RevertLibrary({}, reader, id_, then),
              FailsWith(ErrorCode::kPermissionDenied));
  EXPECT_THAT(reverts_.Restore({}, reader, id_, then, {"/a"}),
              FailsWith(ErrorCode::kPermissionDenied));
  EXPECT_EQ(Tree().at("/a"), "22");
}

TEST_F(RevertsTest, AChangeThatComesMeanwhileIsKept) {
  const CommitId then = Write("/a", "1");
  Write("/a", "22");
  ASSERT_THAT(content_->PutBlock({}, id_, BlockIdOf("z"), "z"), IsOk());
  // Another process, which does not wait in the queue of this one.
  Heads elsewhere(Ground(), *content_, people_);
  bool done = false;
  people_.before_reserve = [&] {
    if (!std::exchange(done, true)) {
      EXPECT_THAT(elsewhere.Apply({}, author_, id_, Adding("meanwhile", "z")), IsOk());
    }
  };
  EXPECT_THAT(Revert(then, "/a"), IsOk());
  people_.before_reserve = {};
  EXPECT_THAT(Tree(), ElementsAre(Pair("/a", "1"), Pair("/meanwhile", "z")));
  ExpectLinear(History());
}

TEST_F(RevertsTest, TheLibraryBecomesWhatItWas) {
  Write("/a", "1");
  const CommitId then = Write("/b", "22");
  Remove("/a");
  Write("/c", "333");
  EXPECT_THAT(reverts_.RevertLibrary({}, ann_, id_, then), IsOk());
  EXPECT_THAT(Tree(), ElementsAre(Pair("/a", "1"), Pair("/b", "22")));
  EXPECT_EQ(Now().bytes, 3);
  EXPECT_EQ(SpaceOfAnn(), 3);
}

TEST_F(RevertsTest, TheStateBeforeALibraryWasRevertedIsKept) {
  const CommitId then = Write("/a", "1");
  const CommitId before = Write("/c", "333");
  ASSERT_THAT(reverts_.RevertLibrary({}, ann_, id_, then), IsOk());
  ASSERT_THAT(reverts_.RevertLibrary({}, ann_, id_, before), IsOk());
  EXPECT_THAT(Tree(), ElementsAre(Pair("/a", "1"), Pair("/c", "333")));
}

TEST_F(RevertsTest, AChangeBeforeARevertOfTheLibraryStaysInItsHistory) {
  const CommitId then = Write("/a", "1");
  ASSERT_THAT(content_->PutBlock({}, id_, BlockIdOf("z"), "z"), IsOk());
  Write("/b", "2");
  Heads elsewhere(Ground(), *content_, people_);
  bool done = false;
  people_.before_reserve = [&] {
    if (!std::exchange(done, true)) {
      EXPECT_THAT(elsewhere.Apply({}, author_, id_, Adding("meanwhile", "z")), IsOk());
    }
  };
  ASSERT_THAT(reverts_.RevertLibrary({}, ann_, id_, then), IsOk());
  people_.before_reserve = {};
  EXPECT_THAT(Tree(), ElementsAre(Pair("/a", "1")));
  const Move before = History()[History().size() - 2];
  EXPECT_THAT(Revert(before.commit, "/meanwhile"), IsOk());
}

TEST_F(RevertsTest, ManyAreRestoredInOneState) {
  Write("/a", "1");
  Write("/songs/b", "22");
  const CommitId then = Write("/c", "333");
  Remove("/a");
  Remove("/songs");
  Write("/a", "another");
  const std::uint64_t moves = Now().moves;
  const auto report = reverts_.Restore({}, ann_, id_, then, {"/a", "/songs", "/none", "/../x"});
  ASSERT_THAT(report, IsOk());
  EXPECT_THAT(report->restored, SizeIs(2));
  EXPECT_THAT(report->refused, SizeIs(2));
  EXPECT_EQ(Now().moves, moves + 1);
  EXPECT_EQ(Tree().at("/a"), "another");
  EXPECT_EQ(Tree().at("/a (1)"), "1");
  EXPECT_EQ(Tree().at("/songs/b"), "22");
  EXPECT_EQ(History().back().description, "Recovered deleted file \"a (1)\" and 1 more.");
}

TEST_F(RevertsTest, WhatIsThereAgainIsNotRestoredTwice) {
  const CommitId then = Write("/a", "1");
  Remove("/a");
  ASSERT_THAT(reverts_.Restore({}, ann_, id_, then, {"/a"}), IsOk());
  ASSERT_THAT(reverts_.Restore({}, ann_, id_, then, {"/a"}), IsOk());
  EXPECT_THAT(Tree(), ElementsAre(Pair("/a", "1")));
}

TEST_F(RevertsTest, NothingToRestoreIsRefused) {
  EXPECT_THAT(reverts_.Restore({}, ann_, id_, Now().head, {}),
              FailsWith(ErrorCode::kInvalidArgument));
}

TEST_F(RevertsTest, WhatDoesNotFitTheQuotaStaysAway) {
  const CommitId then = Write("/a", "12345");
  Remove("/a");
  Person ann = ann_;
  ann.quota_bytes = 3;
  people_.Change(ann);
  EXPECT_THAT(Revert(then, "/a"), FailsWith(ErrorCode::kLimitExceeded));
  EXPECT_THAT(Tree(), IsEmpty());
}

}  // namespace
}  // namespace atrium::files
