// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/heads.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/testing.h"
#include "files/keys.h"
#include "files/library_reader.h"
#include "files/objects.h"
#include "files/room_testing.h"
#include "files/tree.h"
#include "store/store.h"

namespace atrium::files {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;
using ::testing::StartsWith;
using ::testing::UnorderedElementsAre;

/// The content of files by name, all in the root.
using Files = std::map<std::string, std::string>;

/// Ann's library, and what a client of hers does with it.
class HeadsTest : public testing::RoomTest {
 protected:
  HeadsTest() {
    const auto begun = heads_.Begin({}, author_,
                                    {.id = LibraryId(ids_.NewUuid()),
                                     .org = org_,
                                     .owner = ann_.id,
                                     .name = "Scores",
                                     .created_at = clock_.Now()});
    EXPECT_THAT(begun, IsOk());
    id_ = begun ? begun->record.id : LibraryId();
  }

  Library Now() {
    const auto found = store::Load(store_, {}, Libraries(), LibraryRowKey(id_));
    EXPECT_THAT(found, IsOk());
    return found ? found->record : Library();
  }

  static Dirent EntryOf(const std::string& name, const std::string& content, ObjectWriter& writer) {
    const FileObject file{
        .blocks = content.empty() ? std::vector<BlockId>() : std::vector{BlockIdOf(content)},
        .size = static_cast<std::int64_t>(content.size())};
    return {.id = writer.Write(file).value(),
            .name = name,
            .modifier = "ann@example.org",
            .size = file.size};
  }
  /// Stores the tree without the content of its files.
  ObjectId PutTree(const Files& files) {
    CollectedObjects objects;
    std::vector<Dirent> entries;
    for (const auto& [name, content] : files) {
      entries.push_back(EntryOf(name, content, objects));
    }
    const ObjectId root = objects.Write(Directory::Make(std::move(entries)).value()).value();
    EXPECT_THAT(content_->PutObjects({}, id_, objects.Objects()), IsOk());
    return root;
  }
  void PutBlocks(const Files& files) {
    for (const auto& [name, content] : files) {
      EXPECT_THAT(content_->PutBlock({}, id_, BlockIdOf(content), content), IsOk());
    }
  }
  ObjectId Upload(const Files& files) {
    PutBlocks(files);
    return PutTree(files);
  }

  /// As a client makes it from what it has seen of the library.
  Commit CommitOn(const Library& seen, const ObjectId& root, const std::string& description) {
    Commit commit{.root = root,
                  .library = id_,
                  .creator_name = "ann@example.org",
                  .description = description,
                  .ctime = 1'800'000'000,
                  .parent = seen.head,
                  .library_name = seen.name,
                  .lock = seen.lock};
    commit.id = ClientCommitIdOf(commit);
    EXPECT_THAT(content_->PutCommit({}, id_, commit.id, Render(commit)), IsOk());
    return commit;
  }
  Result<Publication> Publish(const Library& seen, const Files& files,
                              const std::string& description = "Added files.") {
    const Commit commit = CommitOn(seen, Upload(files), description);
    return heads_.Publish({}, author_, id_, commit.id);
  }

