// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/partial_uploads.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/testing.h"
#include "files/file_writer.h"
#include "files/room_testing.h"

namespace atrium::files {
namespace {

using testing::Noise;

class PartialUploadsTest : public testing::RoomTest {
 protected:
  PartialUploadKey Key(std::string_view path) const {
    return {
        .user = ann_.id, .library = library_, .path = TreePath::Parse(path).value_or(TreePath())};
  }
  /// What the file is, once its last piece is there.
  std::string Send(std::string_view path, std::string_view bytes, std::uint64_t first,
                   std::uint64_t total) {
    auto upload = uploads_.Resume(
        Key(path), {.first = first, .last = first + bytes.size() - 1, .total = total});
    EXPECT_THAT(upload, IsOk());
    if (!upload) {
      return {};
    }
    EXPECT_THAT((*upload)->Write(bytes), IsOk());
    EXPECT_THAT((*upload)->EndPiece(), IsOk());
    std::string all;
    if ((*upload)->IsComplete()) {
      EXPECT_THAT((*upload)->ReadAll([&](std::string_view piece) -> Result<void> {
        all += piece;
        return {};
      }),
                  IsOk());
      (*upload)->Discard();
    }
    return all;
  }

  const LibraryId library_{ids_.NewUuid()};
  PartialUploads uploads_{folder_.Path() / "uploads", clock_};
};

TEST_F(PartialUploadsTest, PiecesBecomeTheFile) {
  const std::string bytes = Noise(3'000'000);
  EXPECT_THAT(uploads_.Received(Key("/a")), Holds(0U));
  Send("/a", std::string_view(bytes).substr(0, 1'000'000), 0, bytes.size());
  EXPECT_THAT(uploads_.Received(Key("/a")), Holds(1'000'000U));
  EXPECT_THAT(uploads_.Received(Key("/b")), Holds(0U));
  EXPECT_EQ(Send("/a", std::string_view(bytes).substr(1'000'000), 1'000'000, bytes.size()), bytes);
  EXPECT_THAT(uploads_.Received(Key("/a")), Holds(0U));
}

TEST_F(PartialUploadsTest, TheyAreThereAfterARestart) {
  const std::string bytes = Noise(1000);
  Send("/a", std::string_view(bytes).substr(0, 600), 0, bytes.size());
  PartialUploads again(folder_.Path() / "uploads", clock_);
  EXPECT_THAT(again.Received(Key("/a")), Holds(600U));
}

TEST_F(PartialUploadsTest, WhatWasWrittenBeforeTheLineBrokeIsKept) {
  const std::string bytes = Noise(1000);
  {
    auto upload = uploads_.Resume(Key("/a"), {.first = 0, .last = 999, .total = 1000});
    ASSERT_THAT(upload, IsOk());
    ASSERT_THAT((*upload)->Write(std::string_view(bytes).substr(0, 300)), IsOk());
  }
  EXPECT_THAT(uploads_.Received(Key("/a")), Holds(300U));
  EXPECT_EQ(Send("/a", std::string_view(bytes).substr(300), 300, 1000), bytes);
}

TEST_F(PartialUploadsTest, APieceThatIsSentAgainReplacesWhatFollows) {
  const std::string one = Noise(1000, 1);
  const std::string other = Noise(1000, 2);
  Send("/a", std::string_view(one).substr(0, 800), 0, 1000);
  Send("/a", std::string_view(other).substr(500, 100), 500, 1000);
  EXPECT_THAT(uploads_.Received(Key("/a")), Holds(600U));
  EXPECT_EQ(Send("/a", std::string_view(other).substr(600), 600, 1000),
            one.substr(0, 500) + other.substr(500));
}

TEST_F(PartialUploadsTest, TheFirstPieceBeginsAnew) {
  Send("/a", Noise(800, 1), 0, 1000);
  const std::string other = Noise(20, 2);
  EXPECT_EQ(Send("/a", other, 0, 20), other);
}

TEST_F(PartialUploadsTest, GapsAndOtherLengthsAreRefused) {
  EXPECT_THAT(uploads_.Resume(Key("/a"), {.first = 10, .last = 19, .total = 20}),
              FailsWith(ErrorCode::kRefusedByState));
  Send("/a", Noise(10), 0, 20);
  EXPECT_THAT(uploads_.Resume(Key("/a"), {.first = 11, .last = 19, .total = 20}),
              FailsWith(ErrorCode::kRefusedByState));
  EXPECT_THAT(uploads_.Resume(Key("/a"), {.first = 10, .last = 19, .total = 30}),
              FailsWith(ErrorCode::kRefusedByState));
  EXPECT_THAT(uploads_.Resume(Key("/a"), {.first = 10, .last = 20, .total = 20}),
              FailsWith(ErrorCode::kInvalidArgument));
  EXPECT_THAT(uploads_.Resume(Key("/a"),
                              {.first = 0, .last = 1, .total = std::uint64_t{1} + kFileBytesMax}),
              FailsWith(ErrorCode::kLimitExceeded));
  EXPECT_THAT(uploads_.Received(Key("/a")), Holds(10U));
}

TEST_F(PartialUploadsTest, APieceHasTheLengthItSays) {
  auto upload = uploads_.Resume(Key("/a"), {.first = 0, .last = 9, .total = 20});
  ASSERT_THAT(upload, IsOk());
  EXPECT_THAT((*upload)->Write(Noise(11)), FailsWith(ErrorCode::kInvalidArgument));
  ASSERT_THAT((*upload)->Write(Noise(5)), IsOk());
  EXPECT_THAT((*upload)->EndPiece(), FailsWith(ErrorCode::kInvalidArgument));
}

TEST_F(PartialUploadsTest, OneRequestAtATimeSendsAFile) {
  const auto first = uploads_.Resume(Key("/a"), {.first = 0, .last = 9, .total = 20});
  ASSERT_THAT(first, IsOk());
  EXPECT_THAT(uploads_.Resume(Key("/a"), {.first = 0, .last = 9, .total = 20}),
              FailsWith(ErrorCode::kRefusedByState));
  EXPECT_THAT(uploads_.Resume(Key("/b"), {.first = 0, .last = 9, .total = 20}), IsOk());
}

TEST_F(PartialUploadsTest, OnePersonHasSoManyAtMost) {
  for (std::size_t i = 0; i < kPartialUploadsOfOne; ++i) {
    Send("/" + std::to_string(i), "x", 0, 2);
  }
  std::vector<std::unique_ptr<PartialUpload>> held;
  for (std::size_t i = 0; i < kPartialUploadsOfOne; ++i) {
    auto one = uploads_.Resume(Key("/" + std::to_string(i)), {.first = 1, .last = 1, .total = 2});
    ASSERT_THAT(one, IsOk());
    held.push_back(*std::move(one));
  }
  EXPECT_THAT(uploads_.Resume(Key("/more"), {.first = 0, .last = 0, .total = 2}),
              FailsWith(ErrorCode::kLimitExceeded));
}

TEST_F(PartialUploadsTest, OneTooManyTakesThePlaceOfTheOldest) {
  for (std::size_t i = 0; i < kPartialUploadsOfOne; ++i) {
    Send("/" + std::to_string(i), "x", 0, 2);
    clock_.Advance(std::chrono::seconds(10));
  }
  const auto oldest = uploads_.Resume(Key("/0"), {.first = 1, .last = 1, .total = 2});
  ASSERT_THAT(oldest, IsOk());
  Send("/more", "x", 0, 2);
  // The oldest is being sent, so the next one went.
  EXPECT_THAT(uploads_.Received(Key("/0")), Holds(1U));
  EXPECT_THAT(uploads_.Received(Key("/1")), Holds(0U));
  EXPECT_THAT(uploads_.Received(Key("/2")), Holds(1U));
  EXPECT_THAT(uploads_.Received(Key("/more")), Holds(1U));
}

TEST_F(PartialUploadsTest, TheyAreListedOldestFirstAndRemoved) {
  const std::string long_path = "/" + std::string(250, 'a') + "/ä";
  Send("/old", Noise(10), 0, 20);
  clock_.Advance(std::chrono::minutes(1));
  Send(long_path, Noise(30), 0, 40);
  const auto list = uploads_.List(Key("/").user);
  ASSERT_THAT(list, IsOk());
  ASSERT_EQ(list->size(), 2U);
  EXPECT_EQ(list->front().path, "/old");
  EXPECT_EQ(list->front().library, Key("/").library);
  EXPECT_EQ(list->back().path, long_path);
  EXPECT_EQ(list->back().received, 30U);
  EXPECT_EQ(list->back().total, 40U);
  EXPECT_EQ(list->back().updated_at - list->front().updated_at, std::chrono::minutes(1));
  EXPECT_THAT(uploads_.Remove(Key("/").user, "../" + list->front().id),
              FailsWith(ErrorCode::kNotFound));
  EXPECT_THAT(uploads_.Remove(UserId(), list->front().id), FailsWith(ErrorCode::kNotFound));
  EXPECT_THAT(uploads_.Remove(Key("/").user, list->front().id), IsOk());
  EXPECT_THAT(uploads_.Received(Key("/old")), Holds(0U));
  const auto held = uploads_.Resume(Key(long_path), {.first = 30, .last = 30, .total = 40});
  EXPECT_THAT(uploads_.Remove(Key("/").user, list->back().id),
              FailsWith(ErrorCode::kRefusedByState));
}

TEST_F(PartialUploadsTest, WhatLiesHereCountsUntilItIsTaken) {
  Send("/a", Noise(10), 0, 20);
  Send("/b", Noise(30), 0, 40);
  EXPECT_EQ(uploads_.BytesOf(Key("/").user), 40);
  EXPECT_EQ(uploads_.BytesOf(UserId()), 0);
  {
    auto upload = uploads_.Resume(Key("/a"), {.first = 10, .last = 19, .total = 20});
    ASSERT_THAT(upload, IsOk());
    ASSERT_THAT((*upload)->Write(Noise(10)), IsOk());
    EXPECT_EQ(uploads_.BytesOf(Key("/").user), 40) << "what comes is counted by its holder";
    ASSERT_THAT((*upload)->EndPiece(), IsOk());
    ASSERT_THAT((*upload)->ReadAll([](std::string_view) { return Result<void>(); }), IsOk());
    EXPECT_EQ(uploads_.BytesOf(Key("/").user), 30);
  }
  EXPECT_EQ(uploads_.BytesOf(Key("/").user), 50) << "it was not taken after all";
}

TEST_F(PartialUploadsTest, WhatDoesNotGoOnIsSweptAway) {
  EXPECT_THAT(uploads_.Sweep(), Holds(0U));
  Send("/old", Noise(10), 0, 20);
  clock_.Advance(kPartialUploadKept);
  Send("/young", Noise(10), 0, 20);
  EXPECT_THAT(uploads_.Sweep(), Holds(0U));
  clock_.Advance(std::chrono::minutes(1));
  const auto held = uploads_.Resume(Key("/held"), {.first = 0, .last = 0, .total = 2});
  EXPECT_THAT(uploads_.Sweep(), Holds(1U));
  EXPECT_THAT(uploads_.Received(Key("/old")), Holds(0U));
  EXPECT_THAT(uploads_.Received(Key("/young")), Holds(10U));
}

TEST_F(PartialUploadsTest, AFileThatWasCutShortIsNothing) {
  Send("/a", Noise(10), 0, 20);
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(folder_.Path() / "uploads")) {
    if (entry.is_regular_file()) {
      std::filesystem::resize_file(entry.path(), 3);
    }
  }
  EXPECT_THAT(uploads_.Received(Key("/a")), Holds(0U));
  EXPECT_EQ(Send("/a", "xy", 0, 2), "xy");
}

}  // namespace
}  // namespace atrium::files
