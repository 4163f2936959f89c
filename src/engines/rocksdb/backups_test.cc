// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "engines/rocksdb/backups.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "engines/rocksdb/engine_testing.h"
#include "store/op_context_testing.h"

namespace atrium::rocks {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class BackupsTest : public EngineTest {
 protected:
  std::string Backups() const { return folder_.At("backups"); }

  Result<std::unique_ptr<RocksEngine>> OpenIn(const std::string& path) {
    RocksOptions options = Options();
    options.path = path;
    return RocksEngine::Open(options, clock_);
  }
  std::vector<std::uint32_t> Numbers() const {
    std::vector<std::uint32_t> numbers;
    const auto backups = ListBackups(Backups());
    EXPECT_THAT(backups, IsOk());
    for (const Backup& backup : backups.value_or(std::vector<Backup>())) {
      numbers.push_back(backup.number);
    }
    return numbers;
  }
  std::size_t TableFiles() const {
    std::size_t count = 0;
    for (const auto& entry : fs::recursive_directory_iterator(Backups())) {
      count += entry.path().extension() == ".sst" ? 1 : 0;
    }
    return count;
  }
};

TEST_F(BackupsTest, ABackupIsRestoredAsOfItsMoment) {
  ASSERT_THAT(Put({"p", "a"}, "1"), IsOk());
  const auto first = engine_->MakeBackup(Backups(), {});
  ASSERT_THAT(first, IsOk());
  EXPECT_GT(first->bytes, 0U);
  ASSERT_THAT(Put({"p", "a"}, "2"), IsOk());
  ASSERT_THAT(engine_->MakeBackup(Backups(), {}), IsOk());

  const std::string old = folder_.At("old");
  ASSERT_THAT(RestoreBackup({.from = Backups(), .number = first->number, .to = old}), IsOk());
  const auto restored = OpenIn(old);
  ASSERT_THAT(restored, IsOk());
  EXPECT_EQ(DocumentIn(**restored, {"p", "a"}), "1");

  const std::string latest = folder_.At("latest");
  fs::create_directory(latest);
  ASSERT_THAT(RestoreBackup({.from = Backups(), .to = latest}), IsOk());
  const auto newest = OpenIn(latest);
  ASSERT_THAT(newest, IsOk());
  EXPECT_EQ(DocumentIn(**newest, {"p", "a"}), "2");
}

TEST_F(BackupsTest, ARestoredStoreGivesHigherVersionsThanItHas) {
  const auto receipt = Put({"p", "a"}, "1");
  ASSERT_THAT(receipt, IsOk());
  ASSERT_THAT(engine_->MakeBackup(Backups(), {}), IsOk());
  ASSERT_THAT(RestoreBackup({.from = Backups(), .to = folder_.At("restored")}), IsOk());
  clock_.Set(kStart - std::chrono::hours(24));
  auto restored = OpenIn(folder_.At("restored"));
  ASSERT_THAT(restored, IsOk());
  engine_ = *std::move(restored);
  const auto next = Put({"p", "a"}, "2");
  ASSERT_THAT(next, IsOk());
  EXPECT_GT(next->version, receipt->version);
}

TEST_F(BackupsTest, TableFilesOfAnEarlierBackupAreNotCopiedAgain) {
  ASSERT_THAT(Put({"p", "a"}, std::string(50'000, 'x')), IsOk());
  ASSERT_THAT(engine_->MakeBackup(Backups(), {}), IsOk());
  EXPECT_EQ(TableFiles(), 1U);
  ASSERT_THAT(Put({"p", "b"}, "1"), IsOk());
  ASSERT_THAT(engine_->MakeBackup(Backups(), {}), IsOk());
  EXPECT_EQ(TableFiles(), 2U);
}

TEST_F(BackupsTest, OldBackupsAreErasedAndTheRestStaysWhole) {
  for (int i = 0; i < 3; ++i) {
    ASSERT_THAT(Put({"p", std::to_string(i)}, "1"), IsOk());
    ASSERT_THAT(engine_->MakeBackup(Backups(), {}), IsOk());
  }
  EXPECT_THAT(Numbers(), ElementsAre(1U, 2U, 3U));
  ASSERT_THAT(PruneBackups(Backups(), 1), IsOk());
  EXPECT_THAT(Numbers(), ElementsAre(3U));
  EXPECT_THAT(VerifyBackup(Backups(), 3), IsOk());
}

TEST_F(BackupsTest, VerifyFindsAByteThatChanged) {
  ASSERT_THAT(Put({"p", "a"}, std::string(50'000, 'x')), IsOk());
  const auto backup = engine_->MakeBackup(Backups(), {});
  ASSERT_THAT(backup, IsOk());
  for (const auto& entry : fs::recursive_directory_iterator(Backups())) {
    if (entry.path().extension() == ".sst") {
      std::fstream file(entry.path(), std::ios::in | std::ios::out | std::ios::binary);
      file.seekp(20);
      file.put('!');
    }
  }
  EXPECT_THAT(VerifyBackup(Backups(), backup->number), FailsWith(ErrorCode::kCorrupt));
}

TEST_F(BackupsTest, ATargetThatIsNotEmptyIsRefused) {
  ASSERT_THAT(engine_->MakeBackup(Backups(), {}), IsOk());
  EXPECT_THAT(RestoreBackup({.from = Backups(), .to = Options().path}),
              FailsSaying(ErrorCode::kAlreadyExists, "is not empty"));
}

TEST_F(BackupsTest, ABackupThatIsNotThereIsNotFound) {
  EXPECT_THAT(Numbers(), IsEmpty());
  EXPECT_THAT(RestoreBackup({.from = Backups(), .to = folder_.At("new")}),
              FailsWith(ErrorCode::kNotFound));
  ASSERT_THAT(engine_->MakeBackup(Backups(), {}), IsOk());
  EXPECT_THAT(RestoreBackup({.from = Backups(), .number = 9, .to = folder_.At("new")}),
              FailsSaying(ErrorCode::kNotFound, "no backup 9"));
  EXPECT_THAT(VerifyBackup(Backups(), 9), FailsWith(ErrorCode::kNotFound));
  EXPECT_FALSE(fs::exists(folder_.At("new")));
}

TEST_F(BackupsTest, ProgressEndsWithEverything) {
  ASSERT_THAT(Put({"p", "a"}, std::string(50'000, 'x')), IsOk());
  std::uint64_t last = 0;
  std::uint64_t of = 0;
  const Progress progress = [&](std::uint64_t done, std::uint64_t total) {
    EXPECT_GE(done, last);
    last = done;
    of = total;
  };
  ASSERT_THAT(engine_->MakeBackup(Backups(), progress), IsOk());
  EXPECT_GT(of, 0U);
  EXPECT_EQ(last, of);
  last = 0;
  ASSERT_THAT(engine_->Compact({}), IsOk());
  ASSERT_THAT(engine_->Compact(progress), IsOk());
  EXPECT_EQ(last, of);
}

TEST_F(BackupsTest, ACheckpointIsAStoreOfItsMoment) {
  ASSERT_THAT(Put({"p", "a"}, "1"), IsOk());
  const std::string copy = folder_.At("copy");
  ASSERT_THAT(engine_->Checkpoint(copy), IsOk());
  ASSERT_THAT(Put({"p", "a"}, "2"), IsOk());
  EXPECT_THAT(engine_->Checkpoint(copy), FailsWith(ErrorCode::kAlreadyExists));
  RocksOptions options = Options();
  options.path = copy;
  const auto opened = RocksEngine::OpenReadOnly(options, clock_);
  ASSERT_THAT(opened, IsOk());
  EXPECT_EQ(DocumentIn(**opened, {"p", "a"}), "1");
}

TEST_F(BackupsTest, AStoreThatIsOnlyReadIsNotWritten) {
  ASSERT_THAT(Put({"p", "a"}, "1"), IsOk());
  engine_.reset();
  auto opened = RocksEngine::OpenReadOnly(Options(), clock_);
  ASSERT_THAT(opened, IsOk());
  engine_ = *std::move(opened);
  EXPECT_EQ(DocumentAt({"p", "a"}), "1");
  EXPECT_THAT(Put({"p", "a"}, "2"), FailsSaying(ErrorCode::kUnavailable, "for reading only"));
  EXPECT_THAT(engine_->WriteImmutable(
                  store::kTestOp, kBlocks,
                  std::vector<store::ImmutableRow>{{.key = {"h", ""}, .document = "1"}}),
              FailsWith(ErrorCode::kUnavailable));
  EXPECT_THAT(engine_->Compact({}), FailsWith(ErrorCode::kUnavailable));
}

TEST_F(BackupsTest, WhereThereIsNoStoreNoneIsRead) {
  RocksOptions options = Options();
  options.path = folder_.At("nothing");
  EXPECT_THAT(RocksEngine::OpenReadOnly(options, clock_), FailsWith(ErrorCode::kNotFound));
}

}  // namespace
}  // namespace atrium::rocks