  Files Listing() {
    LibraryReader reader(*content_, {}, id_);
    Files files;
    const auto root = reader.ReadDirectory(Now().root).value();
    for (const Dirent& entry : root->Entries()) {
      std::string& content = files[entry.name];
      for (const BlockId& block : reader.ReadFile(entry.id).value().blocks) {
        content +=
            content_->ReadBlock({}, content_->FindBlock({}, id_, block).value().value()).value();
      }
    }
    return files;
  }
  std::vector<Move> History() {
    std::vector<Move> moves;
    const auto page = store::List<Move>(
        store_, {}, {.table = &kMoveTable, .partition = id_.Render(), .limit = 1000});
    EXPECT_THAT(page, IsOk());
    for (const store::Stored<Move>& move : page->records) {
      moves.push_back(move.record);
    }
    return moves;
  }
  std::int64_t SpaceOfAnn() { return CounterAt(kSpaceTable, SpaceKey(ann_.id), kBytesCounter); }
  std::int64_t SpaceOfOrg() {
    return CounterAt(testing::Acquaintances::kOrgSpace, {.partition = org_.Render()}, "bytes");
  }
  /// Puts one more file into the root.
  static Heads::Edit Adding(const std::string& name, const std::string& content) {
    return
        [=](ObjectReader& reader, ObjectWriter& writer, const Library& library) -> Result<Change> {
          ASSIGN_OR_RETURN(const auto root, reader.ReadDirectory(library.root));
          Directory changed = *root;
          RETURN_IF_ERROR(changed.Put(EntryOf(name, content, writer)));
          ASSIGN_OR_RETURN(const ObjectId id, writer.Write(changed));
          return Change{.root = id, .description = "Added \"" + name + "\"."};
        };
  }
  static void ExpectLinear(const std::vector<Move>& moves) {
    for (std::size_t i = 0; i < moves.size(); ++i) {
      EXPECT_EQ(moves[i].number, i + 1);
    }
  }

  Heads heads_{Ground(), *content_, people_};
  const Author author_{.user = ann_.id, .email = ann_.email};
  LibraryId id_{};
};

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

TEST_F(HeadsTest, AFullOwnerIsRefusedAndNothingMoves) {
  Person ann = ann_;
  ann.quota_bytes = 5;
  people_.Change(ann);
  ASSERT_THAT(Publish(Now(), {{"a", "alto"}}, "Added a."), IsOk());
  const Library before = Now();
  EXPECT_THAT(Publish(before, {{"a", "alto"}, {"b", "bass"}}, "Added b."),
              FailsWith(ErrorCode::kLimitExceeded));
  EXPECT_EQ(Now().head, before.head);
  EXPECT_EQ(SpaceOfAnn(), 4);
  EXPECT_EQ(SpaceOfOrg(), 4);
  EXPECT_THAT(History(), SizeIs(2));
  // There is always room for less.
  EXPECT_THAT(Publish(before, {}, "Removed a."), IsOk());
}

TEST_F(HeadsTest, AFullOrganisationOrLibraryIsRefused) {
  people_.org_quota = 3;
  EXPECT_THAT(Publish(Now(), {{"a", "alto"}}, "Added a."), FailsWith(ErrorCode::kLimitExceeded));
  people_.org_quota = 1000;
  ASSERT_THAT(heads_.Revise({}, author_, id_,
                            {.action = "library.change",
                             .revise =
                                 [](Library& library, store::Batch& /*batch*/) {
                                   library.quota_bytes = 3;
                                   return Result<void>();
                                 }}),
              IsOk());
  EXPECT_THAT(Publish(Now(), {{"a", "alto"}}, "Added a once more."),
              FailsWith(ErrorCode::kLimitExceeded));
  EXPECT_EQ(SpaceOfAnn(), 0);
}

TEST_F(HeadsTest, AnEditThatChangesNothingMovesNothing) {
  const auto same =
      heads_.Apply({}, author_, id_, [](ObjectReader&, ObjectWriter&, const Library& library) {
        return Result<Change>(Change{.root = library.root});
      });
  ASSERT_THAT(same, IsOk());
  EXPECT_THAT(History(), SizeIs(1));
}

TEST_F(HeadsTest, AnEditWhoseContentIsMissingIsRefused) {
  EXPECT_THAT(heads_.Apply({}, author_, id_, Adding("a", "alto")),
              FailsWith(ErrorCode::kRefusedByState));
  EXPECT_THAT(History(), SizeIs(1));
}

TEST_F(HeadsTest, ASweepDuringAnEditLetsItLookAgain) {
  PutBlocks({{"a", "alto"}});
  int calls = 0;
  const auto edit = [&](ObjectReader& reader, ObjectWriter& writer, const Library& library) {
    ++calls;
    return Adding("a", "alto")(reader, writer, library);
  };
  // The sweep comes between what is looked at and the commit: the organisation is asked there.
  people_.before_reserve = [&] {
    if (calls > 1) {
      return;
    }
    store::WriteSet sweep;
    sweep.mutations.push_back(store::Add{.table = &kLibraryCounts,
                                         .key = SweepsKey(id_),
                                         .counter = std::string(kSweepsCounter),
                                         .delta = 1});
    EXPECT_THAT(store_.Commit({}, std::move(sweep)), IsOk());
  };
  EXPECT_THAT(heads_.Apply({}, author_, id_, edit), IsOk());
  EXPECT_EQ(calls, 2);
  EXPECT_THAT(Listing(), ElementsAre(Pair("a", "alto")));
}

TEST_F(HeadsTest, ALibraryInTheTrashDoesNotMove) {
  auto found = store::Load(store_, {}, Libraries(), LibraryRowKey(id_)).value();
  Library trashed = found.record;
  trashed.deleted_at = clock_.Now();
  store::Batch batch;
  batch.Replace(Libraries(), found, trashed);
  ASSERT_THAT(store_.Commit({}, std::move(batch)), IsOk());
  EXPECT_THAT(Publish(trashed, {{"a", "alto"}}), FailsWith(ErrorCode::kNotFound));
  EXPECT_THAT(heads_.Apply({}, author_, id_, Adding("a", "")), FailsWith(ErrorCode::kNotFound));
}

TEST_F(HeadsTest, NothingIsLostWhenManyAddAFileAtOnce) {
  constexpr int kThreads = 64;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < kThreads; ++i) {
      threads.emplace_back([this, i] {
        const std::string content = "content " + std::to_string(i);
        ASSERT_THAT(content_->PutBlock({}, id_, BlockIdOf(content), content), IsOk());
        EXPECT_THAT(heads_.Apply({}, author_, id_, Adding("f" + std::to_string(i), content)),
                    IsOk());
      });
    }
  }
  EXPECT_THAT(Listing(), SizeIs(kThreads));
  EXPECT_EQ(Now().files, kThreads);
  EXPECT_EQ(SpaceOfAnn(), Now().bytes);
  ASSERT_THAT(History(), SizeIs(kThreads + 1));
  ExpectLinear(History());
  EXPECT_EQ(Defects(), 0U);
}

