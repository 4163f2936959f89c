// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "engines/rocksdb/batch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rocksdb/file_system.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engines/rocksdb/engine_testing.h"

namespace atrium::rocks {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

/// Writes one row, or erases it.
class OneRow final : public Change {
 public:
  OneRow(std::string key, std::optional<std::string> value)
      : key_(std::move(key)), value_(std::move(value)) {}

  Result<store::Receipt> Decide(Batch& batch) override {
    batch.Stage({.key = key_, .hash = HashOf(key_), .value = value_, .replaces = true});
    return store::Receipt{.version = batch.GetVersion()};
  }
  std::size_t Bytes() const override { return sizeof(OneRow); }
  Sync GetSync() const override { return Sync::kDurable; }

 private:
  const std::string key_;
  const std::optional<std::string> value_;
};

class BatchTest : public EngineTest {
 protected:
  void SetUp() override {
    auto opened =
        OpenDatabase(Options(), clock_, rocksdb::FileSystem::Default(), Access::kReadWrite);
    ASSERT_THAT(opened, IsOk());
    database_ = *std::move(opened);
    batch_.emplace(*database_, clock_);
    batch_->Begin(1);
  }

  void Admit(std::string key, std::optional<std::string> value) {
    changes_.push_back(std::make_unique<OneRow>(std::move(key), std::move(value)));
    EXPECT_THAT(batch_->Admit(*changes_.back()), IsOk());
  }
  std::vector<std::pair<std::string, std::string>> Written() const {
    std::vector<std::pair<std::string, std::string>> rows;
    for (const StagedWrite& write : batch_->Written()) {
      rows.emplace_back(write.key, write.value.value_or("erased"));
    }
    return rows;
  }

  std::unique_ptr<Database> database_;
  std::optional<Batch> batch_;
  std::vector<std::unique_ptr<Change>> changes_;
};

TEST_F(BatchTest, EachRowIsWrittenOnceAsTheLastChangeLeavesIt) {
  Admit("b", "1");
  Admit("a", "1");
  Admit("b", "2");
  Admit("c", "1");
  Admit("c", std::nullopt);
  const rocksdb::WriteBatch& rows = batch_->Close(0);
  EXPECT_THAT(Written(), ElementsAre(Pair("a", "1"), Pair("b", "2"), Pair("c", "erased")));
  // And the metadata of the store.
  EXPECT_EQ(rows.Count(), 4U);
}

TEST_F(BatchTest, ANewBatchBeginsEmpty) {
  Admit("a", "1");
  batch_->Close(0);
  batch_->Begin(2);
  EXPECT_TRUE(batch_->Empty());
  EXPECT_THAT(Written(), ElementsAre());
}

}  // namespace
}  // namespace atrium::rocks
