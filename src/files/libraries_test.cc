// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/libraries.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "base/testing.h"
#include "files/commit.h"
#include "files/keys.h"
#include "files/library_cipher.h"
#include "files/objects.h"
#include "files/room_testing.h"
#include "files/tree.h"

namespace atrium::files {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

class LibrariesTest : public testing::RoomTest {
 protected:
  LibraryId Make(const std::string& name) {
    const auto made = libraries_.Create({}, ann_, {.name = name});
    EXPECT_THAT(made, IsOk());
    return made ? made->record.id : LibraryId();
  }
  std::vector<std::string> NamesOf(const Person& person) {
    std::vector<std::string> names;
    const auto mine = libraries_.ListMine({}, person);
    EXPECT_THAT(mine, IsOk());
    for (const auto& library : *mine) {
      names.push_back(library.record.name);
    }
    return names;
  }
  Commit HeadOf(const LibraryId& id) {
    const auto found = store::Load(store_, {}, Libraries(), LibraryRowKey(id));
    return content_->FindCommit({}, id, found.value().record.head).value().value();
  }
  /// Four bytes in one file.
  void Fill(const LibraryId& id) {
    ASSERT_THAT(content_->PutBlock({}, id, BlockIdOf("alto"), "alto"), IsOk());
    const auto edit = [](ObjectReader& /*reader*/, ObjectWriter& writer,
                         const Library& /*library*/) -> Result<Change> {
      ASSIGN_OR_RETURN(const ObjectId file,
                       writer.Write(FileObject{.blocks = {BlockIdOf("alto")}, .size = 4}));
      ASSIGN_OR_RETURN(const Directory root,
                       Directory::Make({{.id = file, .name = "a", .modifier = "ann", .size = 4}}));
      ASSIGN_OR_RETURN(const ObjectId root_id, writer.Write(root));
      return Change{.root = root_id, .description = "Added \"a\"."};
    };
    ASSERT_THAT(heads_.Apply({}, {.user = ann_.id, .email = ann_.email}, id, edit), IsOk());
  }
  std::int64_t SpaceOf(const Person& person) {
    return CounterAt(kSpaceTable, SpaceKey(person.id), kBytesCounter);
  }

  Heads heads_{Ground(), *content_, people_};
  LibraryService libraries_{Ground(), heads_, people_};
  const Person bob_ = people_.Add("bob", org_);
  const Person eve_ = people_.Add("eve", OrgId(ids_.NewUuid()));
};

TEST_F(LibrariesTest, ANewLibraryIsMineAlone) {
  Make("Scores");
  EXPECT_THAT(NamesOf(ann_), ElementsAre("Scores"));
  EXPECT_THAT(NamesOf(bob_), IsEmpty());
  EXPECT_EQ(Defects(), 0U);
}

TEST_F(LibrariesTest, NamesHaveLimits) {
  EXPECT_THAT(libraries_.Create({}, ann_, {.name = ""}), FailsWith(ErrorCode::kInvalidArgument));
  EXPECT_THAT(libraries_.Create({}, ann_, {.name = "a/b"}), FailsWith(ErrorCode::kInvalidArgument));
  EXPECT_THAT(libraries_.Create({}, ann_, {.name = ".."}), FailsWith(ErrorCode::kInvalidArgument));
  EXPECT_THAT(libraries_.Create({}, ann_, {.name = std::string(256, 'n')}),
              FailsWith(ErrorCode::kInvalidArgument));
  EXPECT_THAT(libraries_.Create({}, ann_, {.name = "\xff"}),
              FailsWith(ErrorCode::kInvalidArgument));
  EXPECT_THAT(libraries_.Create({}, ann_, {.name = "n", .description = std::string(4001, 'd')}),
              FailsWith(ErrorCode::kInvalidArgument));
  EXPECT_THAT(libraries_.Create({}, ann_, {.name = std::string(255, 'n')}), IsOk());
  EXPECT_THAT(NamesOf(ann_), SizeIs(1));
}

TEST_F(LibrariesTest, TwoLibrariesMayHaveOneNameButNotOneId) {
  const LibraryId id = Make("Scores");
  Make("Scores");
  EXPECT_THAT(libraries_.Create({}, bob_, {.id = id, .name = "Mine now"}),
              FailsWith(ErrorCode::kAlreadyExists));
  EXPECT_THAT(NamesOf(ann_), ElementsAre("Scores", "Scores"));
}

TEST_F(LibrariesTest, WhoMayOnlyReadMakesNone) {
  Person reader = bob_;
  reader.may_write = false;
  EXPECT_THAT(libraries_.Create({}, reader, {.name = "Scores"}),
              FailsWith(ErrorCode::kPermissionDenied));
}

TEST_F(LibrariesTest, AnEncryptedLibraryTellsClientsItsLock) {
  const auto made = libraries_.Create({}, ann_, {.name = "Secret", .password = "open sesame"});
  ASSERT_THAT(made, IsOk());
  ASSERT_TRUE(made->record.lock.has_value());
  EXPECT_THAT(UnlockLibrary(*made->record.lock, made->record.id, "open sesame"), IsOk());
  EXPECT_EQ(HeadOf(made->record.id).lock, made->record.lock);
  const LibraryId own(ids_.NewUuid());
  const LibraryLock lock = MakeLibraryLock(own, "of a client").value();
  EXPECT_THAT(libraries_.Create({}, ann_, {.id = own, .name = "Own", .lock = lock}), IsOk());
  EXPECT_THAT(libraries_.Create({}, ann_, {.name = "Both", .password = "p", .lock = lock}),
              FailsWith(ErrorCode::kInvalidArgument));
  EXPECT_THAT(libraries_.Create({}, ann_, {.name = "Bad", .lock = LibraryLock{.magic = "x"}}),
              FailsWith(ErrorCode::kInvalidArgument));
}

TEST_F(LibrariesTest, EverybodyHasOneDefaultLibraryHoweverManyAsk) {
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 6; ++i) {
      threads.emplace_back([this] { EXPECT_THAT(libraries_.EnsureDefault({}, ann_), IsOk()); });
    }
  }
  EXPECT_THAT(NamesOf(ann_), ElementsAre("My Library"));
}

