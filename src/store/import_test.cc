// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "store/import.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/hex.h"
#include "base/result.h"
#include "base/testing.h"
#include "engines/memory/engine.h"
#include "store/export.h"
#include "store/export_testing.h"
#include "store/op_context_testing.h"
#include "store/row.h"
#include "store/schema.h"
#include "store/table.h"
#include "store/transfer.h"
#include "store/write_set.h"

namespace atrium::store {
namespace {

using export_testing::Compressed;
using export_testing::Decompressed;
using export_testing::From;
using export_testing::Into;
using export_testing::kChanges;
using export_testing::kEvents;
using export_testing::kNow;
using export_testing::kObjects;
using export_testing::RowsOf;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// Closes lines with an end that fits them.
std::string Sealed(const std::string& lines, std::uint64_t rows) {
  return lines + R"({"end":true,"rows":)" + std::to_string(rows) + R"(,"sha256":")" +
         EncodeHex(Sha256Of(lines)) + "\"}\n";
}

constexpr std::string_view kHeader =
    R"({"atrium_export":1,"created_at":"2025-11-15T22:34:00.123Z","epoch":"e1","tables":[)"
    R"({"number":120,"name":"events","kind":"guarded","group":3}]})"
    "\n";
constexpr std::string_view kRow =
    R"({"table":"events","partition":"p","sort":"s","version":5,"document":{"a":1}})"
    "\n";

class ImportTest : public ::testing::Test {
 protected:
  std::string ExportOf(Engine& engine) {
    std::string file;
    EXPECT_THAT(Export(engine, kTestOp, schema_, Into(file), {.created_at = kNow, .epoch = "e1"}),
                IsOk());
    return file;
  }

  Result<ImportReport> ImportAll(std::string_view file, const ImportOptions& options = {}) {
    return Import(target_, kTestOp, schema_, From(file), options);
  }
  Result<ImportReport> ImportLines(std::string_view lines) { return ImportAll(Compressed(lines)); }

  void FillSource();
  void ExpectEqualStores();

