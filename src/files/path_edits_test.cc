// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/path_edits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/result.h"
#include "base/testing.h"
#include "files/tree_testing.h"

namespace atrium::files {
namespace {

using testing::Field;
using testing::Optional;

constexpr std::int64_t kNow = 1'794'772'613;
// "é" as one letter, and as "e" with an accent behind it.
constexpr const char* kJoined = "caf\xC3\xA9";
constexpr const char* kApart = "cafe\xCC\x81";

TreePath At(std::string_view text) {
  return TreePath::Parse(text).value();
}

class PathEditsTest : public testing::Test {
 protected:
  void Begin(const Listing& listing) {
    root = tree.Build(listing);
    edits.emplace(PathEdits::Begin(tree, root, kNow).value());
  }

  Result<Dirent> PutFile(std::string_view folder, const std::string& name,
                         const std::string& content, OnTaken taken) {
    const auto size = static_cast<std::int64_t>(content.size());
    return edits->Put(At(folder),
                      {.entry = tree.FileEntry(name, content), .size = {.bytes = size, .files = 1}},
                      taken);
  }

  /// What the tree is in the end, having seen that the growth was told right.
  Listing Finish() {
    const Result<EditedTree> edited = edits->Finish(tree);
    EXPECT_THAT(edited, IsOk());
    const TreeSize before = LoadLooseEntry(tree, root, TreePath())->size;
    const TreeSize after = LoadLooseEntry(tree, edited->root, TreePath())->size;
    EXPECT_EQ(edited->growth.bytes, after.bytes - before.bytes);
    EXPECT_EQ(edited->growth.files, after.files - before.files);
    root = edited->root;
    return tree.List(edited->root);
  }

