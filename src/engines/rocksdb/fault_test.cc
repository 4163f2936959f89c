// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>

#include "engines/rocksdb/database.h"
#include "engines/rocksdb/engine_testing.h"
#include "engines/rocksdb/fault_file_system_testing.h"
#include "engines/rocksdb/opened_engine.h"
#include "store/op_context_testing.h"

namespace atrium::rocks {
namespace {

using std::chrono::milliseconds;
using Call = FaultFileSystem::Fault::Call;

class FaultTest : public EngineTest {
 protected:
  void SetUp() override {
    auto opened = OpenOn(Options(), clock_, disk_, Access::kReadWrite);
    ASSERT_THAT(opened, IsOk());
    engine_ = *std::move(opened);
  }

  /// The engine tries again only after a while.
  void LetTimePass() { clock_.Advance(milliseconds(250)); }

  /// The document that a loss of power at this moment would leave.
  std::string DocumentAfterPowerLoss(const store::Key& key) {
    RocksOptions left = Options();
    left.path = folder_.At("left" + std::to_string(losses_++));
    disk_->CopyWithoutUnsynced(Options().path, left.path);
    const auto opened = RocksEngine::Open(left, clock_);
    EXPECT_THAT(opened, IsOk());
    return opened ? DocumentIn(**opened, key) : "";
  }

  /// One commit meets the fault, others come after it, and it ends without a restart.
  void ExpectToSurvive(const FaultFileSystem::Fault& fault) {
    disk_->Break(fault);
    EXPECT_THAT(Put({"p", "during"}, "lost"), FailsWith(ErrorCode::kOutcomeUnknown));
    EXPECT_THAT(Put({"p", "after"}, "lost"), FailsWith(ErrorCode::kUnavailable));
    EXPECT_EQ(Figure("background_error"), 1);
    disk_->Mend();
    // Not every commit tries: it would keep all the others waiting.
    EXPECT_THAT(Put({"p", "after"}, "lost"), FailsWith(ErrorCode::kUnavailable));
    LetTimePass();
    ASSERT_THAT(Put({"p", "again"}, "kept"), IsOk());
    EXPECT_EQ(Figure("background_error"), 0);
    EXPECT_EQ(DocumentAt({"p", "after"}), "");
    EXPECT_EQ(DocumentAfterPowerLoss({"p", "again"}), "kept");
    // What is unknown may be there or not, but for good.
    EXPECT_EQ(DocumentAfterPowerLoss({"p", "during"}), DocumentAt({"p", "during"}));
  }

  /// As a disk that drops what it could not write.
  void EmptyLogs() {
    for (const auto& file : std::filesystem::directory_iterator(Options().path)) {
      if (file.path().extension() == ".log") {
        std::filesystem::resize_file(file.path(), 0);
      }
    }
  }