TEST_F(HeadsTest, NothingIsLostWhenManyPublishOnTheSameHead) {
  constexpr int kThreads = 16;
  const Library seen = Now();
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < kThreads; ++i) {
      threads.emplace_back([this, i, &seen] {
        const std::string name = "f" + std::to_string(i);
        EXPECT_THAT(Publish(seen, {{name, "content of " + name}}, "Added " + name), IsOk());
      });
    }
  }
  EXPECT_THAT(Listing(), SizeIs(kThreads));
  EXPECT_EQ(Now().files, kThreads);
  EXPECT_EQ(SpaceOfAnn(), Now().bytes);
  ExpectLinear(History());
  EXPECT_EQ(Defects(), 0U);
}

TEST_F(HeadsTest, TwoServersThatPublishAtOnceLoseNothing) {
  // Another process has queues of its own: only the store stands between the two.
  Heads other(Ground(), *content_, people_);
  const Library seen = Now();
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 6; ++i) {
      threads.emplace_back([&, i] {
        const std::string name = "f" + std::to_string(i);
        const Commit commit = CommitOn(seen, Upload({{name, name}}), "Added " + name);
        EXPECT_THAT((i % 2 == 0 ? heads_ : other).Publish({}, author_, id_, commit.id), IsOk());
      });
    }
  }
  EXPECT_THAT(Listing(), SizeIs(6));
  ExpectLinear(History());
}

}  // namespace
}  // namespace atrium::files
