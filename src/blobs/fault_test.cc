// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/error.h"
#include "base/testing.h"
#include "blobs/blobs_testing.h"

namespace atrium::blobs {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

/// What disk and store do when they fail.
class FaultTest : public BlobsTest {
 protected:
  void ExpectReads(const std::string& bytes) {
    EXPECT_THAT(Blobs().Read({}, BlobId::Of(bytes)), Holds(bytes));
  }
  /// Nothing of it is there, now and after a crash, and it can be put when the fault is gone.
  void ExpectNothingHalf(const std::string& bytes) {
    EXPECT_FALSE(world_.Has(BlobId::Of(bytes)));
    EXPECT_EQ(world_.CountFiles("temporary"), 0U);
    {
      const auto after = world_.AfterCrash();
      after->Open();
      EXPECT_FALSE(after->Has(BlobId::Of(bytes)));
      EXPECT_THAT(after->Blobs().Read({}, BlobId::Of("before")), Holds(std::string("before")));
    }
    world_.GetDisk().Mend();
    world_.Put(bytes);
    ExpectReads(bytes);
    ExpectReads("before");
    world_.Reopen();
    ExpectReads(bytes);
    ExpectReads("before");
  }

  const std::string large_ = std::string(3000, 'L');
};

TEST_F(FaultTest, AFullDiskTellsSo) {
  for (const std::string& bytes : {std::string("hello"), large_}) {
    world_.Put("before");
    world_.GetDisk().FailWrites({.number = ENOSPC});
    EXPECT_THAT(Blobs().Put({}, bytes, {}),
                FailsSaying(ErrorCode::kUnavailable, "the disk is full"));
    ExpectNothingHalf(bytes);
  }
}

TEST_F(FaultTest, APackThatWasWrittenInPartGoesOn) {
  world_.Put("before");
  world_.GetDisk().FailWrites({.number = EIO});
  EXPECT_THAT(Blobs().Put({}, "hello", {}), FailsWith(ErrorCode::kUnavailable));
  ExpectNothingHalf("hello");
  EXPECT_THAT(world_.PackFiles(), SizeIs(1));
}

TEST_F(FaultTest, APackIsNotTrustedAfterAFailedSync) {
  world_.Put("before");
  world_.GetDisk().FailSyncs({.number = EIO});
  EXPECT_THAT(Blobs().Put({}, "hello", {}), FailsWith(ErrorCode::kUnavailable));
  EXPECT_THAT(Blobs().Put({}, "hello", {}), FailsWith(ErrorCode::kUnavailable))
      << "no new pack can be begun either";
  ExpectNothingHalf("hello");
  EXPECT_THAT(world_.PackFiles(), SizeIs(2));
}

TEST_F(FaultTest, AFileThatCannotBeSyncedIsNotThere) {
  world_.Put("before");
  world_.GetDisk().FailSyncs({.number = EIO});
  EXPECT_THAT(Blobs().Put({}, large_, {}), FailsWith(ErrorCode::kUnavailable));
  EXPECT_EQ(world_.CountFiles("files"), 0U);
  ExpectNothingHalf(large_);
}

TEST_F(FaultTest, AFileWhoseNameCannotBeSyncedIsNotThere) {
  world_.Put("before");
  world_.GetDisk().FailFolderSyncs({.number = EIO});
  EXPECT_THAT(Blobs().Put({}, large_, {}), FailsWith(ErrorCode::kUnavailable));
  ExpectNothingHalf(large_);
}

TEST_F(FaultTest, ThePackAfterAFailedSyncCannotBeNamed) {
  world_.Put("before");
  world_.GetDisk().FailSyncs({.number = EIO, .count = 1});
  EXPECT_THAT(Blobs().Put({}, "hello", {}), FailsWith(ErrorCode::kUnavailable));
  world_.GetDisk().FailFolderSyncs({.number = EIO});
  EXPECT_THAT(Blobs().Put({}, "hello", {}), FailsWith(ErrorCode::kUnavailable));
  ExpectNothingHalf("hello");
}

TEST_F(FaultTest, TheReserveIsLeftAlone) {
  world_.Close();
  world_.Options().reserve_bytes = 10'000;
  world_.Open();
  world_.GetDisk().SetFreeBytes(10'050);
  EXPECT_THAT(Blobs().Put({}, "hello", {}),
              FailsSaying(ErrorCode::kUnavailable, "the disk is full"));
  EXPECT_THAT(Blobs().Put({}, large_, {}), FailsWith(ErrorCode::kUnavailable));
  EXPECT_THAT(world_.PackFiles(), IsEmpty());
  world_.GetDisk().SetFreeBytes(std::nullopt);
  world_.Put("hello");
  world_.Put(large_);
}

TEST_F(FaultTest, EveryoneOfAGroupIsToldOfItsFailure) {
  world_.Put("before");
  world_.GetDisk().HoldSyncs();
  // The first leads and waits for its sync; the others gather behind it and are one group.
  std::vector<std::optional<Result<Pin>>> outcomes(5);
  {
    std::vector<std::jthread> threads;
    threads.emplace_back([&] { outcomes[0] = Blobs().Put({}, "leads", {}); });
    world_.GetDisk().AwaitHeldSync();
    for (std::size_t i = 1; i < outcomes.size(); ++i) {
      threads.emplace_back([&, i] { outcomes[i] = Blobs().Put({}, std::to_string(i), {}); });
    }
    world_.GetDisk().FailSyncs({.number = EIO, .count = 1});
    world_.GetDisk().LetGo();
  }
  // Whoever came into the group of the failure failed, all others are there.
  std::size_t failed = 0;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    const std::string bytes = i == 0 ? "leads" : std::to_string(i);
    failed += *outcomes[i] ? 0 : 1;
    EXPECT_EQ(world_.Has(BlobId::Of(bytes)), outcomes[i]->has_value()) << i;
  }
  EXPECT_GE(failed, 1U);
  const auto after = world_.AfterCrash();
  after->Open();
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    const std::string bytes = i == 0 ? "leads" : std::to_string(i);
    if (outcomes[i]->has_value()) {
      EXPECT_TRUE(after->Has(BlobId::Of(bytes))) << i;
    }
  }
}

