// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "store/zstd_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zstd.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/result.h"
#include "base/testing.h"
#include "store/transfer.h"

namespace atrium::store {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Le;

constexpr std::size_t kLineBytesMax = 1000;

std::string Compressed(std::string_view lines) {
  std::string file;
  ZstdLineWriter writer([&](std::string_view bytes) -> Result<void> {
    file += bytes;
    return {};
  });
  EXPECT_THAT(writer.Write(lines), IsOk());
  EXPECT_THAT(writer.Finish(), IsOk());
  EXPECT_EQ(writer.CompressedBytes(), file.size());
  return file;
}

ByteSource From(std::string_view file, std::size_t piece) {
  return [file, piece](std::span<char> buffer) mutable -> Result<std::size_t> {
    const std::size_t size = std::min({file.size(), piece, buffer.size()});
    file.copy(buffer.data(), size);
    file.remove_prefix(size);
    return size;
  };
}

Result<std::vector<std::string>> ReadAll(std::string_view file, std::size_t piece = 7) {
  ZstdLineReader reader(From(file, piece), kLineBytesMax);
  std::vector<std::string> lines;
  while (true) {
    ASSIGN_OR_RETURN(const std::optional<std::string_view> line, reader.Next());
    if (!line) {
      return lines;
    }
    lines.emplace_back(*line);
    EXPECT_EQ(reader.LineNumber(), lines.size());
  }
}

/// Compresses badly, so that buffers fill up on both sides.
std::string Noise(std::size_t lines) {
  std::mt19937_64 random(7);
  std::string text;
  for (std::size_t i = 0; i < lines; ++i) {
    for (std::size_t j = 0; j < 900; ++j) {
      text += static_cast<char>('0' + (random() % 64));
    }
    text += '\n';
  }
  return text;
}

TEST(ZstdLinesTest, LinesComeBackHoweverTheBytesAreCut) {
  const std::string file = Compressed("first\n\nthird\n");
  for (const std::size_t piece : {std::size_t{1}, std::size_t{2}, std::size_t{100}}) {
    EXPECT_THAT(ReadAll(file, piece), Holds(ElementsAre("first", "", "third"))) << piece;
  }
}

TEST(ZstdLinesTest, NothingIsNoLine) {
  EXPECT_THAT(ReadAll(Compressed("")), Holds(IsEmpty()));
  EXPECT_THAT(ReadAll(""), Holds(IsEmpty()));
}

TEST(ZstdLinesTest, MoreThanAnyBufferComesBack) {
  const std::string text = Noise(2000);
  const Result<std::vector<std::string>> lines = ReadAll(Compressed(text), 100'000);
  ASSERT_THAT(lines, IsOk());
  std::string joined;
  for (const std::string& line : *lines) {
    joined += line + "\n";
  }
  EXPECT_EQ(joined, text);
}

TEST(ZstdLinesTest, TheFrameHasAChecksum) {
  std::string file = Compressed("a line\n");
  file.back() = static_cast<char>(file.back() ^ 1);
  EXPECT_THAT(ReadAll(file), FailsSaying(ErrorCode::kCorrupt, "checksum"));
}

TEST(ZstdLinesTest, AFileCutShortAnywhereIsCorrupt) {
  const std::string file = Compressed("first\nsecond\n");
  for (std::size_t size = 1; size < file.size(); ++size) {
    EXPECT_THAT(ReadAll(file.substr(0, size)), FailsSaying(ErrorCode::kCorrupt, "cut short"))
        << size;
  }
}

TEST(ZstdLinesTest, ALastLineWithoutNewlineIsCorrupt) {
  EXPECT_THAT(ReadAll(Compressed("first\nsecond")),
              FailsSaying(ErrorCode::kCorrupt, "ends within line 2"));
}

TEST(ZstdLinesTest, OtherBytesAreNoZstd) {
  EXPECT_THAT(ReadAll("{\"atrium_export\":1}\n"), FailsWith(ErrorCode::kInvalidArgument));
}

TEST(ZstdLinesTest, OtherBytesBehindAFrameAreDamage) {
  EXPECT_THAT(ReadAll(Compressed("first\n") + "something else"),
              FailsSaying(ErrorCode::kCorrupt, "behind line 1"));
}

TEST(ZstdLinesTest, ALineAtTheLimitIsReadAndALongerOneIsNot) {
  const std::string longest(kLineBytesMax, 'x');
  EXPECT_THAT(ReadAll(Compressed(longest + "\n")), Holds(ElementsAre(longest)));
  EXPECT_THAT(ReadAll(Compressed("short\n" + longest + "x\n")),
              FailsSaying(ErrorCode::kCorrupt, "line 2 has more than 1000 bytes"));
}

TEST(ZstdLinesTest, AFewBytesThatUnpackToAnEndlessLineAreRefusedEarly) {
  const std::string file = Compressed(std::string(std::size_t{64} << 20U, 'x'));
  ZstdLineReader reader(From(file, 100), kLineBytesMax);
  EXPECT_THAT(reader.Next(), FailsWith(ErrorCode::kCorrupt));
  EXPECT_THAT(reader.CompressedBytes(), Le(file.size() / 2));
}

TEST(ZstdLinesTest, AFrameThatAsksForAHugeWindowIsRefused) {
  const std::string line = "a line\n";
  std::string file(1000, '\0');
  ZSTD_CCtx* context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, 27);
  ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, 0);
  ZSTD_inBuffer in{.src = line.data(), .size = line.size(), .pos = 0};
  ZSTD_outBuffer out{.dst = file.data(), .size = file.size(), .pos = 0};
  // Flushed before the end is known, so that the window is not cut down to the size.
  ASSERT_EQ(ZSTD_compressStream2(context, &out, &in, ZSTD_e_flush), 0);
  ASSERT_EQ(ZSTD_compressStream2(context, &out, &in, ZSTD_e_end), 0);
  ZSTD_freeCCtx(context);
  file.resize(out.pos);
  EXPECT_THAT(ReadAll(file), FailsSaying(ErrorCode::kCorrupt, "memory"));
}

TEST(ZstdLinesTest, ErrorsOfSourceAndSinkComeThrough) {
  ZstdLineReader reader(
      [](std::span<char>) -> Result<std::size_t> { return Fail(ErrorCode::kUnavailable, "disk"); },
      kLineBytesMax);
  EXPECT_THAT(reader.Next(), FailsWith(ErrorCode::kUnavailable));
  ZstdLineWriter writer(
      [](std::string_view) -> Result<void> { return Fail(ErrorCode::kLimitExceeded, "full"); });
  ASSERT_THAT(writer.Write("a\n"), IsOk());
  EXPECT_THAT(writer.Finish(), FailsWith(ErrorCode::kLimitExceeded));
}

}  // namespace
}  // namespace atrium::store