  std::shared_ptr<FaultFileSystem> disk_ = std::make_shared<FaultFileSystem>();
  int losses_ = 0;
};

TEST_F(FaultTest, AFailedSyncOfTheLogIsSurvived) {
  ASSERT_THAT(Put({"p", "before"}, "kept"), IsOk());
  ExpectToSurvive({.call = Call::kSync, .files = ".log"});
  Reopen();
  EXPECT_EQ(DocumentAt({"p", "before"}), "kept");
  EXPECT_EQ(DocumentAt({"p", "again"}), "kept");
}

TEST_F(FaultTest, AFailedAppendToTheLogIsSurvived) {
  ASSERT_THAT(Put({"p", "before"}, "kept"), IsOk());
  ExpectToSurvive({.call = Call::kAppend, .files = ".log"});
  Reopen();
  EXPECT_EQ(DocumentAt({"p", "before"}), "kept");
  EXPECT_EQ(DocumentAt({"p", "again"}), "kept");
}

TEST_F(FaultTest, AFaultIsSurvivedAlthoughNoRowIsInMemory) {
  ASSERT_THAT(Put({"p", "before"}, "kept"), IsOk());
  // All rows are in a table file then, and the log is new.
  ASSERT_THAT(engine_->Compact({}), IsOk());
  ExpectToSurvive({.call = Call::kSync, .files = ".log"});
  ASSERT_THAT(engine_->Compact({}), IsOk());
  ExpectToSurvive({.call = Call::kAppend, .files = ".log"});
  Reopen();
  EXPECT_EQ(DocumentAt({"p", "before"}), "kept");
}

TEST_F(FaultTest, AFaultThatComesBackIsSurvivedEachTime) {
  for (int i = 0; i < 3; ++i) {
    ExpectToSurvive({.call = Call::kSync, .files = ".log"});
    ExpectToSurvive({.call = Call::kAppend, .files = ".log"});
  }
}

TEST_F(FaultTest, WhatWasAcknowledgedBeforeAFaultIsThereAfterALossOfPower) {
  ASSERT_THAT(Put({"p", "before"}, "kept"), IsOk());
  disk_->Break({.call = Call::kSync, .files = ".log"});
  EXPECT_THAT(Put({"p", "during"}, "lost"), FailsWith(ErrorCode::kOutcomeUnknown));
  EXPECT_EQ(DocumentAfterPowerLoss({"p", "before"}), "kept");
  disk_->Mend();
}

TEST_F(FaultTest, NothingIsAcknowledgedUntilTheNewLogAndTheTableFileAreThere) {
  ASSERT_THAT(Put({"p", "before"}, "kept"), IsOk());
  disk_->Break({.call = Call::kSync, .files = ".log"});
  EXPECT_THAT(Put({"p", "during"}, "lost"), FailsWith(ErrorCode::kOutcomeUnknown));
  // The log works again, but what is in memory cannot be written out.
  disk_->Break({.call = Call::kAppend, .files = ".sst"});
  for (int i = 0; i < 3; ++i) {
    LetTimePass();
    EXPECT_THAT(Put({"p", "after"}, "lost"), FailsWith(ErrorCode::kUnavailable));
  }
  disk_->Mend();
  LetTimePass();
  EXPECT_THAT(Put({"p", "again"}, "kept"), IsOk());
  EXPECT_EQ(DocumentAt({"p", "before"}), "kept");
}

TEST_F(FaultTest, ADiskThatFillsUpDuringAWriteIsSurvived) {
  ExpectToSurvive(
      {.call = Call::kAppend, .files = ".log", .status = rocksdb::IOStatus::NoSpace("injected")});
}

TEST_F(FaultTest, AFailureBehindTheScenesStopsCommitsUntilItIsGone) {
  ASSERT_THAT(Put({"p", "before"}, "kept"), IsOk());
  disk_->Break({.call = Call::kSync, .files = ".sst"});
  EXPECT_THAT(engine_->Compact({}), FailsWith(ErrorCode::kUnavailable));
  EXPECT_THAT(Put({"p", "after"}, "lost"), FailsWith(ErrorCode::kUnavailable));
  EXPECT_EQ(DocumentAt({"p", "before"}), "kept");
  disk_->Mend();
  LetTimePass();
  EXPECT_THAT(Put({"p", "again"}, "kept"), IsOk());
  EXPECT_THAT(engine_->Compact({}), IsOk());
}

TEST_F(FaultTest, AFailedManifestIsSurvived) {
  ASSERT_THAT(Put({"p", "before"}, "kept"), IsOk());
  disk_->Break({.call = Call::kSync, .files = "MANIFEST"});
  EXPECT_THAT(engine_->Compact({}), FailsWith(ErrorCode::kUnavailable));
  EXPECT_THAT(Put({"p", "after"}, "lost"), FailsWith(ErrorCode::kUnavailable));
  disk_->Mend();
  LetTimePass();
  EXPECT_THAT(Put({"p", "again"}, "kept"), IsOk());
  Reopen();
  EXPECT_EQ(DocumentAt({"p", "before"}), "kept");
  EXPECT_EQ(DocumentAt({"p", "again"}), "kept");
}

TEST_F(FaultTest, AFullDiskIsRefusedBeforeAnythingIsWritten) {
  const auto reserve = static_cast<std::uint64_t>(Options().disk_reserve_bytes);
  LetTimePass();
  disk_->SetFreeSpace(reserve - 1);
  EXPECT_THAT(Put({"p", "a"}, "1"), FailsSaying(ErrorCode::kUnavailable, "the disk is full"));
  EXPECT_THAT(Get({"p", "a"}), Holds(std::nullopt));
  disk_->SetFreeSpace(reserve);
  LetTimePass();
  EXPECT_THAT(Put({"p", "a"}, "1"), IsOk());
}

TEST_F(FaultTest, VersionsGrowOverAFault) {
  const auto before = Put({"p", "a"}, "1");
  ASSERT_THAT(before, IsOk());
  clock_.Set(kStart - std::chrono::hours(1));
  disk_->Break({.call = Call::kSync, .files = ".log"});
  EXPECT_THAT(Put({"p", "a"}, "2"), FailsWith(ErrorCode::kOutcomeUnknown));
  disk_->Mend();
  LetTimePass();
  const auto after = Put({"p", "a"}, "3");
  ASSERT_THAT(after, IsOk());
  EXPECT_GT(after->version, before->version);
  Reopen();
  const auto reopened = Put({"p", "a"}, "4");
  ASSERT_THAT(reopened, IsOk());
  EXPECT_GT(reopened->version, after->version);
}

TEST_F(FaultTest, AnAcknowledgedCommitOutlivesALossOfPower) {
  ASSERT_THAT(Put({"p", "a"}, "1"), IsOk());
  EXPECT_EQ(DocumentAfterPowerLoss({"p", "a"}), "1");
}

TEST_F(FaultTest, ImmutableRowsAreDurableWithTheNextCommit) {
  const std::vector<store::ImmutableRow> rows = {{.key = {"h", ""}, .document = "block"}};
  ASSERT_THAT(engine_->WriteImmutable(store::kTestOp, kThings, rows), IsOk());
  EXPECT_EQ(DocumentAfterPowerLoss({"h", ""}), "");
  ASSERT_THAT(Put({"p", "a"}, "1"), IsOk());
  EXPECT_EQ(DocumentAfterPowerLoss({"h", ""}), "block");
}

TEST_F(FaultTest, ARelaxedStoreThatWentBackIsNotUsedUntilItIsStartedAgain) {
  engine_.reset();
  RocksOptions relaxed = Options();
  relaxed.durability = Durability::kRelaxed;
  auto opened = OpenOn(relaxed, clock_, disk_, Access::kReadWrite);
  ASSERT_THAT(opened, IsOk());
  engine_ = *std::move(opened);
  ASSERT_THAT(Put({"p", "told"}, "1"), IsOk());
  disk_->Break({.call = Call::kAppend, .files = ".log"});
  EXPECT_THAT(Put({"p", "during"}, "1"), FailsWith(ErrorCode::kOutcomeUnknown));
  EmptyLogs();
  disk_->Mend();
  for (int attempt = 0; attempt < 2; ++attempt) {
    LetTimePass();
    EXPECT_THAT(Put({"p", "after"}, "1"), FailsWith(ErrorCode::kCorrupt));
    EXPECT_THAT(Get({"p", "told"}), FailsWith(ErrorCode::kUnavailable));
  }
  engine_.reset();
  opened = OpenOn(relaxed, clock_, disk_, Access::kReadWrite);
  ASSERT_THAT(opened, IsOk());
  EXPECT_TRUE((*opened)->MayHaveGoneBack());
}

TEST_F(FaultTest, RelaxedCommitsAreDurableOnceTheStoreIsClosed) {
  engine_.reset();
  RocksOptions relaxed = Options();
  relaxed.durability = Durability::kRelaxed;
  auto opened = OpenOn(relaxed, clock_, disk_, Access::kReadWrite);
  ASSERT_THAT(opened, IsOk());
  engine_ = *std::move(opened);
  ASSERT_THAT(Put({"p", "a"}, "1"), IsOk());
  EXPECT_EQ(Figure("syncs_total"), 0);
  EXPECT_EQ(DocumentAt({"p", "a"}), "1");
  engine_.reset();
  EXPECT_EQ(DocumentAfterPowerLoss({"p", "a"}), "1");
}

}  // namespace
}  // namespace atrium::rocks