TEST_F(FaultTest, AStoreThatTakesNoRowsFailsThePut) {
  world_.Put("before");
  world_.Engine().FailImmutable(ErrorCode::kUnavailable);
  EXPECT_THAT(Blobs().Put({}, "hello", {.note = "mine"}), FailsWith(ErrorCode::kUnavailable));
  EXPECT_FALSE(world_.Has(BlobId::Of("hello")));
  const std::uint64_t appended = Blobs().Statistics().appended;
  EXPECT_THAT(Blobs().Put({}, "other", {}), FailsWith(ErrorCode::kUnavailable));
  EXPECT_EQ(Blobs().Statistics().appended, appended) << "nothing is written in vain";
  world_.Engine().FailImmutable(std::nullopt);
  world_.Put("other");
  EXPECT_TRUE(world_.Has(BlobId::Of("hello"))) << "it was on the disk, and has its row now";
  ExpectReads("hello");
  EXPECT_EQ(Blobs().Statistics().count, 3U);
  world_.Reopen();
  EXPECT_EQ(Blobs().Statistics().count, 3U);
  EXPECT_THAT(world_.GetRecovered(), IsEmpty());
}

TEST_F(FaultTest, AFailedCheckpointLosesNothing) {
  world_.Put("hello", "mine");
  world_.Engine().FailCommits(ForgetfulEngine::CommitFault{});
  world_.Close();
  world_.Engine().FailCommits(std::nullopt);
  world_.Open();
  ExpectReads("hello");
  EXPECT_THAT(world_.GetRecovered(), SizeIs(1));
  EXPECT_EQ(Blobs().Statistics().count, 1U);
}

TEST_F(FaultTest, AFailedRemovalLeavesTheBlob) {
  const BlobId id = world_.Put(large_);
  world_.Engine().FailCommits(ForgetfulEngine::CommitFault{});
  EXPECT_THAT(Blobs().Remove({}, id), FailsWith(ErrorCode::kUnavailable));
  world_.Engine().FailCommits(std::nullopt);
  ExpectReads(large_);
  EXPECT_EQ(Blobs().Statistics().count, 1U);
  EXPECT_THAT(Blobs().Remove({}, id), IsOk());
}

TEST_F(FaultTest, AStoreThatCannotBeReadFailsTheOpening) {
  world_.Close();
  world_.GetDisk().FailFolderSyncs({.number = EIO});
  EXPECT_THAT(world_.TryOpen(), FailsWith(ErrorCode::kUnavailable));
  world_.GetDisk().Mend();
  EXPECT_THAT(world_.TryOpen(), IsOk());
}

}  // namespace
}  // namespace atrium::blobs
