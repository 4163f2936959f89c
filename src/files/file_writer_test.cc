// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/file_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/testing.h"
#include "files/file_body.h"
#include "files/library_cipher.h"
#include "files/room_testing.h"
#include "http/range.h"

namespace atrium::files {
namespace {

using testing::Noise;
using ::testing::SizeIs;

constexpr std::size_t kMiB = std::size_t{1} << 20;

class FileContentTest : public testing::RoomTest {
 protected:
  FileObject Put(std::string_view bytes, std::size_t piece = 300'001) {
    FileWriter writer(*content_, library_, key_);
    for (std::size_t at = 0; at < bytes.size(); at += piece) {
      EXPECT_THAT(writer.Write({}, bytes.substr(at, piece)), IsOk());
    }
    auto file = writer.Finish({});
    EXPECT_THAT(file, IsOk());
    return file.value_or(FileObject());
  }

  static std::string ReadAll(FileBody& body) {
    std::string all;
    while (true) {
      auto piece = body.Next();
      EXPECT_THAT(piece, IsOk());
      if (!piece || !*piece) {
        return all;
      }
      all += **piece;
    }
  }
  std::string ReadBack(const FileObject& file) {
    FileBody body(*content_, library_, file, key_);
    return ReadAll(body);
  }
  std::string ReadPart(const FileObject& file, const http::ByteRange& part) {
    FileBody body(*content_, library_, file, key_);
    EXPECT_TRUE(body.Narrow(part));
    EXPECT_EQ(body.Length(), part.size());
    return ReadAll(body);
  }

  const LibraryId library_{ids_.NewUuid()};
  std::shared_ptr<const LibraryKey> key_{};
};

TEST_F(FileContentTest, AnEmptyFileHasNoBlocks) {
  const FileObject file = Put("");
  EXPECT_THAT(file.blocks, SizeIs(0));
  EXPECT_EQ(file.size, 0);
  EXPECT_EQ(ReadBack(file), "");
}

TEST_F(FileContentTest, AShortFileIsOneBlockUnderTheNameThatClientsGiveIt) {
  const FileObject file = Put("hello");
  ASSERT_THAT(file.blocks, SizeIs(1));
  EXPECT_EQ(file.blocks.front(), BlockIdOf("hello"));
  EXPECT_EQ(ReadBack(file), "hello");
}

TEST_F(FileContentTest, ALongFileIsCutTheSameHoweverItArrives) {
  const std::string bytes = Noise(23 * kMiB);
  const FileObject file = Put(bytes);
  EXPECT_EQ(file, Put(bytes, 4 * kMiB + 7));
  EXPECT_THAT(file.blocks, SizeIs(::testing::Ge(3)));
  EXPECT_EQ(file.size, static_cast<std::int64_t>(bytes.size()));
  EXPECT_TRUE(ReadBack(file) == bytes);
}

TEST_F(FileContentTest, PartsOfAFileAreReadFromTheBlocksTheyAreIn) {
  const std::string bytes = Noise(23 * kMiB);
  const FileObject file = Put(bytes);
  for (const http::ByteRange part :
       {http::ByteRange{.first = 0, .last = 0},
        http::ByteRange{.first = 0, .last = bytes.size() - 1},
        http::ByteRange{.first = 5 * kMiB, .last = 17 * kMiB},
        http::ByteRange{.first = bytes.size() - 1, .last = bytes.size() - 1},
        http::ByteRange{.first = 11 * kMiB, .last = bytes.size() - 1}}) {
    EXPECT_TRUE(ReadPart(file, part) == bytes.substr(part.first, part.size())) << part.first;
  }
}

TEST_F(FileContentTest, TheBlocksOfAnEncryptedLibraryAreThoseOfAClientWithItsKey) {
  key_ = std::make_shared<const LibraryKey>(SecretKey{});
  const std::string bytes = Noise(13 * kMiB);
  const FileObject file = Put(bytes);
  EXPECT_EQ(file.size, static_cast<std::int64_t>(bytes.size()));
  EXPECT_TRUE(ReadBack(file) == bytes);
  FileBody body(*content_, library_, file, key_);
  EXPECT_FALSE(body.Narrow({.first = 0, .last = 1}));
  const FileObject small = Put("hello");
  EXPECT_EQ(small.blocks.front(), BlockIdOf(key_->EncryptBlock("hello")));
}

TEST_F(FileContentTest, ABlockThatIsMissingBreaksOff) {
  FileObject file = Put("hello");
  file.blocks.front() = BlockIdOf("another");
  FileBody body(*content_, library_, file, nullptr);
  EXPECT_THAT(body.Next(), FailsWith(ErrorCode::kCorrupt));
}

TEST_F(FileContentTest, AFileThatSaysItIsLongerThanItsBlocksBreaksOff) {
  FileObject file = Put("hello");
  file.size = 6;
  FileBody body(*content_, library_, file, nullptr);
  EXPECT_THAT(body.Next(), IsOk());
  EXPECT_THAT(body.Next(), FailsWith(ErrorCode::kCorrupt));
}

TEST_F(FileContentTest, AListOfManyBlocksCountsAsLongAsTheFileIsSent) {
  FileObject file = Put("hello");
  file.blocks.resize(1'000'000, file.blocks.front());
  const MemoryBudget& budget = content_->MemoryForTrees();
  {
    auto memory = FileBody::TakeMemory(*content_, file);
    ASSERT_THAT(memory, IsOk());
    FileBody body(*content_, library_, std::move(file), nullptr, *std::move(memory));
    EXPECT_THAT(body.Next(), IsOk());
    EXPECT_GE(budget.Used(), 20'000'000U);
  }
  EXPECT_EQ(budget.Used(), 0U);
}

TEST_F(FileContentTest, BlocksOfAnotherLibraryAreNotReached) {
  const FileObject file = Put("hello");
  FileBody body(*content_, LibraryId(ids_.NewUuid()), file, nullptr);
  EXPECT_THAT(body.Next(), FailsWith(ErrorCode::kCorrupt));
}

}  // namespace
}  // namespace atrium::files
