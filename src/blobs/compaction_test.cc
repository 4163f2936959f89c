// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "blobs/compaction.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <random>
#include <stop_token>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/testing.h"
#include "blobs/blobs_testing.h"

namespace atrium::blobs {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

namespace fs = std::filesystem;

class CompactionTest : public BlobsTest {
 protected:
  /// So many blobs of 500 bytes, each third of which stays.
  static constexpr int kBlobs = 60;

  void SetUp() override {
    world_.Options().pack_bytes = 10'000;
    world_.Open();
    for (int i = 0; i < kBlobs; ++i) {
      const std::string bytes = BytesOf(i);
      world_.Put(bytes, i % 4 == 0 ? "note" : "");
      (i % 3 == 0 ? kept_ : removed_).push_back(bytes);
    }
  }

  static std::string BytesOf(int number) {
    std::string bytes = std::to_string(number) + ":";
    bytes.resize(500, static_cast<char>('a' + number % 26));
    return bytes;
  }
  void RemoveMost() {
    std::vector<BlobId> ids;
    for (const std::string& bytes : removed_) {
      ids.push_back(BlobId::Of(bytes));
    }
    EXPECT_THAT(Blobs().Remove({}, ids, {}), IsOk());
  }
  /// Exactly those that were kept are there.
  void ExpectReadable(World& world) {
    for (const std::string& bytes : kept_) {
      EXPECT_THAT(world.Blobs().Read({}, BlobId::Of(bytes)), Holds(bytes));
    }
    for (const std::string& bytes : removed_) {
      EXPECT_FALSE(world.Has(BlobId::Of(bytes)));
    }
  }
  /// And they are counted.
  void ExpectKept(World& world) {
    ExpectReadable(world);
    EXPECT_EQ(world.Blobs().Statistics().count, kept_.size());
    EXPECT_EQ(world.Blobs().Statistics().bytes, kept_.size() * 500);
  }
  Result<CompactReport> Compact(World& world) { return world.Blobs().Compact({}, {}); }

