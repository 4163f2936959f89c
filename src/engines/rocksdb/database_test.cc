// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "engines/rocksdb/database.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "engines/rocksdb/engine_testing.h"
#include "store/op_context_testing.h"

namespace atrium::rocks {
namespace {

class DatabaseTest : public EngineTest {
 protected:
  void SetUp() override {}

  /// Writes into the folder of the store with RocksDB alone.
  void WritePlainly(std::string_view key, const std::string& value) {
    rocksdb::Options options;
    options.create_if_missing = true;
    rocksdb::DB* opened = nullptr;
    ASSERT_TRUE(rocksdb::DB::Open(options, Options().path, &opened).ok());
    const std::unique_ptr<rocksdb::DB> db(opened);
    ASSERT_TRUE(db->Put({}, rocksdb::Slice(key), value).ok());
  }
};

TEST_F(DatabaseTest, ALayoutOfTheFutureIsRefusedInPlainWords) {
  Open();
  engine_.reset();
  WritePlainly(kMetadataKey, EncodeMetadata({.format = 2, .highest = {1}}));
  EXPECT_THAT(RocksEngine::Open(Options(), clock_),
              FailsSaying(ErrorCode::kCorrupt, "was written by a newer version of Atrium"));
  EXPECT_THAT(RocksEngine::OpenReadOnly(Options(), clock_),
              FailsSaying(ErrorCode::kCorrupt, "its format is 2, this one knows 1"));
}

TEST_F(DatabaseTest, ADatabaseOfSomebodyElseIsRefused) {
  WritePlainly("key", "value");
  EXPECT_THAT(RocksEngine::Open(Options(), clock_),
              FailsSaying(ErrorCode::kCorrupt, "is not a store of Atrium"));
}

TEST_F(DatabaseTest, ARowThatDoesNotDecodeIsCorruptAndNotAbsent) {
  Open();
  engine_.reset();
  WritePlainly(EncodeKey(kThings.number, {.partition = "p", .sort = "a"}), "junk");
  Open();
  EXPECT_THAT(Get({"p", "a"}), FailsWith(ErrorCode::kCorrupt));
  EXPECT_THAT(Put({"p", "a"}, "1"), FailsWith(ErrorCode::kCorrupt));
  EXPECT_THAT(store::CollectPage(*engine_, store::kTestOp, {.table = &kThings, .partition = "p"}),
              FailsWith(ErrorCode::kCorrupt));
  EXPECT_THAT(Put({"p", "b"}, "1"), IsOk());
}

TEST_F(DatabaseTest, RowsAreWhereTheFormatDocumentSays) {
  Open();
  ASSERT_THAT(Put({"ann", "work"}, "{}"), IsOk());
  engine_.reset();
  rocksdb::DB* opened = nullptr;
  ASSERT_TRUE(rocksdb::DB::OpenForReadOnly(rocksdb::Options(), Options().path, &opened).ok());
  const std::unique_ptr<rocksdb::DB> db(opened);
  std::string value;
  ASSERT_TRUE(
      db->Get({}, EncodeKey(kThings.number, {.partition = "ann", .sort = "work"}), &value).ok());
  EXPECT_EQ(value, EncodeValue({.version = {1'800'000'000'000'000}, .document = "{}"}));
  ASSERT_TRUE(db->Get({}, rocksdb::Slice(kMetadataKey), &value).ok());
  EXPECT_EQ(DecodeMetadata(value), (Metadata{.format = 1, .highest = {1'800'000'000'000'000}}));
}

}  // namespace
}  // namespace atrium::rocks
