// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "blobs/local_blobs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/testing.h"
#include "blobs/blobs_testing.h"

namespace atrium::blobs {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

const std::string& Large() {
  static const std::string bytes(5000, 'L');
  return bytes;
}

std::string BytesOf(const BlobSlice& slice) {
  std::string bytes(slice.bytes, '\0');
  EXPECT_EQ(
      ::pread(*slice.descriptor, bytes.data(), bytes.size(), static_cast<off_t>(slice.offset)),
      static_cast<ssize_t>(bytes.size()));
  return bytes;
}

TEST_F(BlobsTest, WhatWasPutIsThere) {
  for (const std::string& bytes : {std::string("hello"), std::string(), Large()}) {
    const auto pin = Blobs().Put({}, bytes, {});
    ASSERT_THAT(pin, IsOk());
    EXPECT_EQ(pin->Id(), BlobId::Of(bytes));
    EXPECT_EQ(pin->Bytes(), bytes.size());
    EXPECT_THAT(Blobs().Contains({}, pin->Id()), Holds(true));
    EXPECT_THAT(Blobs().Read({}, pin->Id()), Holds(bytes));
    const auto slice = Blobs().Open({}, pin->Id());
    ASSERT_THAT(slice, IsOk());
    EXPECT_EQ(BytesOf(*slice), bytes);
  }
}

TEST_F(BlobsTest, WhatWasNotPutIsNot) {
  const BlobId id = BlobId::Of("nobody");
  EXPECT_THAT(Blobs().Contains({}, id), Holds(false));
  EXPECT_THAT(Blobs().Read({}, id), FailsWith(ErrorCode::kNotFound));
  EXPECT_THAT(Blobs().Open({}, id), FailsWith(ErrorCode::kNotFound));
  const auto pin = Blobs().FindPinned({}, id);
  ASSERT_THAT(pin, IsOk());
  EXPECT_FALSE(pin->has_value());
}

TEST_F(BlobsTest, SmallOnesSharePacksAndLargeOnesAreFiles) {
  world_.Put("one");
  world_.Put("two");
  const BlobId large = world_.Put(Large());
  EXPECT_THAT(world_.PackFiles(), SizeIs(1));
  EXPECT_EQ(world_.CountFiles("files"), 1U);
  EXPECT_EQ(ReadFile(world_.OwnFile(large)), Large());
  EXPECT_EQ(world_.CountFiles("temporary"), 0U);
}

TEST_F(BlobsTest, TheBoundBetweenSmallAndLarge) {
  world_.Put(std::string(kOwnFileBytes - 1, 'x'));
  EXPECT_EQ(world_.CountFiles("files"), 0U);
  world_.Put(std::string(kOwnFileBytes, 'x'));
  EXPECT_EQ(world_.CountFiles("files"), 1U);
}

TEST_F(BlobsTest, ArrivesInPieces) {
  for (const std::string& bytes : {std::string("hello"), Large()}) {
    auto writer = Blobs().Begin({});
    ASSERT_THAT(writer, IsOk());
    for (std::size_t at = 0; at < bytes.size(); at += 700) {
      ASSERT_THAT((*writer)->Write(std::string_view(bytes).substr(at, 700)), IsOk());
    }
    const auto pin = (*writer)->Finish({}, {.expected = BlobId::Of(bytes)});
    ASSERT_THAT(pin, IsOk());
    EXPECT_THAT(Blobs().Read({}, pin->Id()), Holds(bytes));
  }
}

TEST_F(BlobsTest, ADroppedWriterLeavesNothing) {
  {
    auto writer = Blobs().Begin({});
    ASSERT_THAT(writer, IsOk());
    ASSERT_THAT((*writer)->Write(Large()), IsOk());
    EXPECT_EQ(world_.CountFiles("temporary"), 1U);
  }
  EXPECT_EQ(world_.CountFiles("temporary"), 0U);
  EXPECT_EQ(world_.CountFiles("files"), 0U);
  EXPECT_EQ(Blobs().Statistics().count, 0U);
}

TEST_F(BlobsTest, FilesThatNoIndexKnowsAreSweptWhenTheyAreOld) {
  const BlobId kept = world_.Put(Large());
  const std::string stray = std::string(kOwnFileBytes + 7, 's');
  // As a kill leaves it between the move of the file and the record that announces it.
  const std::filesystem::path path = world_.OwnFile(BlobId::Of(stray));
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path) << stray;
  using Mode = StrayRequest::Mode;
  const auto sweep = [&](Instant before, Mode mode) {
    const auto strays = Blobs().SweepStrays({}, {.before = before, .mode = mode});
    EXPECT_THAT(strays, IsOk());
    return strays ? strays->bytes : 0;
  };
  EXPECT_EQ(sweep(Instant(), Mode::kRemove), 0U);
  EXPECT_EQ(sweep(Instant::max(), Mode::kCount), stray.size());
  EXPECT_EQ(world_.CountFiles("files"), 2U);
  EXPECT_EQ(sweep(Instant::max(), Mode::kRemove), stray.size());
  EXPECT_EQ(world_.CountFiles("files"), 1U);
  EXPECT_THAT(Blobs().Read({}, kept), Holds(Large()));
}