TEST_F(LibrariesTest, ADefaultLibraryThatWasDeletedIsMadeAnew) {
  const auto first = libraries_.EnsureDefault({}, ann_);
  ASSERT_THAT(first, IsOk());
  ASSERT_THAT(libraries_.Delete({}, ann_, first->record.id), IsOk());
  const auto second = libraries_.EnsureDefault({}, ann_);
  ASSERT_THAT(second, IsOk());
  EXPECT_NE(second->record.id, first->record.id);
  EXPECT_THAT(libraries_.Restore({}, ann_, first->record.id), IsOk());
  EXPECT_THAT(NamesOf(ann_), SizeIs(2));
  EXPECT_EQ(Defects(), 0U);
}

TEST_F(LibrariesTest, ANewNameReachesClientsAsACommit) {
  const LibraryId id = Make("Scores");
  const Commit before = HeadOf(id);
  ASSERT_THAT(libraries_.Update({}, ann_, id, {.name = "Notes", .description = "All"}), IsOk());
  const Commit after = HeadOf(id);
  EXPECT_EQ(after.parent, before.id);
  EXPECT_EQ(after.library_name, "Notes");
  EXPECT_EQ(after.library_description, "All");
  EXPECT_EQ(after.root, before.root);
  EXPECT_THAT(NamesOf(ann_), ElementsAre("Notes"));
}

TEST_F(LibrariesTest, SettingsHaveBounds) {
  const LibraryId id = Make("Scores");
  EXPECT_THAT(libraries_.Update({}, ann_, id, {.keep_days = -1}),
              FailsWith(ErrorCode::kInvalidArgument));
  EXPECT_THAT(libraries_.Update({}, ann_, id, {.quota_bytes = -1}),
              FailsWith(ErrorCode::kInvalidArgument));
  EXPECT_THAT(libraries_.Update({}, ann_, id, {.name = "a/b"}),
              FailsWith(ErrorCode::kInvalidArgument));
  const auto set = libraries_.Update({}, ann_, id, {.keep_days = 30, .quota_bytes = 1000});
  ASSERT_THAT(set, IsOk());
  EXPECT_EQ(set->record.keep_days, 30);
  EXPECT_EQ(set->record.quota_bytes, 1000);
  const auto unset = libraries_.Update({}, ann_, id, {.keep_days = 0, .quota_bytes = 0});
  ASSERT_THAT(unset, IsOk());
  EXPECT_EQ(unset->record.keep_days, std::nullopt);
  EXPECT_EQ(unset->record.quota_bytes, std::nullopt);
}

TEST_F(LibrariesTest, TheLibraryOfSomebodyElseDoesNotExist) {
  const LibraryId id = Make("Scores");
  for (const Person& other : {bob_, eve_}) {
    EXPECT_THAT(libraries_.Update({}, other, id, {.name = "Mine"}),
                FailsWith(ErrorCode::kNotFound));
    EXPECT_THAT(libraries_.Delete({}, other, id), FailsWith(ErrorCode::kNotFound));
    EXPECT_THAT(libraries_.Restore({}, other, id), FailsWith(ErrorCode::kNotFound));
    EXPECT_THAT(libraries_.Transfer({}, other, id, other.id), FailsWith(ErrorCode::kNotFound));
    EXPECT_THAT(Enter(store_, {}, other, id, Permission::kRead), FailsWith(ErrorCode::kNotFound));
  }
  EXPECT_THAT(NamesOf(ann_), ElementsAre("Scores"));
}

