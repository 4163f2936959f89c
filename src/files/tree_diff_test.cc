// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/tree_diff.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/result.h"
#include "base/testing.h"
#include "files/tree_testing.h"

namespace atrium::files {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

/// "+/added", "-/removed", "~/changed", with a slash behind folders.
std::string Told(const TreeChange& change) {
  const bool both = change.before != nullptr && change.after != nullptr;
  const Dirent* entry = change.before != nullptr ? change.before : change.after;
  const std::string sign = both ? "~" : change.before != nullptr ? "-" : "+";
  return sign + std::string(change.path) + (entry->IsDirectory() ? "/" : "");
}

std::vector<std::string> ChangesOf(TreeDiff diff) {
  std::vector<std::string> told;
  const auto note = [&](const TreeChange& change) -> Result<void> {
    told.push_back(Told(change));
    return {};
  };
  EXPECT_THAT(VisitChanges(std::move(diff), note), IsOk());
  return told;
}

TEST(TreeDiffTest, ATreeDoesNotDifferFromItself) {
  MemoryTree tree;
  const ObjectId root = tree.Build({{"/a", "1"}, {"/d/b", "2"}});
  EXPECT_THAT(ChangesOf({tree, root, root}), IsEmpty());
  EXPECT_EQ(tree.Reads(), 0U);
  EXPECT_THAT(ChangesOf({tree, ObjectId(), ObjectId()}), IsEmpty());
}

TEST(TreeDiffTest, WhatWasAddedRemovedAndChangedIsTold) {
  MemoryTree tree;
  const ObjectId before =
      tree.Build({{"/changed", "1"}, {"/d/gone", "22"}, {"/d/same", "3"}, {"/gone", "4"}});
  const ObjectId after =
      tree.Build({{"/changed", "111"}, {"/d/new", "55555"}, {"/d/same", "3"}, {"/new", "6"}});
  EXPECT_THAT(ChangesOf({tree, before, after}),
              ElementsAre("+/new", "-/gone", "~/d/", "+/d/new", "-/d/gone", "~/changed"));
}

TEST(TreeDiffTest, SumsAddUpWhatDiffers) {
  MemoryTree tree;
  const ObjectId before = tree.Build({{"/changed", "1"}, {"/d/gone", "22"}, {"/d/e/gone", "333"}});
  const ObjectId after = tree.Build({{"/changed", "111"}, {"/new", "4444"}, {"/d/empty", ""}});
  TreeDiff diff(tree, before, after);
  const auto nothing = [](const TreeChange&) -> Result<void> { return {}; };
  EXPECT_THAT(VisitChanges(diff, nothing), Holds(TreeSums{.bytes_added = 7,
                                                          .bytes_removed = 6,
                                                          .files_added = 2,
                                                          .files_removed = 2,
                                                          .folders_removed = 1}));
}

TEST(TreeDiffTest, EverythingInANewFolderIsTold) {
  MemoryTree tree;
  const ObjectId after = tree.Build({{"/d/e/f", "1"}, {"/d/empty/", ""}});
  EXPECT_THAT(ChangesOf({tree, ObjectId(), after}),
              ElementsAre("+/d/", "+/d/empty/", "+/d/e/", "+/d/e/f"));
  EXPECT_THAT(ChangesOf({tree, after, ObjectId()}),
              ElementsAre("-/d/", "-/d/empty/", "-/d/e/", "-/d/e/f"));
}

TEST(TreeDiffTest, RemovedFoldersNeedNotBeWalked) {
  MemoryTree tree;
  const ObjectId before = tree.Build({{"/d/e/f", "1"}, {"/x/y", "2"}});
  const ObjectId after = tree.Build({{"/x/z", "2"}});
  EXPECT_THAT(ChangesOf({tree, before, after, {.removed = RemovedFolders::kSkip}}),
              ElementsAre("~/x/", "+/x/z", "-/x/y", "-/d/"));
}

TEST(TreeDiffTest, AnEntryOfAnotherKindWasRemovedAndAdded) {
  MemoryTree tree;
  const ObjectId before = tree.Build({{"/x", "1"}, {"/y/z", "2"}});
  const ObjectId after = tree.Build({{"/x/w", "1"}, {"/y", "2"}});
  EXPECT_THAT(ChangesOf({tree, before, after}),
              ElementsAre("-/y/", "-/y/z", "+/y", "-/x", "+/x/", "+/x/w"));
}

TEST(TreeDiffTest, AChangeOfTimeAloneIsTold) {
  MemoryTree tree;
  Dirent file = tree.FileEntry("f", "1");
  Dirent folder = MemoryTree::FolderEntry("d", tree.Build({{"/inside", "1"}}));
  const ObjectId before = tree.Write(Directory::Make({file, folder}).value()).value();
  ++file.mtime;
  ++folder.mtime;
  const ObjectId after = tree.Write(Directory::Make({file, folder}).value()).value();
  EXPECT_THAT(ChangesOf({tree, before, after}), ElementsAre("~/f", "~/d/"));
  const auto nothing = [](const TreeChange&) -> Result<void> { return {}; };
  EXPECT_THAT(VisitChanges({tree, before, after}, nothing), Holds(TreeSums()));
}

TEST(TreeDiffTest, EqualFoldersAreNotRead) {
  MemoryTree tree;
  const ObjectId before = tree.Build({{"/big/a/b", "1"}, {"/big/c", "2"}, {"/f", "3"}});
  const ObjectId after = tree.Build({{"/big/a/b", "1"}, {"/big/c", "2"}, {"/f", "4"}});
  EXPECT_THAT(ChangesOf({tree, before, after}), ElementsAre("~/f"));
  EXPECT_EQ(tree.Reads(), 2U);
}

TEST(TreeDiffTest, OnlyTheDirectoriesOfThePathAreHeld) {
  MemoryTree tree;
  Listing listing;
  for (int i = 0; i < 1000; ++i) {
    listing["/" + std::to_string(i / 100) + "/" + std::to_string(i / 10 % 10) + "/" +
            std::to_string(i % 10)] = std::to_string(i);
  }
  const ObjectId root = tree.Build(listing);
  const Result<TreeSums> sums = SumTree(tree, root);
  ASSERT_THAT(sums, IsOk());
  EXPECT_EQ(sums->files_added, 1000);
  EXPECT_EQ(tree.Reads(), 111U);
  EXPECT_EQ(tree.HeldMax(), 3U);
}

TEST(TreeDiffTest, AWalkGoesOnWhereTheReaderFailed) {
  MemoryTree tree;
  const ObjectId inner = tree.Build({{"/f", "1"}});
  const ObjectId root = tree.Build({{"/d/f", "1"}, {"/a", "2"}});
  TreeDiff diff(tree, ObjectId(), root);
  ASSERT_THAT(diff.Next(), IsOk());
  tree.Lose(inner);
  EXPECT_THAT(diff.Next(), FailsWith(ErrorCode::kCorrupt));
  EXPECT_THAT(diff.Next(), FailsWith(ErrorCode::kCorrupt));
  tree.Lose(ObjectId());
  EXPECT_THAT(ChangesOf(diff), ElementsAre("+/d/f", "+/a"));
}

TEST(TreeDiffTest, AVisitorEndsTheWalkWithItsError) {
  MemoryTree tree;
  const auto refuse = [](const TreeChange&) -> Result<void> {
    return Fail(ErrorCode::kRefusedByState, "no more");
  };
  EXPECT_THAT(VisitChanges({tree, ObjectId(), tree.Build({{"/a", "2"}})}, refuse),
              FailsWith(ErrorCode::kRefusedByState));
}

/// A tree of that many folders inside each other.
ObjectId Nested(MemoryTree& tree, std::size_t depth) {
  ObjectId id = tree.Build({{"/f", "1"}});
  for (std::size_t i = 0; i < depth; ++i) {
    id = tree.Write(Directory::Make({MemoryTree::FolderEntry("d", id)}).value()).value();
  }
  return id;
}

TEST(TreeDiffTest, TreesThatAreTooDeepAreRefused) {
  MemoryTree tree;
  EXPECT_THAT(SumTree(tree, Nested(tree, kTreeDepthMax - 1)), IsOk());
  EXPECT_THAT(SumTree(tree, Nested(tree, kTreeDepthMax)), FailsWith(ErrorCode::kLimitExceeded));
}

TEST(TreeDiffTest, TreesThatAreLargerThanWhatIsStoredOfThemAreRefused) {
  MemoryTree tree;
  ObjectId id = tree.Build({{"/f", "1"}});
  for (int i = 0; i < 64; ++i) {
    id = tree.Write(Directory::Make(
                        {MemoryTree::FolderEntry("a", id), MemoryTree::FolderEntry("b", id)})
                        .value())
             .value();
  }
  EXPECT_THAT(SumTree(tree, id, 10'000), FailsWith(ErrorCode::kLimitExceeded));
}

/// Paths "/2", "/2/0", ... of files, none of which is a folder of another.
Listing RandomListing(std::mt19937& random) {
  Listing listing;
  for (std::size_t i = 0; i < random() % 12; ++i) {
    std::string path;
    for (std::size_t depth = random() % 3 + 1; depth > 0; --depth) {
      path += (depth == 1 ? "/f" : "/d") + std::to_string(random() % 3);
    }
    listing[path] = std::string(random() % 3, 'x');
  }
  return listing;
}

/// Folders that each name the same child ten times, over a file.
ObjectId Unfolding(MemoryTree& tree, int levels, const std::string& content = "1") {
  ObjectId id = tree.Build({{"/f", content}});
  for (int i = 0; i < levels; ++i) {
    std::vector<Dirent> same;
    for (int child = 0; child < 10; ++child) {
      same.push_back(MemoryTree::FolderEntry("d" + std::to_string(child), id));
    }
    id = tree.Write(Directory::Make(std::move(same)).value()).value();
  }
  return id;
}

TEST(TreeDiffTest, AFolderThatIsInManyPlacesIsReadOnceAndCountedInAll) {
  MemoryTree tree;
  const Result<TreeSums> sums = SumTree(tree, Unfolding(tree, 6));
  EXPECT_THAT(sums,
              Holds(TreeSums{
                  .bytes_added = 1'000'000, .files_added = 1'000'000, .folders_added = 1'111'110}));
  EXPECT_EQ(tree.Reads(), 7U);
}

TEST(TreeDiffTest, ATreeThatUnfoldsBeyondAllBoundsIsRefusedAtOnce) {
  MemoryTree tree;
  EXPECT_THAT(SumTree(tree, Unfolding(tree, 30)), FailsWith(ErrorCode::kLimitExceeded));
  EXPECT_LE(tree.Reads(), 31U);
}

TEST(TreeDiffTest, WhatDiffersInManyPlacesIsToldOnceToWhoRemembers) {
  MemoryTree tree;
  const ObjectId before = Unfolding(tree, 3, "1");
  const ObjectId after = Unfolding(tree, 3, "22");
  FolderMemory memory;
  EXPECT_THAT(ChangesOf({tree, before, after, {.memory = &memory}}), SizeIs(3 * 10 + 1));
  EXPECT_THAT(ChangesOf({tree, before, after}), SizeIs(10 + 100 + 1000 + 1000));
  // Another walk with the same memory has nothing to look at.
  const std::size_t reads = tree.Reads();
  TreeDiff again(tree, before, after, {.memory = &memory});
  const auto none = again.Next();
  ASSERT_THAT(none, IsOk());
  EXPECT_FALSE(none->has_value());
  EXPECT_EQ(again.Sums().Bytes(), 1000);
  EXPECT_EQ(tree.Reads(), reads);
}

TEST(TreeDiffTest, AFolderThatIsKnownIsTooDeepWhereItIsTooDeep) {
  MemoryTree tree;
  const ObjectId half = Nested(tree, kTreeDepthMax / 2);
  ObjectId deep = half;
  for (std::size_t i = 0; i < kTreeDepthMax / 2; ++i) {
    deep = tree.Write(Directory::Make({MemoryTree::FolderEntry("d", deep)}).value()).value();
  }
  // The one that is known comes first: names descend.
  const ObjectId root = tree.Write(Directory::Make({MemoryTree::FolderEntry("known", half),
                                                    MemoryTree::FolderEntry("deep", deep)})
                                       .value())
                            .value();
  EXPECT_THAT(SumTree(tree, root), FailsWith(ErrorCode::kLimitExceeded));
}

TEST(TreeDiffTest, SumsAreTheSameForWhoRemembers) {
  const auto seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  const auto nothing = [](const TreeChange&) -> Result<void> { return {}; };
  FolderMemory memory(3);
  for (int round = 0; round < 300; ++round) {
    MemoryTree tree;
    const ObjectId before = tree.Build(RandomListing(random));
    const ObjectId after = tree.Build(RandomListing(random));
    const auto sums = VisitChanges({tree, before, after}, nothing);
    ASSERT_THAT(sums, IsOk());
    EXPECT_THAT(VisitChanges({tree, before, after, {.memory = &memory}}, nothing), Holds(*sums));
    EXPECT_LE(memory.Size(), 6U);
  }
}

TEST(TreeDiffTest, SizesThatFitNoNumberAreRefused) {
  MemoryTree tree;
  Dirent one = tree.FileEntry("one", "1");
  one.size = std::numeric_limits<std::int64_t>::max();
  Dirent other = one;
  other.name = "other";
  const ObjectId root = tree.Write(Directory::Make({one, other}).value()).value();
  EXPECT_THAT(SumTree(tree, root), FailsWith(ErrorCode::kLimitExceeded));
}

/// The changes of files alone, by comparing what is written down.
Listing ExpectedChanges(const Listing& before, const Listing& after) {
  Listing changes;
  for (const auto& [path, content] : before) {
    const auto now = after.find(path);
    if (now == after.end()) {
      changes[path] = "-";
    } else if (now->second != content) {
      changes[path] = "~";
    }
  }
  for (const auto& [path, content] : after) {
    if (!before.contains(path)) {
      changes[path] = "+";
    }
  }
  return changes;
}

TEST(TreeDiffTest, RandomTreesDifferAsTheirListingsDo) {
  const auto seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  for (int round = 0; round < 500; ++round) {
    MemoryTree tree;
    const Listing before = RandomListing(random);
    const Listing after = RandomListing(random);
    Listing told;
    for (const std::string& change : ChangesOf({tree, tree.Build(before), tree.Build(after)})) {
      if (change.back() != '/') {
        EXPECT_TRUE(told.emplace(change.substr(1), change.substr(0, 1)).second);
      }
    }
    ASSERT_EQ(told, ExpectedChanges(before, after));
  }
}

}  // namespace
}  // namespace atrium::files
