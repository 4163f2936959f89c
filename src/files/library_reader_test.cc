// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/library_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "base/testing.h"
#include "files/objects.h"
#include "files/room_testing.h"
#include "files/tree.h"
#include "files/tree_diff.h"

namespace atrium::files {
namespace {

/// Folders of a quarter of a megabyte each, of which three may be in use at a time.
class LibraryReaderTest : public testing::RoomTest {
 protected:
  static constexpr int kEntries = 2500;
  static constexpr std::size_t kWalkBytes = 1'000'000;

  static Dirent Folder(const std::string& name, const ObjectId& id) {
    return {.id = id, .mode = kDirectoryMode, .name = name};
  }
  ObjectId Put(std::vector<Dirent> entries) {
    CollectedObjects objects;
    const ObjectId id = objects.Write(Directory::Make(std::move(entries)).value()).value();
    EXPECT_THAT(content_->PutObjects({}, library_, objects.Objects()), IsOk());
    return id;
  }
  ObjectId PutLong(const std::string& name, const ObjectId& inside) {
    std::vector<Dirent> entries{Folder(name, inside)};
    for (int i = 0; i < kEntries; ++i) {
      entries.push_back(Folder(std::to_string(i), {}));
    }
    return Put(std::move(entries));
  }
  ObjectId PutChain(int levels) {
    ObjectId below;
    for (int i = 0; i < levels; ++i) {
      below = PutLong("in", below);
    }
    return below;
  }

  const LibraryId library_{ids_.NewUuid()};
  LibraryReader reader_{*content_, {}, library_, kWalkBytes};
};

TEST_F(LibraryReaderTest, LongFoldersInOneAnotherAreRefused) {
  EXPECT_THAT(SumTree(reader_, PutChain(3)), IsOk());
  const auto sums = SumTree(reader_, PutChain(4));
  ASSERT_THAT(sums, FailsWith(ErrorCode::kLimitExceeded));
  EXPECT_EQ(sums.error().client_message, "folders that lie in one another are too large together");
}

TEST_F(LibraryReaderTest, LongFoldersBesideEachOtherAreRead) {
  std::vector<Dirent> entries;
  for (int i = 0; i < 30; ++i) {
    const std::string name = "folder " + std::to_string(i);
    entries.push_back(Folder(name, PutLong(name, {})));
  }
  const auto sums = SumTree(reader_, Put(std::move(entries)));
  ASSERT_THAT(sums, IsOk());
  EXPECT_EQ(sums->folders_added, 30 + (30 * (kEntries + 1)));
}

TEST_F(LibraryReaderTest, WhatIsKeptIsAtHandAndMakesRoom) {
  const ObjectId first = PutLong("first", {});
  const auto kept = reader_.ReadDirectory(first).value();
  EXPECT_EQ(reader_.ReadDirectory(first).value(), kept) << "read once";
  for (int i = 0; i < 10; ++i) {
    EXPECT_THAT(reader_.ReadDirectory(PutLong("folder " + std::to_string(i), {})), IsOk());
  }
  EXPECT_NE(reader_.ReadDirectory(first).value(), kept);
}

TEST_F(LibraryReaderTest, NothingOfTheBudgetIsLeftWithTheReader) {
  {
    LibraryReader reader(*content_, {}, library_);
    ASSERT_THAT(SumTree(reader, PutChain(8)), IsOk());
    EXPECT_GT(content_->MemoryForTrees().Used(), 0U) << "what is kept counts";
  }
  EXPECT_EQ(content_->MemoryForTrees().Used(), 0U);
}

}  // namespace
}  // namespace atrium::files