  FixedClock clock_{kNow};
  engines::MemoryEngine source_{clock_};
  engines::MemoryEngine target_{clock_};
  Schema schema_ = export_testing::MakeSchema();
};

void ImportTest::FillSource() {
  std::mt19937_64 random(11);
  std::vector<KeyedRow> rows;
  for (int i = 0; i < 3'000; ++i) {
    std::string noise;
    for (std::uint64_t size = random() % 40; size > 0; --size) {
      noise += static_cast<char>(random());
    }
    KeyedRow row{
        .key = {.partition = "p" + std::to_string(random() % 9), .sort = noise + std::to_string(i)},
        .row = {.document = i % 3 == 0 ? noise : "{\"i\":" + std::to_string(i) + " }",
                .version = {random() >> 1U}}};
    if (i % 5 == 0) {
      row.row.expires_at = kNow + std::chrono::milliseconds(1 + random() % 1000);
    }
    if (i % 7 == 0) {
      row.row.counters = {{.name = "a" + noise.substr(0, 5), .value = -i},
                          {.name = "b", .value = i}};
    }
    rows.push_back(std::move(row));
  }
  ASSERT_THAT(source_.Load(kTestOp, kEvents, rows), IsOk());
  ASSERT_THAT(
      source_.Load(kTestOp, kObjects, std::vector<KeyedRow>(rows.begin(), rows.begin() + 100)),
      IsOk());
  for (int i = 0; i < 5; ++i) {
    ASSERT_THAT(
        source_.Commit(kTestOp, {.mutations = {Append{
                                     .table = &kChanges, .partition = "ann", .document = "{}"}}}),
        IsOk());
  }
}

void ImportTest::ExpectEqualStores() {
  for (const Table* table : schema_.Tables()) {
    EXPECT_EQ(RowsOf(target_, *table), RowsOf(source_, *table)) << table->name;
  }
}

TEST_F(ImportTest, WhatWasExportedComesBackInEveryPart) {
  FillSource();
  const std::string file = ExportOf(source_);
  const Result<ImportReport> report = ImportAll(file);
  ASSERT_THAT(report, IsOk());
  EXPECT_EQ(report->rows, 3'106);
  EXPECT_EQ(report->file_bytes, file.size());
  EXPECT_EQ(report->created_at, kNow);
  EXPECT_EQ(report->epoch, "e1");
  ExpectEqualStores();
}

TEST_F(ImportTest, AnExportOfAnImportIsTheSameFile) {
  FillSource();
  const std::string file = ExportOf(source_);
  ASSERT_THAT(ImportAll(file), IsOk());
  EXPECT_EQ(ExportOf(target_), file);
}

TEST_F(ImportTest, ALogGoesOnCountingWhereItWas) {
  FillSource();
  ASSERT_THAT(ImportAll(ExportOf(source_)), IsOk());
  const Result<Receipt> receipt = target_.Commit(
      kTestOp, {.mutations = {Append{.table = &kChanges, .partition = "ann", .document = "{}"}}});
  ASSERT_THAT(receipt, IsOk());
  EXPECT_THAT(receipt->appended, ElementsAre(6));
}

TEST_F(ImportTest, AStoreThatIsNotEmptyIsRefused) {
  export_testing::LoadRow(target_, kObjects,
                          {.key = {.partition = "o", .sort = ""}, .row = {.document = "{}"}});
  EXPECT_THAT(ImportLines(Sealed(std::string(kHeader) + std::string(kRow), 1)),
              FailsSaying(ErrorCode::kAlreadyExists, "objects"));
  EXPECT_THAT(RowsOf(target_, kEvents), IsEmpty());
}

TEST_F(ImportTest, AStoreOfExpiredRowsIsEmpty) {
  export_testing::LoadRow(
      target_, kObjects,
      {.key = {.partition = "o", .sort = ""}, .row = {.document = "{}", .expires_at = kNow}});
  EXPECT_THAT(ImportLines(Sealed(std::string(kHeader) + std::string(kRow), 1)), IsOk());
}

TEST_F(ImportTest, AMergeReplacesEqualKeysAndKeepsTheOthers) {
  export_testing::LoadRow(target_, kEvents,
                          {.key = {.partition = "p", .sort = "s"}, .row = {.document = "old"}});
  export_testing::LoadRow(target_, kEvents,
                          {.key = {.partition = "p", .sort = "t"}, .row = {.document = "kept"}});
  ASSERT_THAT(ImportAll(Compressed(Sealed(std::string(kHeader) + std::string(kRow), 1)),
                        {.existing = OnExisting::kMerge}),
              IsOk());
  EXPECT_THAT(
      RowsOf(target_, kEvents),
      ElementsAre(::testing::Pair(Key{.partition = "p", .sort = "s"},
                                  Row{.document = R"({"a":1})", .version = {5}}),
                  ::testing::Pair(Key{.partition = "p", .sort = "t"}, Row{.document = "kept"})));
}

TEST_F(ImportTest, TablesThisProgramDoesNotKnowAreRefused) {
  for (const std::string_view table :
       {R"({"number":130,"name":"tasks","kind":"guarded","group":0})",
        R"({"number":130,"name":"events","kind":"guarded","group":0})",
        R"({"number":120,"name":"event","kind":"guarded","group":0})",
        R"({"number":120,"name":"events","kind":"derived","group":0})"}) {
    const std::string header =
        R"({"atrium_export":1,"created_at":"2025-11-15T22:34:00.123Z","epoch":"","tables":[)" +
        std::string(table) + "]}\n";
    EXPECT_THAT(ImportLines(Sealed(header, 0)),
                FailsSaying(ErrorCode::kInvalidArgument, "line 1: this program does not know"))
        << table;
  }
}

TEST_F(ImportTest, ATableMayHaveMovedToAnotherGroup) {
  EXPECT_THAT(
      ImportLines(Sealed(
          R"({"atrium_export":1,"created_at":"2025-11-15T22:34:00.123Z","epoch":"","tables":[)"
          R"({"number":120,"name":"events","kind":"guarded","group":9}]})"
          "\n",
          0)),
      IsOk());
}

TEST_F(ImportTest, ErrorsNameTheLine) {
  const std::string begin = std::string(kHeader) + std::string(kRow);
  EXPECT_THAT(ImportLines(Sealed(begin + "{\"table\":\"events\"}\n", 2)),
              FailsSaying(ErrorCode::kCorrupt, "line 3: /partition: missing"));
  EXPECT_THAT(
      ImportLines(Sealed(
          begin + R"({"table":"objects","partition":"p","sort":"","version":1,"document":1})" +
              "\n",
          2)),
      FailsSaying(ErrorCode::kCorrupt, "line 3: the first line has no table of that name"));
}

TEST_F(ImportTest, AnEndThatDoesNotFitIsCorrupt) {
  const std::string begin = std::string(kHeader) + std::string(kRow);
  EXPECT_THAT(ImportLines(Sealed(begin, 1)), IsOk());
  const ImportOptions merge{.existing = OnExisting::kMerge};
  EXPECT_THAT(ImportAll(Compressed(Sealed(begin, 2)), merge),
              FailsSaying(ErrorCode::kCorrupt, "line 3: the file should have 2 rows and has 1"));
  EXPECT_THAT(ImportAll(Compressed(begin), merge),
              FailsSaying(ErrorCode::kCorrupt, "cut short behind line 2"));
  EXPECT_THAT(ImportAll(Compressed(Sealed(begin, 1) + std::string(kRow)), merge),
              FailsSaying(ErrorCode::kCorrupt, "more behind the end"));
  std::string altered = Sealed(begin, 1);
  altered.replace(altered.find("\"a\":1"), 5, "\"a\":2");
  EXPECT_THAT(ImportAll(Compressed(altered), merge),
              FailsSaying(ErrorCode::kCorrupt, "the checksum is another one"));
}

TEST_F(ImportTest, FilesThatAreNoExportAreRefused) {
  EXPECT_THAT(ImportAll(""), FailsSaying(ErrorCode::kInvalidArgument, "empty"));
  EXPECT_THAT(ImportAll("PK\x03\x04 and more"), FailsWith(ErrorCode::kInvalidArgument));
  EXPECT_THAT(ImportLines("{\"a\":1}\n"), FailsSaying(ErrorCode::kInvalidArgument, "no export"));
  EXPECT_THAT(ImportLines("{\"atrium_export\":2}\n"),
              FailsSaying(ErrorCode::kInvalidArgument, "line 1: the export has a format"));
}

TEST_F(ImportTest, AByteThatIsChangedNeverChangesARow) {
  const std::string lines = Sealed(std::string(kHeader) + std::string(kRow), 1);
  const std::string file = Compressed(lines);
  std::size_t taken = 0;
  for (std::size_t i = 0; i < file.size(); ++i) {
    std::string altered = file;
    altered[i] = static_cast<char>(altered[i] ^ 4);
    if (!VerifyExport(schema_, From(altered))) {
      continue;
    }
    // A few bits are about how to decompress only, such as the size of the window.
    EXPECT_EQ(Decompressed(altered), lines) << i;
    ++taken;
  }
  EXPECT_LE(taken, 3);
}

TEST_F(ImportTest, AnErrorOfTheEngineNamesTheTable) {
  // An engine whose time is up loads nothing.
  const OpContext late{.deadline = clock_.Steady()};
  clock_.Advance(std::chrono::milliseconds(1));
  const std::string file = Compressed(Sealed(std::string(kHeader) + std::string(kRow), 1));
  const Result<ImportReport> report =
      Import(target_, late, schema_, From(file), {.existing = OnExisting::kMerge});
  ASSERT_THAT(report, FailsWith(ErrorCode::kDeadlineExceeded));
  EXPECT_THAT(report.error().detail, ::testing::StartsWith("load table events: "));
}

TEST_F(ImportTest, ProgressIsTold) {
  std::vector<KeyedRow> rows;
  for (int i = 0; i < 20'500; ++i) {
    rows.push_back(
        {.key = {.partition = "p", .sort = std::to_string(i)}, .row = {.document = "1"}});
  }
  ASSERT_THAT(source_.Load(kTestOp, kEvents, rows), IsOk());
  std::vector<std::pair<std::string, std::uint64_t>> told;
  const std::string file = ExportOf(source_);
  ASSERT_THAT(ImportAll(file, {.progress =
                                   [&](const TransferProgress& progress) {
                                     told.emplace_back(progress.table, progress.rows);
                                   }}),
              IsOk());
  EXPECT_THAT(told, ElementsAre(std::pair("events", 10'000), std::pair("events", 20'000),
                                std::pair("", 20'500)));
}

class ImportFileTest : public ImportTest {
 protected:
  ImportFileTest() {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "atrium-import-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
  }
  ~ImportFileTest() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path Written(std::string_view bytes) {
    std::filesystem::path path = folder_ / "store.zst";
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }

  std::filesystem::path folder_;
};

TEST_F(ImportFileTest, AFileComesBack) {
  FillSource();
  ASSERT_THAT(ImportFile(target_, kTestOp, schema_, Written(ExportOf(source_)), {}), IsOk());
  ExpectEqualStores();
}

TEST_F(ImportFileTest, ADamagedFileChangesNothing) {
  FillSource();
  std::string file = ExportOf(source_);
  file.pop_back();
  EXPECT_THAT(ImportFile(target_, kTestOp, schema_, Written(file), {}),
              FailsSaying(ErrorCode::kCorrupt, "cut short"));
  EXPECT_THAT(RowsOf(target_, kEvents), IsEmpty());
}

TEST_F(ImportFileTest, AFileThatIsNotThereIsNotFound) {
  EXPECT_THAT(ImportFile(target_, kTestOp, schema_, folder_ / "none", {}),
              FailsWith(ErrorCode::kNotFound));
}

}  // namespace
}  // namespace atrium::store