TEST_F(BlobsTest, OtherBytesThanExpectedLeaveNothing) {
  for (const std::string& bytes : {std::string("hello"), Large()}) {
    EXPECT_THAT(Blobs().Put({}, bytes, {.expected = BlobId::Of("other")}),
                FailsSaying(ErrorCode::kInvalidArgument, BlobId::Of("other").Render()));
    EXPECT_FALSE(world_.Has(BlobId::Of(bytes)));
  }
  EXPECT_EQ(world_.CountFiles("temporary"), 0U);
  EXPECT_EQ(world_.CountFiles("files"), 0U);
  EXPECT_THAT(world_.PackFiles(), IsEmpty());
}

TEST_F(BlobsTest, MoreThanTheLimitIsRefused) {
  auto writer = Blobs().Begin({});
  ASSERT_THAT(writer, IsOk());
  // Views of one piece of memory: the length is looked at before the bytes are.
  const std::string piece(1, 'x');
  const std::string_view huge(piece.data(), kBlobBytesMax + 1);
  EXPECT_THAT((*writer)->Write(huge), FailsWith(ErrorCode::kLimitExceeded));
}

TEST_F(BlobsTest, ALongNoteIsRefused) {
  EXPECT_THAT(Blobs().Put({}, "hello", {.note = std::string(kNoteBytesMax + 1, 'n')}),
              FailsWith(ErrorCode::kInvalidArgument));
  EXPECT_FALSE(world_.Has(BlobId::Of("hello")));
  EXPECT_THAT(Blobs().Put({}, "hello", {.note = std::string(kNoteBytesMax, 'n')}), IsOk());
}

TEST_F(BlobsTest, NothingBeginsBehindTheDeadline) {
  const store::OpContext late{.deadline = World::Clock().Steady()};
  EXPECT_THAT(Blobs().Put(late, "hello", {}), FailsWith(ErrorCode::kDeadlineExceeded));
  EXPECT_FALSE(world_.Has(BlobId::Of("hello")));
}

TEST_F(BlobsTest, TheSameBytesAreWrittenOnce) {
  world_.Put("hello");
  world_.Put(Large());
  const BlobStatistics before = Blobs().Statistics();
  world_.Put("hello");
  world_.Put(Large());
  EXPECT_EQ(Blobs().Statistics().appended, before.appended);
  EXPECT_EQ(Blobs().Statistics().count, 2U);
}

TEST_F(BlobsTest, BytesThatVanishedAreWrittenAgain) {
  const BlobId large = world_.Put(Large());
  std::filesystem::remove(world_.OwnFile(large));
  EXPECT_THAT(Blobs().Open({}, large), FailsWith(ErrorCode::kCorrupt));
  EXPECT_EQ(world_.Put(Large()), large);
  EXPECT_THAT(Blobs().Read({}, large), Holds(Large()));
  EXPECT_EQ(Blobs().Statistics().count, 1U);
}

TEST_F(BlobsTest, BytesOfAnotherLengthAreSetAsideAndWrittenAgain) {
  const BlobId large = world_.Put(Large());
  std::filesystem::resize_file(world_.OwnFile(large), 4999);
  EXPECT_THAT(Blobs().Open({}, large), FailsWith(ErrorCode::kCorrupt));
  EXPECT_EQ(world_.Put(Large()), large);
  EXPECT_THAT(Blobs().Read({}, large), Holds(Large()));
  EXPECT_EQ(world_.CountFiles("set-aside"), 1U);
}

TEST_F(BlobsTest, DamageThatSomebodyReadIsHealedByTheNextPut) {
  for (const std::string& bytes : {std::string("hello"), Large()}) {
    const BlobId id = world_.Put(bytes);
    const bool large = bytes.size() >= kOwnFileBytes;
    DamageAt(large ? world_.OwnFile(id) : world_.PackFiles().front(), bytes);
    EXPECT_THAT(Blobs().Read({}, id), FailsWith(ErrorCode::kCorrupt));
    EXPECT_FALSE(world_.Has(id)) << "so that clients send it again";
    EXPECT_EQ(world_.Put(bytes), id);
    EXPECT_TRUE(world_.Has(id));
    EXPECT_THAT(Blobs().Read({}, id), Holds(bytes));
  }
  EXPECT_EQ(world_.CountFiles("set-aside"), 2U);
}

