// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/chunker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "files/object_id.h"
#include "files/objects.h"

namespace atrium::files {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::size_t kMebibyte = std::size_t{1} << 20;

/// The bytes for which the cuts of a real client are known.
std::string KnownBytes(std::size_t size) {
  std::string bytes(size, '\0');
  std::uint64_t x = 1;
  for (char& byte : bytes) {
    x = x * 6364136223846793005U + 1442695040888963407U;
    byte = static_cast<char>(x >> 56);
  }
  return bytes;
}

/// The blocks of a file that arrives in pieces, of which `next_size(at)` says how long they are.
template <typename NextSize>
std::vector<std::string_view> BlocksOf(std::string_view file, NextSize next_size) {
  std::vector<std::string_view> blocks;
  Chunker chunker;
  std::size_t begin = 0;
  std::size_t at = 0;
  while (at < file.size()) {
    std::string_view piece = file.substr(at, next_size(at));
    while (!piece.empty()) {
      const Chunker::Cut cut = chunker.Take(piece);
      EXPECT_GT(cut.bytes, 0U);
      EXPECT_TRUE(cut.ends_block || cut.bytes == piece.size());
      piece.remove_prefix(cut.bytes);
      at += cut.bytes;
      if (cut.ends_block) {
        blocks.push_back(file.substr(begin, at - begin));
        begin = at;
      }
    }
  }
  if (begin < file.size()) {
    blocks.push_back(file.substr(begin));
  }
  return blocks;
}

std::vector<std::string_view> BlocksAtOnce(std::string_view file) {
  return BlocksOf(file, [&](std::size_t) { return file.size(); });
}

std::vector<std::size_t> SizesOf(const std::vector<std::string_view>& blocks) {
  std::vector<std::size_t> sizes;
  for (const std::string_view block : blocks) {
    sizes.push_back(block.size());
  }
  return sizes;
}

TEST(ChunkerTest, TheCutsAreThoseOfARealClient) {
  const std::string file = KnownBytes(48 * kMebibyte);
  const std::vector<std::string_view> blocks = BlocksAtOnce(file);
  EXPECT_THAT(SizesOf(blocks), ElementsAre(10485760, 7471714, 8849008, 7619246, 10485760, 5420160));
  FileObject object{.size = static_cast<std::int64_t>(file.size())};
  for (const std::string_view block : blocks) {
    object.blocks.push_back(BlockIdOf(block));
  }
  EXPECT_EQ(object.blocks.front().Render(), "4bbd25a6f1327be64be67924f2b2be39817a09b7");
  EXPECT_EQ(object.blocks.back().Render(), "d9b01533bc61fbe973f70fab19d3b819c84e4733");
  EXPECT_EQ(ObjectIdOf(object).Render(), "b71de44754132feae2beef42fd208985520c7e6d");
}

TEST(ChunkerTest, HowTheFileArrivesMakesNoDifference) {
  // Its first cut comes a mebibyte after the earliest place for it, so that is where pieces are
  // small.
  const std::string file = KnownBytes(18 * kMebibyte).substr(Chunker::kBlockBytesMax);
  const std::vector<std::string_view> at_once = BlocksAtOnce(file);
  ASSERT_THAT(SizesOf(at_once), ElementsAre(7471714, testing::_));
  constexpr std::size_t kSmallFrom = Chunker::kBlockBytesMin - 100;
  const auto small_pieces = [](std::size_t at, std::size_t size) {
    return at < kSmallFrom ? kSmallFrom - at : size;
  };
  for (const std::size_t size : {1UZ, 2UZ, 3UZ, 47UZ, 48UZ, 49UZ, 97UZ, 4096UZ, 65'537UZ}) {
    EXPECT_EQ(BlocksOf(file, [&](std::size_t at) { return small_pieces(at, size); }), at_once)
        << size;
  }
  const auto seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  EXPECT_EQ(BlocksOf(file, [&](std::size_t) { return random() % 100'000 + 1; }), at_once);
  EXPECT_EQ(BlocksOf(file, [&](std::size_t at) { return small_pieces(at, random() % 100 + 1); }),
            at_once);
}

TEST(ChunkerTest, AShortFileIsOneBlock) {
  EXPECT_THAT(BlocksAtOnce(""), IsEmpty());
  EXPECT_THAT(SizesOf(BlocksAtOnce("x")), ElementsAre(1));
  for (const std::size_t size :
       {Chunker::kBlockBytesMin - 1, Chunker::kBlockBytesMin, Chunker::kBlockBytesMin + 1}) {
    EXPECT_THAT(SizesOf(BlocksAtOnce(KnownBytes(size))), ElementsAre(size));
  }
}

TEST(ChunkerTest, AFileWithoutCutsIsCutAtTheLongest) {
  const std::string zeros(25 * kMebibyte, '\0');
  EXPECT_THAT(SizesOf(BlocksAtOnce(zeros)),
              ElementsAre(Chunker::kBlockBytesMax, Chunker::kBlockBytesMax, 5 * kMebibyte));
}

TEST(ChunkerTest, ACutIsPossibleAtTheShortestBlockAlready) {
  // The fingerprint begins with the last four of the shortest block.
  std::string file(8 * kMebibyte, '\0');
  file[Chunker::kBlockBytesMin - 1] = 0x13;
  EXPECT_THAT(SizesOf(BlocksAtOnce(file)),
              ElementsAre(Chunker::kBlockBytesMin, file.size() - Chunker::kBlockBytesMin));
  // Where the four come in different pieces, too.
  for (const std::size_t last : {1UZ, 2UZ, 3UZ, 4UZ}) {
    const std::size_t first = Chunker::kBlockBytesMin - last;
    EXPECT_EQ(BlocksOf(file, [&](std::size_t at) { return at == 0 ? first : 1'000'000; }),
              BlocksAtOnce(file));
  }
}

TEST(ChunkerTest, WhatIsInsertedMovesNoCutFurtherOn) {
  const std::string file = KnownBytes(48 * kMebibyte);
  const std::string inserted = "something new" + file;
  const std::vector<std::string_view> before = BlocksAtOnce(file);
  const std::vector<std::string_view> after = BlocksAtOnce(inserted);
  EXPECT_EQ(after.back(), before.back());
}

}  // namespace
}  // namespace atrium::files
