// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <utility>
#include <vector>

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
using ::testing::Pair;
using ::testing::SizeIs;

// Quotas, sweeps, and many at once.

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

TEST_F(HeadsTest, ATreeThatUnfoldsBeyondAllBoundsIsRefusedAtTheCostOfItsObjects) {
  CollectedObjects objects;
  ObjectId id = objects.Write(Directory::Make({EntryOf("f", "alto", objects)}).value()).value();
  for (int level = 0; level < 30; ++level) {
    std::vector<Dirent> same;
    for (int child = 0; child < 10; ++child) {
      same.push_back({.id = id, .mode = kDirectoryMode, .name = std::to_string(child)});
    }
    id = objects.Write(Directory::Make(std::move(same)).value()).value();
  }
  ASSERT_THAT(content_->PutObjects({}, id_, objects.Objects()), IsOk());
  PutBlocks({{"f", "alto"}});
  const Commit commit = CommitOn(Now(), id, "Added a bomb.");
  store::Tally tally;
  EXPECT_THAT(heads_.Publish({.tally = &tally}, author_, id_, commit.id),
              FailsWith(ErrorCode::kLimitExceeded));
  EXPECT_LE(tally.gets, 50U);
  EXPECT_THAT(History(), SizeIs(1));
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
