// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "store/export.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/hex.h"
#include "base/result.h"
#include "base/testing.h"
#include "engines/memory/engine.h"
#include "store/export_lines.h"
#include "store/export_testing.h"
#include "store/import.h"
#include "store/op_context_testing.h"
#include "store/schema.h"
#include "store/transfer.h"

namespace atrium::store {
namespace {

using export_testing::Decompressed;
using export_testing::Into;
using export_testing::kEvents;
using export_testing::kNow;
using export_testing::kObjects;
using export_testing::LoadRow;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class ExportTest : public ::testing::Test {
 protected:
  Result<ExportReport> ExportAll(const ProgressSink& progress = {}) {
    file_.clear();
    return Export(engine_, kTestOp, schema_, Into(file_),
                  {.created_at = kNow, .epoch = "e1", .progress = progress});
  }

  void PutMany(int count) {
    std::vector<KeyedRow> rows;
    for (int i = 0; i < count; ++i) {
      rows.push_back({.key = {.partition = "p", .sort = std::to_string(i)},
                      .row = {.document = "{\"n\":" + std::to_string(i) + "}", .version = {1}}});
    }
    ASSERT_THAT(engine_.Load(kTestOp, kEvents, rows), IsOk());
  }

  FixedClock clock_{kNow};
  engines::MemoryEngine engine_{clock_};
  Schema schema_ = export_testing::MakeSchema();
  std::string file_;
};

TEST_F(ExportTest, AnEmptyStoreIsAHeaderAndAnEnd) {
  ASSERT_THAT(ExportAll(), IsOk());
  const std::string header =
      R"({"atrium_export":1,"created_at":"2025-11-15T22:34:00.123Z","epoch":"e1","tables":[)"
      R"({"number":120,"name":"events","kind":"guarded","group":3},)"
      R"({"number":121,"name":"changes","kind":"log","group":0},)"
      R"({"number":122,"name":"objects","kind":"immutable","group":0}]})"
      "\n";
  EXPECT_EQ(Decompressed(file_),
            header + R"({"end":true,"rows":0,"sha256":")" + EncodeHex(Sha256Of(header)) + "\"}\n");
}

TEST_F(ExportTest, RowsComeTableByTableAndAreCounted) {
  LoadRow(engine_, kObjects,
          {.key = {.partition = "o", .sort = ""}, .row = {.document = "{}", .version = {2}}});
  LoadRow(engine_, kEvents,
          {.key = {.partition = "ann", .sort = "1"}, .row = {.document = "[1]", .version = {1}}});
  const Result<ExportReport> report = ExportAll();
  ASSERT_THAT(report, IsOk());
  EXPECT_EQ(report->rows, 2);
  EXPECT_EQ(report->file_bytes, file_.size());
  const std::string text = Decompressed(file_);
  EXPECT_THAT(text,
              ::testing::HasSubstr(
                  R"({"table":"events","partition":"ann","sort":"1","version":1,"document":[1]})"
                  "\n"
                  R"({"table":"objects","partition":"o","sort":"","version":2,"document":{}})"
                  "\n"
                  R"({"end":true,"rows":2,)"));
}

TEST_F(ExportTest, ExpiredRowsAreLeftOut) {
  LoadRow(engine_, kEvents,
          {.key = {.partition = "p", .sort = "gone"},
           .row = {.document = "{}", .version = {1}, .expires_at = kNow}});
  LoadRow(
      engine_, kEvents,
      {.key = {.partition = "p", .sort = "here"},
       .row = {
           .document = "{}", .version = {1}, .expires_at = kNow + std::chrono::milliseconds(1)}});
  EXPECT_EQ(ExportAll()->rows, 1);
  EXPECT_THAT(Decompressed(file_), ::testing::HasSubstr("\"here\""));
}

TEST_F(ExportTest, ManyPagesAreOneFileWhoseProgressIsTold) {
  PutMany(25'000);
  std::vector<std::uint64_t> told;
  const Result<ExportReport> report =
      ExportAll([&](const TransferProgress& progress) { told.push_back(progress.rows); });
  ASSERT_THAT(report, IsOk());
  EXPECT_EQ(report->rows, 25'000);
  ASSERT_THAT(told, SizeIs(3));
  EXPECT_NEAR(static_cast<double>(told[0]), 10'000, 300);
  EXPECT_NEAR(static_cast<double>(told[1]), 20'000, 600);
  EXPECT_EQ(told[2], 25'000);
}

TEST_F(ExportTest, ARowTooLongForALineIsRefused) {
  KeyedRow row{.key = {.partition = "p", .sort = "s"}, .row = {.document = "{}", .version = {1}}};
  for (std::uint64_t i = 0; i < 6'000; ++i) {
    // Each byte of such a name takes three in the file.
    row.row.counters.push_back(
        {.name = std::string(60, '\xff') + std::to_string(10'000 + i), .value = 1});
  }
  LoadRow(engine_, kEvents, row);
  EXPECT_THAT(ExportAll(), FailsSaying(ErrorCode::kLimitExceeded, "events"));
}

TEST_F(ExportTest, ASinkThatFailsStopsTheExport) {
  PutMany(10);
  const ByteSink full = [](std::string_view) -> Result<void> {
    return Fail(ErrorCode::kUnavailable, "no space left");
  };
  EXPECT_THAT(Export(engine_, kTestOp, schema_, full, {.created_at = kNow}),
              FailsWith(ErrorCode::kUnavailable));
}

class ExportFileTest : public ExportTest {
 protected:
  ExportFileTest() {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "atrium-export-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
  }
  ~ExportFileTest() override { std::filesystem::remove_all(folder_); }

  Result<ExportReport> ToFile(const std::filesystem::path& path) {
    return ExportToFile(engine_, kTestOp, schema_, path, {.created_at = kNow, .epoch = "e1"});
  }

  std::vector<std::string> Names() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
      names.push_back(entry.path().filename());
    }
    return names;
  }

  std::filesystem::path folder_;
};

TEST_F(ExportFileTest, AFileIsWrittenForItsOwnerAlone) {
  PutMany(3);
  ASSERT_THAT(ToFile(folder_ / "store.zst"), IsOk());
  EXPECT_THAT(Names(), ElementsAre("store.zst"));
  EXPECT_EQ(std::filesystem::status(folder_ / "store.zst").permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  std::ifstream in(folder_ / "store.zst", std::ios::binary);
  const std::string written(std::istreambuf_iterator<char>(in), {});
  ASSERT_THAT(ExportAll(), IsOk());
  EXPECT_EQ(written, file_);
}

TEST_F(ExportFileTest, AFileThatIsThereStays) {
  std::ofstream(folder_ / "store.zst") << "mine";
  EXPECT_THAT(ToFile(folder_ / "store.zst"), FailsWith(ErrorCode::kAlreadyExists));
  EXPECT_EQ(std::filesystem::file_size(folder_ / "store.zst"), 4);
}

TEST_F(ExportFileTest, AnExportThatFailsLeavesNoFile) {
  KeyedRow row{.key = {.partition = "p", .sort = "s"}, .row = {.document = "{}", .version = {1}}};
  row.row.counters.resize(100'000, {.name = "too many of them"});
  LoadRow(engine_, kEvents, row);
  EXPECT_THAT(ToFile(folder_ / "store.zst"), FailsWith(ErrorCode::kLimitExceeded));
  EXPECT_THAT(Names(), IsEmpty());
}

TEST_F(ExportFileTest, WhatACrashLeftIsReplaced) {
  std::ofstream(folder_ / "store.zst.partial") << "half";
  ASSERT_THAT(ToFile(folder_ / "store.zst"), IsOk());
  EXPECT_THAT(Names(), ElementsAre("store.zst"));
}

TEST_F(ExportFileTest, AFolderThatIsNotThereIsNotFound) {
  EXPECT_THAT(ToFile(folder_ / "none" / "store.zst"), FailsWith(ErrorCode::kNotFound));
}

}  // namespace
}  // namespace atrium::store
