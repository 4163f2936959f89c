// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/merge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "almanac/zone.h"
#include "base/error.h"
#include "base/result.h"
#include "base/testing.h"
#include "files/tree_testing.h"

namespace atrium::files {
namespace {

constexpr std::int64_t kNow = 1'794'772'613;  // 2026-11-15T19:56:53Z

/// Three roots, and what comes of them.
class MergeTest : public testing::Test {
 protected:
  Result<MergeOutcome> Merge(const ObjectId& base, const ObjectId& head, const ObjectId& remote) {
    return MergeTrees(
        tree, tree,
        {.base = base, .head = head, .remote = remote, .author = "bob@example.com", .now = kNow});
  }

  /// The outcome of a merge that must not have conflicts.
  Listing Clean(const Listing& base, const Listing& head, const Listing& remote) {
    return Outcome(base, head, remote, false);
  }
  Listing Conflicting(const Listing& base, const Listing& head, const Listing& remote) {
    return Outcome(base, head, remote, true);
  }

  ObjectId RootOf(const std::vector<Dirent>& entries) {
    return tree.Write(Directory::Make(entries).value()).value();
  }

  MemoryTree tree;

 private:
  Listing Outcome(const Listing& base, const Listing& head, const Listing& remote, bool conflict) {
    const Result<MergeOutcome> outcome =
        Merge(tree.Build(base), tree.Build(head), tree.Build(remote));
    EXPECT_THAT(outcome, IsOk());
    EXPECT_EQ(outcome->conflict, conflict);
    return tree.List(outcome->root);
  }
};

// How the time of an entry that MemoryTree makes reads in a name.
std::string FileMark() {
  return " (SFConflict alice@example.com 2023-11-14-22-13-20)";
}

std::string FolderMark() {
  return " (SFConflict bob@example.com 2026-11-15-19-56-53)";
}

TEST_F(MergeTest, ChangesOfDifferentFilesComeTogether) {
  EXPECT_EQ(
      Clean({{"/a", "1"}, {"/b", "2"}, {"/c", "3"}, {"/d/x", "4"}},
            {{"/a", "head"}, {"/b", "2"}, {"/d/x", "4"}, {"/d/h", "new"}},
            {{"/a", "1"}, {"/b", "remote"}, {"/c", "3"}, {"/d/x", "4"}, {"/d/r", "new"}}),
      (Listing{{"/a", "head"}, {"/b", "remote"}, {"/d/h", "new"}, {"/d/r", "new"}, {"/d/x", "4"}}));
}

TEST_F(MergeTest, TheSameChangeOnBothSidesIsNoConflict) {
  EXPECT_EQ(Clean({{"/a", "1"}, {"/g", "1"}}, {{"/a", "2"}, {"/n", "3"}, {"/h", "4"}},
                  {{"/a", "2"}, {"/n", "3"}, {"/r", "5"}}),
            (Listing{{"/a", "2"}, {"/h", "4"}, {"/n", "3"}, {"/r", "5"}}));
}

TEST_F(MergeTest, DeletionsOfWhatTheOtherLeftAloneHold) {
  EXPECT_EQ(
      Clean({{"/a", "1"}, {"/b", "2"}, {"/d/x", "3"}, {"/e/y", "4"}},
            {{"/b", "2"}, {"/e/y", "4"}, {"/h", ""}}, {{"/a", "1"}, {"/d/x", "3"}, {"/r", ""}}),
      (Listing{{"/h", ""}, {"/r", ""}}));
}

TEST_F(MergeTest, AChangeIsWorthMoreThanADeletion) {
  EXPECT_EQ(Clean({{"/a", "1"}, {"/b", "2"}}, {{"/a", "changed"}}, {{"/b", "changed"}}),
            (Listing{{"/a", "changed"}, {"/b", "changed"}}));
}

TEST_F(MergeTest, OfADeletedFolderStaysWhatTheOtherChanged) {
  const Listing base = {{"/d/same", "1"}, {"/d/changed", "2"}, {"/d/e/same", "3"}};
  const Listing changed = {
      {"/d/same", "1"}, {"/d/changed", "new"}, {"/d/e/same", "3"}, {"/d/f/added", "4"}};
  const Listing expected = {{"/d/changed", "new"}, {"/d/f/added", "4"}, {"/x", "5"}};
  EXPECT_EQ(Clean(base, changed, {{"/x", "5"}}), expected);
  EXPECT_EQ(Clean(base, {{"/x", "5"}}, changed), expected);
}

TEST_F(MergeTest, AFolderThatBothEmptiedInTheirWaysIsGone) {
  EXPECT_EQ(Clean({{"/d/a", "1"}, {"/d/b", "2"}}, {{"/d/a", "1"}, {"/h", ""}}, {{"/r", ""}}),
            (Listing{{"/h", ""}, {"/r", ""}}));
}

TEST_F(MergeTest, AFolderThatBothKeepStaysThoughNothingIsLeftInIt) {
  EXPECT_EQ(Clean({{"/d/a", "1"}, {"/d/b", "2"}}, {{"/d/a", "1"}}, {{"/d/b", "2"}}),
            (Listing{{"/d/", ""}}));
}

TEST_F(MergeTest, TwoVersionsOfAFileAreBothKept) {
  EXPECT_EQ(Conflicting({{"/n.txt", "1"}}, {{"/n.txt", "head"}}, {{"/n.txt", "remote"}}),
            (Listing{{"/n.txt", "head"}, {"/n" + FileMark() + ".txt", "remote"}}));
  EXPECT_EQ(Conflicting({}, {{"/d/new", "head"}}, {{"/d/new", "remote"}}),
            (Listing{{"/d/new", "head"}, {"/d/new" + FileMark(), "remote"}}));
}

TEST_F(MergeTest, AConflictNeverTakesANameThatIsInUse) {
  const std::string conflict = "/n" + FileMark() + ".txt";
  const std::string second = "/n" + FileMark() + " (1).txt";
  EXPECT_EQ(Conflicting({{"/n.txt", "1"}}, {{"/n.txt", "head"}, {conflict, "older"}},
                        {{"/n.txt", "remote"}}),
            (Listing{{"/n.txt", "head"}, {conflict, "older"}, {second, "remote"}}));
  EXPECT_EQ(Conflicting({{"/n.txt", "1"}}, {{"/n.txt", "head"}},
                        {{"/n.txt", "remote"}, {conflict, "older"}}),
            (Listing{{"/n.txt", "head"}, {conflict, "older"}, {second, "remote"}}));
}

TEST_F(MergeTest, TwoConflictsWhoseNamesMeetAreBothKept) {
  // Names so long that only their common front fits before the mark.
  const std::string one = "/" + std::string(254, 'x') + "1";
  const std::string two = "/" + std::string(254, 'x') + "2";
  const Listing outcome = Conflicting({}, {{one, "h1"}, {two, "h2"}}, {{one, "r1"}, {two, "r2"}});
  std::vector<std::string> contents;
  for (const auto& [path, content] : outcome) {
    contents.push_back(content);
  }
  EXPECT_THAT(contents, testing::UnorderedElementsAre("h1", "h2", "r1", "r2"));
}

TEST_F(MergeTest, FoldersThatBothAddedBecomeOne) {
  EXPECT_EQ(Clean({}, {{"/d/a", "1"}, {"/d/e/b", "2"}}, {{"/d/c", "3"}, {"/d/e/b", "2"}}),
            (Listing{{"/d/a", "1"}, {"/d/c", "3"}, {"/d/e/b", "2"}}));
}

TEST_F(MergeTest, AFolderAgainstAFileIsKeptBesideIt) {
  EXPECT_EQ(Conflicting({}, {{"/x/a", "1"}}, {{"/x", "file"}}),
            (Listing{{"/x/a", "1"}, {"/x" + FileMark(), "file"}}));
  EXPECT_EQ(Conflicting({}, {{"/x", "file"}}, {{"/x/a", "1"}}),
            (Listing{{"/x", "file"}, {"/x" + FolderMark() + "/a", "1"}}));
}

TEST_F(MergeTest, AFileReplacesAFolderThatTheOtherLeftAlone) {
  const Listing folder = {{"/x/a", "1"}, {"/y", ""}};
  const Listing file = {{"/x", "file"}, {"/y", ""}};
  const Listing other = {{"/x/a", "1"}, {"/y", "changed"}};
  const Listing expected = {{"/x", "file"}, {"/y", "changed"}};
  EXPECT_EQ(Clean(folder, file, other), expected);
  EXPECT_EQ(Clean(folder, other, file), expected);
}

TEST_F(MergeTest, AFolderReplacesAFileThatTheOtherLeftAlone) {
  const Listing file = {{"/x", "file"}, {"/y", ""}};
  const Listing folder = {{"/x/a", "1"}, {"/y", ""}};
  const Listing other = {{"/x", "file"}, {"/y", "changed"}};
  const Listing expected = {{"/x/a", "1"}, {"/y", "changed"}};
  EXPECT_EQ(Clean(file, folder, other), expected);
  EXPECT_EQ(Clean(file, other, folder), expected);
}

TEST_F(MergeTest, AFolderThatWasChangedStaysBesideTheFileThatReplacesIt) {
  const Listing base = {{"/x/a", "1"}};
  EXPECT_EQ(Conflicting(base, {{"/x/a", "2"}}, {{"/x", "file"}}),
            (Listing{{"/x/a", "2"}, {"/x" + FileMark(), "file"}}));
  EXPECT_EQ(Conflicting(base, {{"/x", "file"}}, {{"/x/a", "2"}}),
            (Listing{{"/x", "file"}, {"/x" + FolderMark() + "/a", "2"}}));
}

TEST_F(MergeTest, ATypeThatBothChangedIsMergedAsIfNew) {
  EXPECT_EQ(Conflicting({{"/x/a", "1"}}, {{"/x", "head"}}, {{"/x", "remote"}}),
            (Listing{{"/x", "head"}, {"/x" + FileMark(), "remote"}}));
  EXPECT_EQ(Clean({{"/x", "1"}}, {{"/x/h", "2"}}, {{"/x/r", "3"}}),
            (Listing{{"/x/h", "2"}, {"/x/r", "3"}}));
}

TEST_F(MergeTest, WithoutABaseNothingIsDeleted) {
  EXPECT_EQ(
      Conflicting({}, {{"/a", "1"}, {"/b", "2"}, {"/d/x", "3"}}, {{"/b", "new"}, {"/c", "4"}}),
      (Listing{{"/a", "1"}, {"/b", "2"}, {"/b" + FileMark(), "new"}, {"/c", "4"}, {"/d/x", "3"}}));
  const ObjectId head = tree.Build({{"/a", "1"}});
  EXPECT_EQ(Merge(ObjectId(), head, ObjectId())->root, head);
}

TEST_F(MergeTest, AModeThatOneSideChangedHoldsBesideAContentOfTheOther) {
  Dirent plain = tree.FileEntry("run.sh", "1");
  Dirent executable = plain;
  executable.mode = kExecutableMode;
  const Dirent changed = tree.FileEntry("run.sh", "2");
  const ObjectId base = RootOf({plain, tree.FileEntry("x", "")});
  const ObjectId touched = RootOf({executable, tree.FileEntry("x", "")});
  const ObjectId written = RootOf({changed, tree.FileEntry("x", "")});
  for (const auto& [head, remote] : {std::pair(touched, written), std::pair(written, touched)}) {
    const Result<MergeOutcome> outcome = Merge(base, head, remote);
    ASSERT_THAT(outcome, IsOk());
    EXPECT_FALSE(outcome->conflict);
    const auto merged = tree.ReadDirectory(outcome->root).value();
    EXPECT_EQ(merged->Find("run.sh")->id, changed.id);
    EXPECT_EQ(merged->Find("run.sh")->mode, kExecutableMode);
  }
}

TEST_F(MergeTest, ATouchedFileKeepsItsNewTimeBesideOtherChanges) {
  Dirent file = tree.FileEntry("a", "1");
  const ObjectId base = RootOf({file});
  const ObjectId other = RootOf({file, tree.FileEntry("b", "2")});
  file.mtime += 60;
  const ObjectId touched = RootOf({file});
  for (const auto& [head, remote] : {std::pair(touched, other), std::pair(other, touched)}) {
    const Result<MergeOutcome> outcome = Merge(base, head, remote);
    ASSERT_THAT(outcome, IsOk());
    EXPECT_EQ((*tree.ReadDirectory(outcome->root))->Find("a")->mtime, file.mtime);
  }
}

TEST_F(MergeTest, AnOutcomeThatASideAlreadyHasIsNotWritten) {
  const ObjectId base = tree.Build({{"/a", "1"}, {"/b", "2"}});
  const ObjectId head = tree.Build({{"/a", "1"}, {"/b", "2"}, {"/c", "3"}});
  const ObjectId remote = tree.Build({{"/a", "1"}, {"/b", "2"}, {"/c", "3"}, {"/d", "4"}});
  const std::size_t writes = tree.Writes();
  EXPECT_EQ(Merge(base, head, remote)->root, remote);
  EXPECT_EQ(Merge(base, remote, head)->root, remote);
  EXPECT_EQ(tree.Writes(), writes);
}

TEST_F(MergeTest, FoldersThatOneSideLeftAloneAreNotRead) {
  const ObjectId base = tree.Build({{"/big/x", "1"}, {"/large/y", "2"}, {"/f", "3"}});
  const ObjectId head = tree.Build({{"/big/x", "new"}, {"/large/y", "2"}, {"/f", "3"}});
  const ObjectId remote = tree.Build({{"/big/x", "1"}, {"/large/y", "new"}, {"/f", "4"}});
  ASSERT_THAT(Merge(base, head, remote), IsOk());
  EXPECT_EQ(tree.Reads(), 3U);
}

TEST_F(MergeTest, AFailureToReadIsNoMerge) {
  const ObjectId lost = tree.Build({{"/x", "1"}});
  const ObjectId head = tree.Build({{"/d/x", "1"}});
  const ObjectId remote = tree.Build({{"/d/x", "2"}});
  tree.Lose(lost);
  EXPECT_THAT(Merge(ObjectId(), head, remote), FailsWith(ErrorCode::kCorrupt));
}

TEST_F(MergeTest, AFolderThatIsInManyPlacesIsMergedOnce) {
  const auto unfolding = [&](const Listing& bottom) {
    ObjectId id = tree.Build(bottom);
    for (int level = 0; level < 20; ++level) {
      id = RootOf({MemoryTree::FolderEntry("a", id), MemoryTree::FolderEntry("b", id)});
    }
    return id;
  };
  const ObjectId base = unfolding({{"/f", "1"}, {"/g", "1"}});
  const ObjectId head = unfolding({{"/f", "2"}, {"/g", "1"}});
  const ObjectId remote = unfolding({{"/f", "1"}, {"/g", "2"}});
  EXPECT_EQ(Merge(base, head, remote)->root, unfolding({{"/f", "2"}, {"/g", "2"}}));
  EXPECT_EQ(tree.Reads(), 3U * 21U);
}

TEST_F(MergeTest, TreesThatAreTooDeepAreRefused) {
  const auto nested = [&](const std::string& content, std::size_t depth) {
    ObjectId id = tree.Build({{"/f", content}});
    for (std::size_t i = 1; i < depth; ++i) {
      id = RootOf({MemoryTree::FolderEntry("d", id)});
    }
    return id;
  };
  EXPECT_THAT(Merge(ObjectId(), nested("1", kTreeDepthMax), nested("2", kTreeDepthMax)), IsOk());
  EXPECT_THAT(Merge(ObjectId(), nested("1", kTreeDepthMax + 1), nested("2", kTreeDepthMax + 1)),
              FailsWith(ErrorCode::kLimitExceeded));
}

}  // namespace
}  // namespace atrium::files