TEST_F(BlobsTest, AReaderKeepsWhatItOpened) {
  const BlobId id = world_.Put(Large());
  const auto slice = Blobs().Open({}, id);
  ASSERT_THAT(slice, IsOk());
  ASSERT_THAT(Blobs().Remove({}, id), IsOk());
  EXPECT_EQ(BytesOf(*slice), Large());
}

TEST_F(BlobsTest, AreThereAfterAReopening) {
  const BlobId small = world_.Put("hello");
  const BlobId large = world_.Put(Large());
  world_.Reopen();
  EXPECT_THAT(Blobs().Read({}, small), Holds(std::string("hello")));
  EXPECT_THAT(Blobs().Read({}, large), Holds(Large()));
  EXPECT_EQ(Blobs().Statistics().count, 2U);
  EXPECT_EQ(Blobs().Statistics().bytes, 5005U);
}

TEST_F(BlobsTest, APackIsGoneOnWithAfterAReopening) {
  world_.Put("one");
  world_.Reopen();
  world_.Put("two");
  EXPECT_THAT(world_.PackFiles(), SizeIs(1));
}

TEST_F(BlobsTest, AFullPackIsFollowedByAnother) {
  world_.Close();
  world_.Options().pack_bytes = 2000;
  world_.Open();
  std::vector<BlobId> ids;
  for (int i = 0; i < 10; ++i) {
    ids.push_back(world_.Put(std::string(500, static_cast<char>('a' + i))));
  }
  EXPECT_THAT(world_.PackFiles(), SizeIs(4));
  for (const auto& file : world_.PackFiles()) {
    EXPECT_LE(std::filesystem::file_size(file), 2000U + (1U << 20));
  }
  world_.Reopen();
  for (const BlobId& id : ids) {
    EXPECT_THAT(Blobs().Read({}, id), IsOk());
  }
}

TEST_F(BlobsTest, AreListedInPages) {
  std::set<BlobId> put;
  for (int i = 0; i < 25; ++i) {
    put.insert(world_.Put("blob " + std::to_string(i)));
  }
  std::set<BlobId> listed;
  ListRequest request{.limit = 10};
  do {
    const auto page = Blobs().List({}, request);
    ASSERT_THAT(page, IsOk());
    for (const ListedBlob& blob : page->blobs) {
      listed.insert(blob.id);
      EXPECT_GE(blob.since, kTestNow);
      EXPECT_LE(blob.since, kTestNow + std::chrono::seconds(1));
    }
    request.after = page->resume;
  } while (request.after);
  EXPECT_EQ(listed, put);
}

TEST_F(BlobsTest, StatisticsCountWhatThereIs) {
  world_.Put("hello");
  world_.Put("world!");
  world_.Put(Large());
  const BlobStatistics statistics = Blobs().Statistics();
  EXPECT_EQ(statistics.count, 3U);
  EXPECT_EQ(statistics.bytes, 5011U);
  EXPECT_EQ(statistics.own_files, 1U);
  EXPECT_EQ(statistics.own_bytes, 5000U);
  EXPECT_EQ(statistics.packs, 1U);
  EXPECT_EQ(statistics.appended, 3U);
}

// Pins and removal.

TEST_F(BlobsTest, WhatIsRemovedIsGone) {
  const BlobId small = world_.Put("hello");
  const BlobId large = world_.Put(Large());
  const std::vector<BlobId> both = {small, large, BlobId::Of("nobody"), small};
  const auto removal = Blobs().Remove({}, both, {});
  ASSERT_THAT(removal, IsOk());
  EXPECT_EQ(removal->removed, 2U);
  EXPECT_EQ(removal->bytes, 5005U);
  EXPECT_FALSE(world_.Has(small));
  EXPECT_FALSE(world_.Has(large));
  EXPECT_EQ(world_.CountFiles("files"), 0U);
  EXPECT_EQ(Blobs().Statistics().count, 0U);
  EXPECT_GT(Blobs().Statistics().dead_bytes, 5U);
  EXPECT_THAT(Blobs().Remove({}, small), FailsWith(ErrorCode::kNotFound));
}