  MemoryTree tree;
  ObjectId root;
  std::optional<PathEdits> edits;
};

TEST_F(PathEditsTest, EntriesAreFoundByPath) {
  Begin({{"/a/b/c.txt", "1"}, {"/d", "22"}});
  EXPECT_THAT(FindEntry(tree, root, At("/a/b/c.txt")), Holds(Optional(Field(&Dirent::size, 1))));
  EXPECT_THAT(FindEntry(tree, root, At("/d")), Holds(Optional(Field(&Dirent::size, 2))));
  EXPECT_THAT(FindEntry(tree, root, At("/")), Holds(Optional(Field(&Dirent::id, root))));
  for (const char* path : {"/x", "/a/x", "/d/x", "/a/b/c.txt/x"}) {
    EXPECT_THAT(FindEntry(tree, root, At(path)), Holds(std::nullopt)) << path;
    EXPECT_THAT(edits->Find(At(path)), Holds(std::nullopt)) << path;
  }
  EXPECT_THAT(edits->Find(At("/a/b")), Holds(Optional(Field(&Dirent::name, "b"))));
  EXPECT_THAT(LoadLooseEntry(tree, root, At("/x")),
              FailsSaying(ErrorCode::kNotFound, "there is no /x"));
}

TEST_F(PathEditsTest, WithoutAChangeTheRootStays) {
  Begin({{"/a/b", "1"}});
  ASSERT_THAT(edits->Find(At("/a/b")), IsOk());
  const std::size_t writes = tree.Writes();
  EXPECT_EQ(edits->Finish(tree)->root, root);
  EXPECT_EQ(tree.Writes(), writes);
}

TEST_F(PathEditsTest, AFileIsPutIntoAFolder) {
  Begin({{"/a/b", "1"}});
  EXPECT_THAT(PutFile("/a", "new", "22", OnTaken::kRefuse), Holds(Field(&Dirent::name, "new")));
  EXPECT_EQ(edits->Growth(), (TreeSize{.bytes = 2, .files = 1}));
  EXPECT_EQ(Finish(), (Listing{{"/a/b", "1"}, {"/a/new", "22"}}));
}

TEST_F(PathEditsTest, FoldersOnTheWayGetTheTimeOfTheChange) {
  Begin({{"/a/b/c", "1"}, {"/other/x", "2"}});
  ASSERT_THAT(PutFile("/a/b", "new", "22", OnTaken::kRefuse), IsOk());
  Finish();
  EXPECT_EQ(FindEntry(tree, root, At("/a")).value()->mtime, kNow);
  EXPECT_EQ(FindEntry(tree, root, At("/a/b")).value()->mtime, kNow);
  EXPECT_EQ(FindEntry(tree, root, At("/a/b/c")).value()->mtime, MemoryTree::kMtime);
  EXPECT_EQ(FindEntry(tree, root, At("/other")).value()->mtime, MemoryTree::kMtime);
}

TEST_F(PathEditsTest, ATakenNameIsRefusedReplacedOrNumbered) {
  Begin({{"/a/f.txt", "1"}});
  EXPECT_THAT(PutFile("/a", "f.txt", "22", OnTaken::kRefuse),
              FailsSaying(ErrorCode::kAlreadyExists, "there is already /a/f.txt"));
  EXPECT_THAT(PutFile("/a", "f.txt", "22", OnTaken::kRename),
              Holds(Field(&Dirent::name, "f (1).txt")));
  EXPECT_THAT(PutFile("/a", "f.txt", "333", OnTaken::kReplace),
              Holds(Field(&Dirent::name, "f.txt")));
  EXPECT_EQ(Finish(), (Listing{{"/a/f (1).txt", "22"}, {"/a/f.txt", "333"}}));
}

TEST_F(PathEditsTest, AFileNeverReplacesAFolderNorAFolderAFile) {
  Begin({{"/a/x", "1"}, {"/b", "2"}, {"/c/b/y", "3"}});
  EXPECT_THAT(PutFile("/", "a", "22", OnTaken::kReplace), FailsWith(ErrorCode::kAlreadyExists));
  EXPECT_THAT(edits->Move(At("/c/b"), At("/"), OnTaken::kReplace),
              FailsWith(ErrorCode::kAlreadyExists));
  EXPECT_THAT(edits->MakeFolder(At("/b"), OnTaken::kReplace), FailsWith(ErrorCode::kAlreadyExists));
  EXPECT_EQ(edits->Finish(tree)->root, root);
}

TEST_F(PathEditsTest, ANameThatLooksAlikeIsTaken) {
  Begin({{std::string("/") + kApart, "1"}});
  EXPECT_THAT(PutFile("/", kJoined, "22", OnTaken::kRefuse), FailsWith(ErrorCode::kAlreadyExists));
  EXPECT_THAT(PutFile("/", kJoined, "22", OnTaken::kRename),
              Holds(Field(&Dirent::name, std::string(kJoined) + " (1)")));
  EXPECT_THAT(PutFile("/", kJoined, "22", OnTaken::kReplace), Holds(Field(&Dirent::name, kApart)));
  EXPECT_EQ(Finish(), (Listing{{std::string("/") + kApart, "22"},
                               {std::string("/") + kJoined + " (1)", "22"}}));
}

TEST_F(PathEditsTest, BadNamesAndMissingFoldersAreRefused) {
  Begin({{"/f", "1"}});
  EXPECT_THAT(PutFile("/", "..", "", OnTaken::kReplace), FailsWith(ErrorCode::kInvalidArgument));
  EXPECT_THAT(PutFile("/no", "x", "", OnTaken::kReplace),
              FailsSaying(ErrorCode::kNotFound, "there is no /no"));
  EXPECT_THAT(PutFile("/f", "x", "", OnTaken::kReplace), FailsWith(ErrorCode::kNotFound));
  EXPECT_THAT(edits->Rename(At("/f"), "a/b"), FailsWith(ErrorCode::kInvalidArgument));
  EXPECT_EQ(edits->Finish(tree)->root, root);
}

TEST_F(PathEditsTest, AFolderIsMadeInAnother) {
  Begin({{"/a/f", "1"}});
  EXPECT_THAT(edits->MakeFolder(At("/a/new"), OnTaken::kRefuse),
              Holds(Field(&Dirent::mtime, kNow)));
  EXPECT_THAT(edits->MakeFolder(At("/a/new"), OnTaken::kRefuse),
              FailsSaying(ErrorCode::kAlreadyExists, "/a/new"));
  EXPECT_THAT(edits->MakeFolder(At("/a/new"), OnTaken::kRename),
              Holds(Field(&Dirent::name, "new (1)")));
  EXPECT_THAT(edits->MakeFolder(At("/a/new"), OnTaken::kReplace),
              Holds(Field(&Dirent::name, "new")));
  EXPECT_THAT(edits->MakeFolder(At("/no/new"), OnTaken::kRefuse), FailsWith(ErrorCode::kNotFound));
  EXPECT_THAT(edits->MakeFolder(At("/"), OnTaken::kRefuse), FailsWith(ErrorCode::kAlreadyExists));
  EXPECT_EQ(Finish(), (Listing{{"/a/f", "1"}, {"/a/new (1)/", ""}, {"/a/new/", ""}}));
}

TEST_F(PathEditsTest, MissingFoldersOfAPathAreMade) {
  Begin({{"/a/f", "1"}, {std::string("/") + kApart + "/x", "2"}});
  EXPECT_THAT(edits->MakeFolders(At("/a/b/c")), Holds(At("/a/b/c")));
  EXPECT_THAT(edits->MakeFolders(At("/a")), Holds(At("/a")));
  EXPECT_THAT(edits->MakeFolders(At(std::string(kJoined) + "/y")),
              Holds(At(std::string(kApart) + "/y")));
  EXPECT_THAT(edits->MakeFolders(At("/a/f/g")),
              FailsSaying(ErrorCode::kAlreadyExists, "there is already /a/f"));
  ASSERT_THAT(PutFile("/a/b/c", "deep", "333", OnTaken::kRefuse), IsOk());
  EXPECT_EQ(Finish(), (Listing{{"/a/b/c/deep", "333"},
                               {"/a/f", "1"},
                               {std::string("/") + kApart + "/x", "2"},
                               {std::string("/") + kApart + "/y/", ""}}));
}

TEST_F(PathEditsTest, FoldersDoNotNestWithoutEnd) {
  Begin({});
  TreePath path;
  for (std::size_t i = 0; i < kTreeDepthMax; ++i) {
    path = path.Child("d").value();
  }
  ASSERT_THAT(edits->MakeFolders(path), IsOk());
  EXPECT_THAT(edits->Put(path, {.entry = tree.FileEntry("f", "")}, OnTaken::kRefuse),
              FailsWith(ErrorCode::kLimitExceeded));
}

TEST_F(PathEditsTest, FilesAndFoldersAreRenamed) {
  Begin({{"/a/f", "1"}, {"/b", "2"}});
  EXPECT_THAT(edits->Rename(At("/a/f"), "g"), Holds(Field(&Dirent::name, "g")));
  EXPECT_THAT(edits->Rename(At("/a"), "c"), IsOk());
  EXPECT_THAT(edits->Rename(At("/c"), "b"), FailsSaying(ErrorCode::kAlreadyExists, "/b"));
  EXPECT_THAT(edits->Rename(At("/c"), "c"), IsOk());
  EXPECT_THAT(edits->Rename(At("/a"), "x"), FailsWith(ErrorCode::kNotFound));
  EXPECT_THAT(edits->Rename(At("/"), "x"), FailsWith(ErrorCode::kInvalidArgument));
  EXPECT_EQ(Finish(), (Listing{{"/b", "2"}, {"/c/g", "1"}}));
}

TEST_F(PathEditsTest, ANameIsRespelledButNotTakenFromAnother) {
  Begin({{std::string("/") + kApart, "1"}, {"/x", "2"}});
  EXPECT_THAT(edits->Rename(At("/x"), kJoined), FailsWith(ErrorCode::kAlreadyExists));
  EXPECT_THAT(edits->Rename(At(kApart), kJoined), IsOk());
  EXPECT_EQ(Finish(), (Listing{{std::string("/") + kJoined, "1"}, {"/x", "2"}}));
}

TEST_F(PathEditsTest, WhatIsRemovedIsCounted) {
  Begin({{"/a/f", "1"}, {"/a/b/g", "22"}, {"/c", "333"}});
  EXPECT_THAT(edits->Remove(At("/a")), Holds(Field(&Dirent::name, "a")));
  EXPECT_EQ(edits->Growth(), (TreeSize{.bytes = -3, .files = -2}));
  EXPECT_THAT(edits->Remove(At("/a")), FailsSaying(ErrorCode::kNotFound, "there is no /a"));
  EXPECT_THAT(edits->Remove(At("/")), FailsWith(ErrorCode::kInvalidArgument));
  EXPECT_THAT(edits->Remove(At("/c")), IsOk());
  EXPECT_EQ(Finish(), Listing{});
  EXPECT_TRUE(IsZero(root));
}

TEST_F(PathEditsTest, AFolderThatLosesItsLastFileStaysWithTheZeroId) {
  Begin({{"/a/f", "1"}});
  ASSERT_THAT(edits->Remove(At("/a/f")), IsOk());
  EXPECT_EQ(Finish(), (Listing{{"/a/", ""}}));
  EXPECT_TRUE(IsZero(FindEntry(tree, root, At("/a")).value()->id));
}

TEST_F(PathEditsTest, EntriesAreMovedWithoutBeingRead) {
  Begin({{"/big/x/y", "1"}, {"/to/z", "2"}});
  EXPECT_THAT(edits->Move(At("/big"), At("/to"), OnTaken::kRefuse), IsOk());
  EXPECT_EQ(tree.Reads(), 2U);
  EXPECT_EQ(Finish(), (Listing{{"/to/big/x/y", "1"}, {"/to/z", "2"}}));
}

TEST_F(PathEditsTest, AFolderIsNotMovedIntoItself) {
  Begin({{"/a/b/c/f", "1"}});
  EXPECT_THAT(edits->Move(At("/a"), At("/a"), OnTaken::kRename),
              FailsSaying(ErrorCode::kInvalidArgument, "/a cannot be moved into itself"));
  EXPECT_THAT(edits->Move(At("/a"), At("/a/b/c"), OnTaken::kRename),
              FailsWith(ErrorCode::kInvalidArgument));
  EXPECT_EQ(edits->Finish(tree)->root, root);
}

TEST_F(PathEditsTest, AnEntryDoesNotReplaceTheFolderThatItIsIn) {
  Begin({{"/d/d/f", "1"}, {"/d/g", "2"}});
  EXPECT_THAT(edits->Move(At("/d/d"), At("/"), OnTaken::kReplace),
              FailsSaying(ErrorCode::kInvalidArgument, "cannot replace the folder"));
  EXPECT_THAT(edits->Move(At("/d/d"), At("/"), OnTaken::kRename),
              Holds(Field(&Dirent::name, "d (1)")));
  EXPECT_EQ(Finish(), (Listing{{"/d (1)/f", "1"}, {"/d/g", "2"}}));
}

TEST_F(PathEditsTest, MovingToTheSamePlaceChangesNothing) {
  Begin({{"/a/f", "1"}});
  for (const OnTaken taken : {OnTaken::kRefuse, OnTaken::kReplace, OnTaken::kRename}) {
    EXPECT_THAT(edits->Move(At("/a/f"), At("/a"), taken), Holds(Field(&Dirent::name, "f")));
  }
  EXPECT_EQ(edits->Finish(tree)->root, root);
}

TEST_F(PathEditsTest, AMoveThatIsRefusedLeavesEverything) {
  Begin({{"/a/f", "1"}, {"/b/f", "2"}});
  EXPECT_THAT(edits->Move(At("/a/f"), At("/b"), OnTaken::kRefuse),
              FailsSaying(ErrorCode::kAlreadyExists, "/b/f"));
  EXPECT_THAT(edits->Move(At("/a/f"), At("/c"), OnTaken::kRefuse), FailsWith(ErrorCode::kNotFound));
  EXPECT_EQ(edits->Finish(tree)->root, root);
}

TEST_F(PathEditsTest, AMoveMayReplaceOrNumber) {
  Begin({{"/a/f", "1"}, {"/a/d/x", "2"}, {"/b/f", "22"}, {"/b/d/y", "333"}});
  EXPECT_THAT(edits->Move(At("/a/f"), At("/b"), OnTaken::kReplace), IsOk());
  EXPECT_THAT(edits->Move(At("/a/d"), At("/b"), OnTaken::kReplace), IsOk());
  EXPECT_EQ(Finish(), (Listing{{"/a/", ""}, {"/b/d/x", "2"}, {"/b/f", "1"}}));
}

TEST_F(PathEditsTest, EntriesAreCopied) {
  Begin({{"/a/d/x", "333"}, {"/b/", ""}});
  EXPECT_THAT(edits->Copy(At("/a/d"), At("/b"), OnTaken::kRefuse), IsOk());
  EXPECT_THAT(edits->Copy(At("/a/d"), At("/a"), OnTaken::kRename),
              Holds(Field(&Dirent::name, "d (1)")));
  EXPECT_EQ(edits->Growth(), (TreeSize{.bytes = 6, .files = 2}));
  EXPECT_EQ(Finish(), (Listing{{"/a/d (1)/x", "333"}, {"/a/d/x", "333"}, {"/b/d/x", "333"}}));
}

TEST_F(PathEditsTest, LaterEditsSeeEarlierOnes) {
  Begin({{"/a/x", "1"}});
  ASSERT_THAT(PutFile("/a", "new", "22", OnTaken::kRefuse), IsOk());
  ASSERT_THAT(edits->Copy(At("/a"), At("/a"), OnTaken::kRefuse), IsOk());
  ASSERT_THAT(PutFile("/a/a", "later", "333", OnTaken::kRefuse), IsOk());
  ASSERT_THAT(edits->Rename(At("/a"), "b"), IsOk());
  ASSERT_THAT(edits->Remove(At("/b/new")), IsOk());
  ASSERT_THAT(edits->Move(At("/b/a"), At("/"), OnTaken::kRefuse), IsOk());
  EXPECT_EQ(Finish(),
            (Listing{{"/a/later", "333"}, {"/a/new", "22"}, {"/a/x", "1"}, {"/b/x", "1"}}));
}

TEST_F(PathEditsTest, AnEntryOfAnotherTreeIsPutHere) {
  const ObjectId other = tree.Build({{"/d/x", "22"}, {"/d/y", "333"}});
  Begin({{"/a", "1"}});
  const Result<LooseEntry> loose = LoadLooseEntry(tree, other, At("/d"));
  ASSERT_THAT(loose, IsOk());
  EXPECT_EQ(loose->size, (TreeSize{.bytes = 5, .files = 2}));
  EXPECT_THAT(edits->Put(TreePath(), *loose, OnTaken::kRefuse), IsOk());
  EXPECT_EQ(Finish(), (Listing{{"/a", "1"}, {"/d/x", "22"}, {"/d/y", "333"}}));
}

TEST_F(PathEditsTest, SizesThatFitNoNumberAreRefused) {
  Begin({});
  const TreeSize huge{.bytes = std::numeric_limits<std::int64_t>::max(), .files = 1};
  ASSERT_THAT(
      edits->Put(TreePath(), {.entry = tree.FileEntry("a", "1"), .size = huge}, OnTaken::kRefuse),
      IsOk());
  EXPECT_THAT(
      edits->Put(TreePath(), {.entry = tree.FileEntry("b", "1"), .size = huge}, OnTaken::kRefuse),
      FailsWith(ErrorCode::kLimitExceeded));
}

TEST_F(PathEditsTest, OnlyChangedFoldersAreWritten) {
  Begin({{"/a/b/f", "1"}, {"/a/c/g", "2"}, {"/d/h", "3"}});
  ASSERT_THAT(edits->Remove(At("/a/b/f")), IsOk());
  const std::size_t writes = tree.Writes();
  ASSERT_THAT(edits->Finish(tree), IsOk());
  EXPECT_EQ(tree.Writes(), writes + 2);
}

}  // namespace
}  // namespace atrium::files
