// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "engines/rocksdb/zeroed_log.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>

namespace atrium::rocks {
namespace {

namespace fs = std::filesystem;

class ZeroedLogTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "zeroed-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::unique_ptr<rocksdb::FSWritableFile> Open(const std::string& name) {
    std::unique_ptr<rocksdb::FSWritableFile> file;
    EXPECT_TRUE(file_system_->NewWritableFile(folder_ / name, {}, &file, nullptr).ok());
    return file;
  }

  std::string Content(const std::string& name) const {
    std::ifstream file(folder_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  fs::path folder_;
  std::shared_ptr<rocksdb::FileSystem> file_system_ =
      WithZeroedLogs(rocksdb::FileSystem::Default());
};

TEST_F(ZeroedLogTest, ALogHasZerosBehindWhatWasAppended) {
  const auto log = Open("000001.log");
  ASSERT_TRUE(log->Append("commit", {}, nullptr).ok());
  const std::string content = Content("000001.log");
  ASSERT_GT(content.size(), 100'000U);
  EXPECT_EQ(content.substr(0, 6), "commit");
  EXPECT_EQ(content.find_first_not_of('\0', 6), std::string::npos);
}

TEST_F(ZeroedLogTest, AppendingWithinTheZerosDoesNotLengthenTheFile) {
  const auto log = Open("000001.log");
  ASSERT_TRUE(log->Append("one", {}, nullptr).ok());
  const auto before = fs::file_size(folder_ / "000001.log");
  ASSERT_TRUE(log->Append("two", {}, nullptr).ok());
  EXPECT_EQ(fs::file_size(folder_ / "000001.log"), before);
  EXPECT_EQ(Content("000001.log").substr(0, 6), "onetwo");
}

TEST_F(ZeroedLogTest, AppendingPastTheZerosKeepsEveryByte) {
  const auto log = Open("000001.log");
  std::string written;
  for (int i = 0; i < 20; ++i) {
    const std::string piece(50'000, static_cast<char>('a' + i));
    ASSERT_TRUE(log->Append(piece, {}, nullptr).ok());
    written += piece;
  }
  EXPECT_EQ(Content("000001.log").substr(0, written.size()), written);
}

TEST_F(ZeroedLogTest, AClosedLogEndsWithItsLastByte) {
  const auto log = Open("000001.log");
  ASSERT_TRUE(log->Append("commit", {}, nullptr).ok());
  ASSERT_TRUE(log->Close({}, nullptr).ok());
  EXPECT_EQ(Content("000001.log"), "commit");
}

TEST_F(ZeroedLogTest, OtherFilesAreAsTheyAre) {
  for (const char* name : {"000001.sst", "probe.log", ".log"}) {
    const auto file = Open(name);
    ASSERT_TRUE(file->Append("bytes", {}, nullptr).ok());
    EXPECT_EQ(Content(name), "bytes") << name;
  }
}

}  // namespace
}  // namespace atrium::rocks
