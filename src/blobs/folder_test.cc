// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "blobs/folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "base/error.h"
#include "base/testing.h"
#include "blobs/blobs_testing.h"

namespace atrium::blobs {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

namespace fs = std::filesystem;

class FolderTest : public ::testing::Test {
 protected:
  Result<Folder> Open() { return Folder::Open(path_, ids_.NewUuid(), disk_); }

  engines::TemporaryFolder temporary_;
  fs::path path_ = temporary_.Path() / "deep" / "blobs";
  FixedIdSource ids_;
  FaultyDisk disk_;
};

TEST_F(FolderTest, KeepsItsIdentity) {
  Uuid first;
  {
    const auto folder = Open();
    ASSERT_THAT(folder, IsOk());
    first = folder->Id();
  }
  const auto again = Open();
  ASSERT_THAT(again, IsOk());
  EXPECT_EQ(again->Id(), first);
}

TEST_F(FolderTest, IsOpenedOnceAtATime) {
  const auto folder = Open();
  ASSERT_THAT(folder, IsOk());
  EXPECT_THAT(Open(), FailsSaying(ErrorCode::kUnavailable, "another process"));
}

TEST_F(FolderTest, OfANewerVersionIsRefused) {
  ASSERT_THAT(Open(), IsOk());
  WriteFile(path_ / "FORMAT", R"({"atrium_blobs":2,"names":"other"})");
  EXPECT_THAT(Open(), FailsSaying(ErrorCode::kRefusedByState, "newer version"));
}

TEST_F(FolderTest, OfSomethingElseIsRefused) {
  fs::create_directories(path_);
  WriteFile(path_ / "letter.txt", "dear");
  EXPECT_THAT(Open(), FailsSaying(ErrorCode::kRefusedByState, "not a folder of blobs"));
}

TEST_F(FolderTest, WithAnUnreadableFormatIsRefused) {
  ASSERT_THAT(Open(), IsOk());
  WriteFile(path_ / "FORMAT", "?");
  EXPECT_THAT(Open(), FailsSaying(ErrorCode::kRefusedByState, "FORMAT"));
}

TEST_F(FolderTest, ThatWasLeftHalfMadeIsMadeAgain) {
  fs::create_directories(path_);
  WriteFile(path_ / "FORMAT.new", "{");
  EXPECT_THAT(Open(), IsOk());
}

TEST_F(FolderTest, ForgetsTemporaryFiles) {
  ASSERT_THAT(Open(), IsOk());
  WriteFile(path_ / "temporary" / "7", "half of it");
  ASSERT_THAT(Open(), IsOk());
  EXPECT_FALSE(fs::exists(path_ / "temporary" / "7"));
}

TEST_F(FolderTest, ListsWhatHasTheRightName) {
  const auto folder = Open();
  ASSERT_THAT(folder, IsOk());
  WriteFile(folder->PackAt(0x20), "");
  WriteFile(folder->PackAt(3), "");
  WriteFile(path_ / "packs" / "notes.pack", "");
  EXPECT_THAT(folder->ListPacks(), Holds(ElementsAre(3, 0x20)));

  const BlobId id = BlobId::Of("abc");
  fs::create_directories(folder->FileAt(id).parent_path());
  WriteFile(folder->FileAt(id), "abc");
  WriteFile(folder->FileAt(id).parent_path() / "notes", "");
  EXPECT_THAT(folder->ListFiles(0xba), Holds(ElementsAre(id)));
  EXPECT_THAT(folder->ListFiles(0), Holds(IsEmpty()));
}

TEST_F(FolderTest, SetsAsideUnderNamesThatAreFree) {
  const auto folder = Open();
  ASSERT_THAT(folder, IsOk());
  const BlobId id = BlobId::Of("abc");
  const fs::path first = folder->NewSetAside(id);
  WriteFile(first, "");
  EXPECT_NE(folder->NewSetAside(id), first);
}

TEST(KnownFolder, AnotherFolderThanTheStoreKnowsIsRefused) {
  World world;
  world.Open();
  world.Put("hello");
  world.Close();
  fs::remove_all(world.Folder());
  EXPECT_THAT(world.TryOpen(), FailsSaying(ErrorCode::kRefusedByState, "mounted"));
}

TEST(KnownFolder, AStoreThatKnowsNoBlobsTakesAnyFolder) {
  World world;
  world.Open();
  world.Close();
  fs::remove_all(world.Folder());
  world.Open();
  const BlobId id = world.Put("hello");
  world.Close();
  world.Open();
  EXPECT_THAT(world.Blobs().Read({}, id), Holds(std::string("hello")));
}

TEST(KnownFolder, AnotherFolderIsAcceptedWhenAskedTo) {
  World world;
  world.Open();
  const BlobId id = world.Put("hello");
  world.Close();
  fs::remove_all(world.Folder());
  world.Options().other_folder = LocalOptions::OtherFolder::kAccept;
  world.Open();
  EXPECT_THAT(world.Blobs().Read({}, id), FailsWith(ErrorCode::kCorrupt));
  EXPECT_EQ(world.Put("hello"), id);
  EXPECT_THAT(world.Blobs().Read({}, id), Holds(std::string("hello")));
}

}  // namespace
}  // namespace atrium::blobs