TEST_F(BlobsTest, WhatIsPinnedStays) {
  auto pin = Blobs().Put({}, "hello", {});
  ASSERT_THAT(pin, IsOk());
  const BlobId id = pin->Id();
  std::optional<Pin> copy(*pin);
  EXPECT_THAT(Blobs().Remove({}, id), FailsWith(ErrorCode::kRefusedByState));
  *pin = Pin();
  EXPECT_THAT(Blobs().Remove({}, id), FailsWith(ErrorCode::kRefusedByState));
  const auto removal = Blobs().Remove({}, std::span(&id, 1), {});
  ASSERT_THAT(removal, IsOk());
  EXPECT_THAT(removal->pinned, ElementsAre(id));
  copy.reset();
  EXPECT_THAT(Blobs().Remove({}, id), IsOk());
}

TEST_F(BlobsTest, WhoPutsWhatIsThereHasItPinned) {
  const BlobId id = world_.Put("hello");
  auto pin = Blobs().Put({}, "hello", {});
  EXPECT_THAT(Blobs().Remove({}, id), FailsWith(ErrorCode::kRefusedByState));
  auto noted = Blobs().Put({}, "hello", {.note = "mine"});
  *pin = Pin();
  EXPECT_THAT(Blobs().Remove({}, id), FailsWith(ErrorCode::kRefusedByState));
  *noted = Pin();
  auto found = Blobs().FindPinned({}, id);
  ASSERT_THAT(found, IsOk());
  ASSERT_TRUE(found->has_value());
  EXPECT_EQ((*found)->Bytes(), 5U);
  EXPECT_THAT(Blobs().Remove({}, id), FailsWith(ErrorCode::kRefusedByState));
  found->reset();
  EXPECT_THAT(Blobs().Remove({}, id), IsOk());
}

TEST_F(BlobsTest, ARemovalAsksFirst) {
  const std::vector<BlobId> ids = {world_.Put("one"), world_.Put("two")};
  const auto removal =
      Blobs().Remove({}, ids, [&](const BlobId& id) -> Result<bool> { return id == ids[0]; });
  ASSERT_THAT(removal, IsOk());
  EXPECT_EQ(removal->removed, 1U);
  EXPECT_THAT(removal->kept, ElementsAre(ids[1]));
  EXPECT_FALSE(world_.Has(ids[0]));
  EXPECT_TRUE(world_.Has(ids[1]));
}

TEST_F(BlobsTest, ARemovalThatCannotAskRemovesNothing) {
  const BlobId id = world_.Put("one");
  EXPECT_THAT(Blobs().Remove({}, std::span(&id, 1),
                             [](const BlobId&) -> Result<bool> {
                               return FailPrivately(ErrorCode::kUnavailable, "no answer");
                             }),
              FailsWith(ErrorCode::kUnavailable));
  EXPECT_TRUE(world_.Has(id));
}

TEST_F(BlobsTest, ManyAreRemovedAtOnce) {
  std::vector<BlobId> ids;
  for (int i = 0; i < 300; ++i) {
    ids.push_back(world_.Put("blob " + std::to_string(i)));
  }
  const auto removal = Blobs().Remove({}, ids, {});
  ASSERT_THAT(removal, IsOk());
  EXPECT_EQ(removal->removed, 300U);
  EXPECT_EQ(Blobs().Statistics().count, 0U);
}

/// A commit has room for so many rows, and each pack is one.
TEST_F(BlobsTest, ManyAreRemovedFromManyPacks) {
  world_.Close();
  world_.Options().pack_bytes = 200;
  world_.Open();
  std::vector<BlobId> ids;
  for (int i = 0; i < 150; ++i) {
    ids.push_back(world_.Put("blob " + std::to_string(i), "note"));
  }
  EXPECT_THAT(world_.PackFiles(), SizeIs(150));
  {
    const auto after = world_.AfterCrash();
    after->Open();
    EXPECT_EQ(after->Blobs().Statistics().count, 150U);
  }
  const auto removal = Blobs().Remove({}, ids, {});
  ASSERT_THAT(removal, IsOk());
  EXPECT_EQ(removal->removed, 150U);
  const auto after = world_.AfterCrash();
  after->Open();
  EXPECT_EQ(after->Blobs().Statistics().count, 0U);
  ASSERT_THAT(Blobs().Compact({}, {}), IsOk());
  EXPECT_THAT(world_.PackFiles(), IsEmpty());
}

TEST_F(BlobsTest, WhatWasRemovedCanBePutAgain) {
  const BlobId id = world_.Put("hello");
  ASSERT_THAT(Blobs().Remove({}, id), IsOk());
  EXPECT_EQ(world_.Put("hello"), id);
  EXPECT_THAT(Blobs().Read({}, id), Holds(std::string("hello")));
}

TEST_F(BlobsTest, APinMayOutliveTheBlobs) {
  auto pin = Blobs().Put({}, "hello", {.note = "mine"});
  world_.Close();
  *pin = Pin();
}

}  // namespace
}  // namespace atrium::blobs
