// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/heads.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "base/testing.h"
#include "files/commit.h"
#include "files/heads_testing.h"
#include "files/keys.h"
#include "files/objects.h"
#include "files/tree.h"
#include "store/store.h"

namespace atrium::files {
namespace {

using ::testing::ElementsAre;
using testing::HeadsTest;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;
using ::testing::StartsWith;
using ::testing::UnorderedElementsAre;

TEST_F(HeadsTest, ALibraryBeginsWithoutFiles) {
  const Library library = Now();
  EXPECT_EQ(library.moves, 1U);
  EXPECT_EQ(library.root, ObjectId());
  const auto commit = content_->FindCommit({}, id_, library.head);
  ASSERT_THAT(commit, IsOk());
  ASSERT_TRUE(commit->has_value());
  EXPECT_EQ((*commit)->description, "Created library");
  EXPECT_EQ((*commit)->library_name, "Scores");
  EXPECT_EQ((*commit)->parent, std::nullopt);
  EXPECT_THAT(History(), SizeIs(1));
  EXPECT_EQ(Defects(), 0U);
}

TEST_F(HeadsTest, ACommitOnTheHeadBecomesTheHead) {
  const Library before = Now();
  const Commit commit = CommitOn(before, Upload({{"a", "alto"}, {"b", "bass!"}}), "Added.");
  const auto published = heads_.Publish({}, author_, id_, commit.id);
  ASSERT_THAT(published, IsOk());
  EXPECT_EQ(published->head, commit.id);
  const Library after = Now();
  EXPECT_EQ(after.head, commit.id);
  EXPECT_EQ(after.bytes, 9);
  EXPECT_EQ(after.files, 2);
  EXPECT_EQ(after.updated_by, "ann@example.org");
  EXPECT_EQ(SpaceOfAnn(), 9);
  EXPECT_EQ(SpaceOfOrg(), 9);
  ASSERT_THAT(History(), SizeIs(2));
  EXPECT_EQ(History().back().commit, commit.id);
  EXPECT_EQ(History().back().bytes, 9);
  EXPECT_THAT(people_.Deeds(), ElementsAre("library.create", "library.change"));
  EXPECT_EQ(Defects(), 0U);
}

TEST_F(HeadsTest, StatesStayInOrderWhenTheClockIsSetBack) {
  ASSERT_THAT(Publish(Now(), {{"a", "alto"}}), IsOk());
  const Instant before = Now().updated_at;
  clock_.Set(before - std::chrono::hours(1));
  ASSERT_THAT(Publish(Now(), {{"a", "alto"}, {"b", "bass"}}), IsOk());
  EXPECT_EQ(Now().updated_at, before);
  EXPECT_EQ(History().back().at, before);
}

TEST_F(HeadsTest, WhatIsRemovedGivesItsSpaceBack) {
  ASSERT_THAT(Publish(Now(), {{"a", "alto"}, {"b", "bass!"}}), IsOk());
  ASSERT_THAT(Publish(Now(), {{"b", "bass!"}}, "Removed."), IsOk());
  EXPECT_EQ(Now().bytes, 5);
  EXPECT_EQ(Now().files, 1);
  EXPECT_EQ(SpaceOfAnn(), 5);
  EXPECT_EQ(SpaceOfOrg(), 5);
}

TEST_F(HeadsTest, TwoCommitsOnTheSameHeadAreMerged) {
  const Library seen = Now();
  ASSERT_THAT(Publish(seen, {{"a", "alto"}}, "Added a."), IsOk());
  const Commit theirs = CommitOn(seen, Upload({{"b", "bass"}}), "Added b.");
  const auto second = heads_.Publish({}, author_, id_, theirs.id);
  ASSERT_THAT(second, IsOk());
  EXPECT_NE(second->head, theirs.id);
  EXPECT_THAT(Listing(), ElementsAre(Pair("a", "alto"), Pair("b", "bass")));
  EXPECT_EQ(History().back().merged, theirs.id);
  const auto merge = content_->FindCommit({}, id_, second->head);
  ASSERT_THAT(merge, IsOk());
  EXPECT_EQ((*merge)->second_parent, theirs.id);
  EXPECT_FALSE((*merge)->conflict);
  EXPECT_EQ(Now().bytes, 8);
}

TEST_F(HeadsTest, WhatTwoChangedDifferentlyIsKeptTwice) {
  ASSERT_THAT(Publish(Now(), {{"a", "alto"}}, "Added a."), IsOk());
  const Library seen = Now();
  ASSERT_THAT(Publish(seen, {{"a", "ours"}}, "Changed a."), IsOk());
  ASSERT_THAT(Publish(seen, {{"a", "theirs"}}, "Changed a, too."), IsOk());
  EXPECT_THAT(Listing(), UnorderedElementsAre(Pair("a", "ours"), Pair(StartsWith("a "), "theirs")));
}

TEST_F(HeadsTest, TheSamePublishTwiceMovesOnce) {
  const Commit commit = CommitOn(Now(), Upload({{"a", "alto"}}), "Added a.");
  ASSERT_THAT(heads_.Publish({}, author_, id_, commit.id), IsOk());
  const auto again = heads_.Publish({}, author_, id_, commit.id);
  ASSERT_THAT(again, IsOk());
  EXPECT_EQ(again->head, commit.id);
  EXPECT_THAT(History(), SizeIs(2));
  EXPECT_EQ(SpaceOfAnn(), 4);
}

TEST_F(HeadsTest, APublishThatIsRepeatedLateBringsNothingBack) {
  const Commit first = CommitOn(Now(), Upload({{"a", "alto"}}), "Added a.");
  ASSERT_THAT(heads_.Publish({}, author_, id_, first.id), IsOk());
  ASSERT_THAT(Publish(Now(), {{"b", "bass"}}, "Removed a, added b."), IsOk());
  const auto again = heads_.Publish({}, author_, id_, first.id);
  ASSERT_THAT(again, IsOk());
  EXPECT_EQ(again->head, Now().head);
  EXPECT_THAT(Listing(), ElementsAre(Pair("b", "bass")));
}

TEST_F(HeadsTest, AMergeThatIsRepeatedLateBringsNothingBack) {
  const Library seen = Now();
  ASSERT_THAT(Publish(seen, {{"a", "alto"}}, "Added a."), IsOk());
  const Commit theirs = CommitOn(seen, Upload({{"b", "bass"}}), "Added b.");
  ASSERT_THAT(heads_.Publish({}, author_, id_, theirs.id), IsOk());
  ASSERT_THAT(Publish(Now(), {{"a", "alto"}}, "Removed b."), IsOk());
  ASSERT_THAT(heads_.Publish({}, author_, id_, theirs.id), IsOk());
  EXPECT_THAT(Listing(), ElementsAre(Pair("a", "alto")));
}

TEST_F(HeadsTest, ACommitOfAnUnknownParentDeletesNothing) {
  ASSERT_THAT(Publish(Now(), {{"a", "alto"}}, "Added a."), IsOk());
  Library unknown = Now();
  unknown.head = CommitId::Parse(std::string(40, '7')).value();
  ASSERT_THAT(Publish(unknown, {{"b", "bass"}}, "Added b."), IsOk());
  EXPECT_THAT(Listing(), ElementsAre(Pair("a", "alto"), Pair("b", "bass")));
}

TEST_F(HeadsTest, FilesWithoutTheirContentAreNamedAndNothingMoves) {
  const Library before = Now();
  PutBlocks({{"a", "alto"}});
  const Commit commit =
      CommitOn(before, PutTree({{"a", "alto"}, {"b", "bass"}, {"c", "choir"}}), "Added.");
  const auto published = heads_.Publish({}, author_, id_, commit.id);
  ASSERT_THAT(published, IsOk());
  EXPECT_THAT(published->missing, UnorderedElementsAre("/b", "/c"));
  EXPECT_EQ(Now().head, before.head);
  PutBlocks({{"b", "bass"}, {"c", "choir"}});
  const auto again = heads_.Publish({}, author_, id_, commit.id);
  ASSERT_THAT(again, IsOk());
  EXPECT_THAT(again->missing, IsEmpty());
  EXPECT_EQ(Now().head, commit.id);
}

TEST_F(HeadsTest, ATreeThatHasNotArrivedIsMissing) {
  const Library before = Now();
  const Commit commit = CommitOn(before, ObjectIdOf("nothing"), "Added.");
  const auto published = heads_.Publish({}, author_, id_, commit.id);
  ASSERT_THAT(published, IsOk());
  EXPECT_THAT(published->missing, ElementsAre("/"));
  EXPECT_EQ(Now().head, before.head);
}

TEST_F(HeadsTest, BlocksOfAnotherLibraryAreMissingHere) {
  const LibraryId other(ids_.NewUuid());
  ASSERT_THAT(content_->PutBlock({}, other, BlockIdOf("secret"), "secret"), IsOk());
  const Commit commit = CommitOn(Now(), PutTree({{"a", "secret"}}), "Added.");
  const auto published = heads_.Publish({}, author_, id_, commit.id);
  ASSERT_THAT(published, IsOk());
  EXPECT_THAT(published->missing, ElementsAre("/a"));
}

TEST_F(HeadsTest, SizesThatLieAreRefused) {
  PutBlocks({{"a", "alto"}});
  const Library before = Now();
  CollectedObjects objects;
  Dirent entry = EntryOf("a", "alto", objects);
  entry.size = 1;
  Dirent object_lies = entry;
  object_lies.id = objects.Write(FileObject{.blocks = {BlockIdOf("alto")}, .size = 1}).value();
  for (const Dirent& lie : {entry, object_lies}) {
    CollectedObjects tree;
    const ObjectId root = tree.Write(Directory::Make({lie}).value()).value();
    ASSERT_THAT(content_->PutObjects({}, id_, objects.Objects()), IsOk());
    ASSERT_THAT(content_->PutObjects({}, id_, tree.Objects()), IsOk());
    const Commit commit = CommitOn(before, root, "Added.");
    EXPECT_THAT(heads_.Publish({}, author_, id_, commit.id),
                FailsWith(ErrorCode::kInvalidArgument));
  }
  EXPECT_EQ(Now().head, before.head);
}

TEST_F(HeadsTest, ASizeThatChangesWithoutItsContentIsRefused) {
  ASSERT_THAT(Publish(Now(), {{"a", "alto"}}), IsOk());
  CollectedObjects objects;
  Dirent entry = EntryOf("a", "alto", objects);
  entry.size = 0;
  const ObjectId root = objects.Write(Directory::Make({entry}).value()).value();
  ASSERT_THAT(content_->PutObjects({}, id_, objects.Objects()), IsOk());
  const Commit commit = CommitOn(Now(), root, "Lied.");
  EXPECT_THAT(heads_.Publish({}, author_, id_, commit.id), FailsWith(ErrorCode::kInvalidArgument));
  EXPECT_EQ(SpaceOfAnn(), 4);
}

TEST_F(HeadsTest, ACommitThatIsNotThereOrOfAnotherLibraryIsRefused) {
  EXPECT_THAT(heads_.Publish({}, author_, id_, CommitId::Parse(std::string(40, '7')).value()),
              FailsWith(ErrorCode::kNotFound));
  Commit commit{.library = LibraryId(ids_.NewUuid()), .ctime = 1};
  commit.id = ClientCommitIdOf(commit);
  ASSERT_THAT(content_->PutCommit({}, id_, commit.id, Render(commit)), IsOk());
  EXPECT_THAT(heads_.Publish({}, author_, id_, commit.id), FailsWith(ErrorCode::kInvalidArgument));
}

TEST_F(HeadsTest, WhoDoesNotKnowTheNewNameDoesNotBringTheOldOneBack) {
  ASSERT_THAT(heads_.Revise({}, author_, id_,
                            {.action = "library.rename",
                             .description = "Renamed library",
                             .revise =
                                 [](Library& library, store::Batch& /*batch*/) {
                                   library.name = "Notes";
                                   return Result<void>();
                                 }}),
              IsOk());
  Library stale = Now();
  stale.name = "Scores";
  const auto published = Publish(stale, {{"a", "alto"}});
  ASSERT_THAT(published, IsOk());
  const auto head = content_->FindCommit({}, id_, Now().head);
  ASSERT_THAT(head, IsOk());
  EXPECT_EQ((*head)->library_name, "Notes");
  EXPECT_THAT(Listing(), ElementsAre(Pair("a", "alto")));
  EXPECT_EQ(Now().name, "Notes");
}

}  // namespace
}  // namespace atrium::files