TEST_F(LibrariesTest, WhoMayOnlyReadEntersAndChangesNothing) {
  const LibraryId id = Make("Scores");
  Person reader = ann_;
  reader.may_write = false;
  EXPECT_THAT(Enter(store_, {}, reader, id, Permission::kRead), IsOk());
  EXPECT_THAT(Enter(store_, {}, reader, id, Permission::kWrite),
              FailsWith(ErrorCode::kPermissionDenied));
  EXPECT_THAT(libraries_.Delete({}, reader, id), FailsWith(ErrorCode::kPermissionDenied));
  reader.is_active = false;
  EXPECT_THAT(Enter(store_, {}, reader, id, Permission::kRead), FailsWith(ErrorCode::kNotFound));
}

TEST_F(LibrariesTest, TheTrashGivesBackWhatItHas) {
  const LibraryId id = Make("Scores");
  Fill(id);
  ASSERT_THAT(libraries_.Delete({}, ann_, id), IsOk());
  EXPECT_THAT(libraries_.Delete({}, ann_, id), FailsWith(ErrorCode::kNotFound));
  EXPECT_THAT(NamesOf(ann_), IsEmpty());
  EXPECT_THAT(libraries_.ListTrash({}, ann_).value(), SizeIs(1));
  EXPECT_EQ(SpaceOf(ann_), 4);
  ASSERT_THAT(libraries_.Restore({}, ann_, id), IsOk());
  EXPECT_THAT(libraries_.Restore({}, ann_, id), FailsWith(ErrorCode::kRefusedByState));
  EXPECT_THAT(NamesOf(ann_), ElementsAre("Scores"));
  EXPECT_EQ(Defects(), 0U);
}

TEST_F(LibrariesTest, AfterThirtyDaysTheTrashGivesNothingBack) {
  const LibraryId id = Make("Scores");
  ASSERT_THAT(libraries_.Delete({}, ann_, id), IsOk());
  clock_.Advance(kTrashKept);
  EXPECT_THAT(libraries_.Restore({}, ann_, id), FailsWith(ErrorCode::kRefusedByState));
}

TEST_F(LibrariesTest, ATransferTakesTheSpaceAlong) {
  const LibraryId id = Make("Scores");
  Fill(id);
  ASSERT_THAT(libraries_.Transfer({}, ann_, id, bob_.id), IsOk());
  EXPECT_EQ(SpaceOf(ann_), 0);
  EXPECT_EQ(SpaceOf(bob_), 4);
  EXPECT_THAT(NamesOf(ann_), IsEmpty());
  EXPECT_THAT(NamesOf(bob_), ElementsAre("Scores"));
  EXPECT_THAT(libraries_.Transfer({}, ann_, id, bob_.id), FailsWith(ErrorCode::kNotFound));
  EXPECT_THAT(people_.Deeds(), ::testing::Contains("library.transfer"));
  EXPECT_EQ(Defects(), 0U);
}

TEST_F(LibrariesTest, ATransferNeedsSomebodyWithSpaceInTheOrganisation) {
  const LibraryId id = Make("Scores");
  Fill(id);
  EXPECT_THAT(libraries_.Transfer({}, ann_, id, eve_.id), FailsWith(ErrorCode::kNotFound));
  EXPECT_THAT(libraries_.Transfer({}, ann_, id, UserId(ids_.NewUuid())),
              FailsWith(ErrorCode::kNotFound));
  Person full = bob_;
  full.quota_bytes = 3;
  people_.Change(full);
  EXPECT_THAT(libraries_.Transfer({}, ann_, id, bob_.id), FailsWith(ErrorCode::kLimitExceeded));
  EXPECT_THAT(libraries_.Transfer({}, ann_, id, ann_.id), IsOk());
  EXPECT_EQ(SpaceOf(ann_), 4);
  EXPECT_EQ(SpaceOf(bob_), 0);
  EXPECT_THAT(NamesOf(ann_), UnorderedElementsAre("Scores"));
}

TEST_F(LibrariesTest, TheDefaultLibraryStays) {
  const auto first = libraries_.EnsureDefault({}, ann_);
  ASSERT_THAT(first, IsOk());
  EXPECT_THAT(libraries_.Transfer({}, ann_, first->record.id, bob_.id),
              FailsWith(ErrorCode::kRefusedByState));
}

}  // namespace
}  // namespace atrium::files