  std::vector<std::string> kept_;
  std::vector<std::string> removed_;
};

TEST_F(CompactionTest, LeavesFullPacksAlone) {
  const auto report = Compact(world_);
  ASSERT_THAT(report, IsOk());
  EXPECT_EQ(report->packs, 0U);
}

TEST_F(CompactionTest, GivesBackTheSpaceOfRemovedBlobs) {
  const std::size_t packs = world_.PackFiles().size();
  RemoveMost();
  const BlobStatistics before = Blobs().Statistics();
  EXPECT_GT(before.dead_bytes, before.pack_bytes / 2);
  const auto report = Compact(world_);
  ASSERT_THAT(report, IsOk());
  EXPECT_EQ(report->packs, packs);
  EXPECT_EQ(report->moved, kept_.size());
  EXPECT_EQ(report->moved_bytes, kept_.size() * 500);
  const BlobStatistics after = Blobs().Statistics();
  EXPECT_EQ(report->freed_bytes, before.pack_bytes - after.pack_bytes + 2 * kHeadBytes);
  EXPECT_EQ(after.dead_bytes, 0U);
  EXPECT_EQ(world_.PackFiles().size(), 2U);
  ExpectKept(world_);
  world_.Reopen();
  ExpectKept(world_);
  EXPECT_THAT(Compact(world_), IsOk());
  EXPECT_EQ(world_.PackFiles().size(), 2U);
}

TEST_F(CompactionTest, ASecondOneFindsNothingToDo) {
  RemoveMost();
  ASSERT_THAT(Compact(world_), IsOk());
  const auto again = Compact(world_);
  ASSERT_THAT(again, IsOk());
  EXPECT_EQ(again->packs, 0U);
}

TEST_F(CompactionTest, LeavesNoPackWhenAllIsGone) {
  kept_.swap(removed_);
  RemoveMost();
  kept_.swap(removed_);
  RemoveMost();
  ASSERT_THAT(Compact(world_), IsOk());
  EXPECT_THAT(world_.PackFiles(), IsEmpty());
  EXPECT_EQ(Blobs().Statistics().pack_bytes, 0U);
  world_.Put("something new");
  world_.Reopen();
  EXPECT_EQ(Blobs().Statistics().count, 1U);
}

TEST_F(CompactionTest, ReadersKeepTheirDescriptors) {
  const auto slice = Blobs().Open({}, BlobId::Of(kept_[0]));
  ASSERT_THAT(slice, IsOk());
  RemoveMost();
  ASSERT_THAT(Compact(world_), IsOk());
  std::string bytes(slice->bytes, '\0');
  EXPECT_EQ(
      ::pread(*slice->descriptor, bytes.data(), bytes.size(), static_cast<off_t>(slice->offset)),
      500);
  EXPECT_EQ(bytes, kept_[0]);
}

TEST_F(CompactionTest, WaitsForNotes) {
  const auto pin = Blobs().Put({}, BytesOf(0), {.note = "still needed"});
  RemoveMost();
  ASSERT_THAT(Compact(world_), IsOk());
  ExpectKept(world_);
  const auto after = world_.AfterCrash();
  after->Open();
  ASSERT_THAT(after->GetRecovered(), SizeIs(1));
  EXPECT_EQ(after->GetRecovered()[0].note, "still needed");
}

TEST_F(CompactionTest, SetsDamagedBlobsAside) {
  RemoveMost();
  DamageAt(world_.PackFiles().front(), kept_[0]);
  const auto report = Compact(world_);
  ASSERT_THAT(report, IsOk());
  ASSERT_THAT(report->findings, SizeIs(1));
  EXPECT_EQ(report->findings[0].id, BlobId::Of(kept_[0]));
  EXPECT_EQ(world_.CountFiles("set-aside"), 1U);
  EXPECT_FALSE(world_.Has(BlobId::Of(kept_[0])));
  world_.Put(kept_[0]);
  ExpectKept(world_);
}

TEST_F(CompactionTest, APackWithADamagedHeadStaysUntilItIsVerified) {
  RemoveMost();
  const fs::path pack = world_.PackFiles().front();
  DamageAt(pack, BlobId::Of(kept_[1]).Bytes());
  ASSERT_THAT(Compact(world_), IsOk());
  EXPECT_TRUE(fs::exists(pack));
  VerifyRequest request{.mode = VerifyRequest::Mode::kRepair};
  ASSERT_THAT(Blobs().Verify({}, request), IsOk());
  ASSERT_THAT(Compact(world_), IsOk());
  EXPECT_FALSE(fs::exists(pack));
  world_.Put(kept_[1]);
  ExpectKept(world_);
}

TEST_F(CompactionTest, StopsWhenAskedTo) {
  RemoveMost();
  std::stop_source stop;
  stop.request_stop();
  const auto report = Blobs().Compact({}, stop.get_token());
  ASSERT_THAT(report, IsOk());
  EXPECT_EQ(report->packs, 0U);
  ExpectKept(world_);
}

TEST_F(CompactionTest, ManySmallPacksBecomeOne) {
  const std::size_t full = world_.PackFiles().size();
  for (int i = 0; i < 10; ++i) {
    kept_.push_back("small " + std::to_string(i));
    world_.Put(kept_.back());
    world_.GetDisk().FailSyncs({.number = EIO, .count = 1});
    EXPECT_THAT(Blobs().Put({}, "seals the pack", {}), FailsWith(ErrorCode::kUnavailable));
  }
  EXPECT_GT(world_.PackFiles().size(), full + 8);
  const auto report = Compact(world_);
  ASSERT_THAT(report, IsOk());
  EXPECT_GE(report->packs, 9U);
  EXPECT_LE(world_.PackFiles().size(), full + 2);
  for (int i = 0; i < 10; ++i) {
    const std::string bytes = "small " + std::to_string(i);
    EXPECT_THAT(Blobs().Read({}, BlobId::Of(bytes)), Holds(bytes));
  }
}

/// Every commit and every write of a compaction is a moment at which the power may go.
TEST_F(CompactionTest, ACrashAnywhereLosesNothingAndBringsNothingBack) {
  RemoveMost();
  const auto base = world_.AfterCrash();
  bool finished = false;
  int moments = 0;
  for (int passed = 0; !finished; ++passed, ++moments) {
    SCOPED_TRACE(::testing::Message() << passed << " commits pass");
    const auto running = base->AfterCrash();
    running->Open();
    running->Engine().FailCommits(ForgetfulEngine::CommitFault{.after = passed});
    finished = Compact(*running).has_value();
    // The process ends here: what it did not commit is lost.
    const auto after = running->AfterCrash();
    after->Open();
    ExpectKept(*after);
    ASSERT_THAT(Compact(*after), IsOk());
    ExpectKept(*after);
    after->Reopen();
    ExpectKept(*after);
    // And without a crash: it goes on when the store does.
    running->Engine().FailCommits(std::nullopt);
    ExpectReadable(*running);
    ASSERT_THAT(Compact(*running), IsOk());
    ExpectKept(*running);
    ASSERT_FALSE(HasFailure());
  }
  EXPECT_GT(moments, 5);
}

TEST_F(CompactionTest, ACommitOfUnknownOutcomeLosesNothing) {
  RemoveMost();
  const auto base = world_.AfterCrash();
  for (const ForgetfulEngine::Fate fate :
       {ForgetfulEngine::Fate::kNotDone, ForgetfulEngine::Fate::kDone}) {
    for (int passed = 0; passed < 8; ++passed) {
      SCOPED_TRACE(::testing::Message() << passed << " commits pass");
      const auto running = base->AfterCrash();
      running->Open();
      running->Engine().FailCommits(ForgetfulEngine::CommitFault{
          .code = ErrorCode::kOutcomeUnknown, .after = passed, .fate = fate});
      static_cast<void>(Compact(*running));
      running->Engine().FailCommits(std::nullopt);
      ExpectReadable(*running);
      {
        const auto after = running->AfterCrash();
        after->Open();
        ExpectReadable(*after);
      }
      ASSERT_THAT(Compact(*running), IsOk());
      ExpectKept(*running);
      ASSERT_FALSE(HasFailure());
    }
  }
}

TEST_F(CompactionTest, RowsThatTheStoreDoesNotTakeAreWrittenLater) {
  RemoveMost();
  world_.Engine().FailImmutable(ErrorCode::kUnavailable);
  EXPECT_THAT(Compact(world_), FailsWith(ErrorCode::kUnavailable));
  ExpectReadable(world_);
  {
    const auto after = world_.AfterCrash();
    after->Open();
    ExpectKept(*after);
  }
  // While it moves it cannot be removed.
  std::size_t refused = 0;
  for (const std::string& bytes : kept_) {
    const BlobId id = BlobId::Of(bytes);
    const auto removal =
        Blobs().Remove({}, std::span(&id, 1), [](const BlobId&) { return Result<bool>(false); });
    ASSERT_THAT(removal, IsOk());
    refused += removal->pinned.size();
  }
  EXPECT_GT(refused, 0U);
  world_.Engine().FailImmutable(std::nullopt);
  ASSERT_THAT(Compact(world_), IsOk());
  ExpectKept(world_);
  world_.Reopen();
  ExpectKept(world_);
}

TEST_F(CompactionTest, AFullDiskLosesNothing) {
  RemoveMost();
  for (const int number : {ENOSPC, EIO}) {
    world_.GetDisk().FailWrites({.number = number});
    EXPECT_THAT(Compact(world_), FailsWith(ErrorCode::kUnavailable));
    world_.GetDisk().Mend();
    ExpectKept(world_);
  }
  world_.GetDisk().FailSyncs({.number = EIO, .count = 2});
  EXPECT_THAT(Compact(world_), FailsWith(ErrorCode::kUnavailable));
  world_.GetDisk().Mend();
  ExpectKept(world_);
  ASSERT_THAT(Compact(world_), IsOk());
  ExpectKept(world_);
  world_.Reopen();
  ExpectKept(world_);
}

TEST_F(CompactionTest, AStoreFromBeforeFindsBlobsWhereTheyWereMoved) {
  RemoveMost();
  std::unique_ptr<ForgetfulEngine> backup = world_.Engine().AfterCrash();
  ASSERT_THAT(Compact(world_), IsOk());
  world_.Close();
  World restored(std::move(backup));
  restored.Options() = world_.Options();
  restored.Options().recovered = {};
  restored.Options().folder = world_.Folder();
  restored.Open();
  ExpectKept(restored);
  EXPECT_THAT(restored.Blobs().Verify({}, {}), IsOk());
}

TEST_F(CompactionTest, AnEmptiedPackThatComesBackIsNotReadAgain) {
  RemoveMost();
  const auto base = world_.AfterCrash();
  bool finished = false;
  for (int passed = 0; !finished; ++passed) {
    SCOPED_TRACE(::testing::Message() << passed << " syncs of folders pass");
    const auto running = base->AfterCrash();
    running->Open();
    std::vector<std::pair<fs::path, std::string>> files;
    for (const fs::path& file : running->PackFiles()) {
      files.emplace_back(file, ReadFile(file));
    }
    running->GetDisk().FailFolderSyncs({.number = EIO, .after = passed});
    finished = Compact(*running).has_value();
    // Packs are emptied in the order of their numbers. That the last was removed is not durable.
    std::optional<std::pair<fs::path, std::string>> last;
    for (const auto& file : files) {
      last = fs::exists(file.first) ? last : file;
    }
    if (!finished && last) {
      WriteFile(last->first, last->second);
    }
    const auto after = running->AfterCrash();
    after->Open();
    ExpectKept(*after);
    ASSERT_FALSE(HasFailure());
  }
}

}  // namespace
}  // namespace atrium::blobs
