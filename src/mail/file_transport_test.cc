// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "mail/file_transport.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "base/check.h"
#include "base/error.h"
#include "base/id_source.h"
#include "base/testing.h"

namespace atrium::mail {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;

class FileTransportTest : public ::testing::Test {
 protected:
  ~FileTransportTest() override { fs::remove_all(root_); }

  std::vector<std::string> Names() const {
    std::vector<std::string> names;
    for (const fs::directory_entry& entry : fs::directory_iterator(fs::path(root_) / "new")) {
      names.push_back(entry.path().filename());
    }
    std::ranges::sort(names);
    return names;
  }

  static std::string MakeFolder() {
    std::string path = ::testing::TempDir() + "letters-XXXXXX";
    Check(mkdtemp(path.data()) != nullptr, "a temporary folder");
    return path;
  }

  const std::string root_ = MakeFolder();
  FixedIdSource ids_;
  FileTransport transport_{fs::path(root_) / "new", ids_};
};

TEST_F(FileTransportTest, EachLetterIsAFileInTheOrderOfSending) {
  ASSERT_THAT(transport_.Send({.from = "a@b", .to = "c@d"}, "one\r\n"), IsOk());
  ASSERT_THAT(transport_.Send({.from = "a@b", .to = "c@d"}, "two\r\n"), IsOk());
  ASSERT_THAT(Names(),
              ElementsAre("00000000000000000000000001.eml", "00000000000000000000000002.eml"));
  std::ifstream file(fs::path(root_) / "new" / Names()[1], std::ios::binary);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), "two\r\n");
}

TEST_F(FileTransportTest, TheFolderIsForItsOwnerAlone) {
  ASSERT_THAT(transport_.Send({}, "one"), IsOk());
  EXPECT_EQ(fs::status(fs::path(root_) / "new").permissions(), fs::perms::owner_all);
}

TEST_F(FileTransportTest, LettersAreForTheirOwnerAloneAlsoInAFolderThatWasThere) {
  fs::create_directories(fs::path(root_) / "new");
  fs::permissions(fs::path(root_) / "new", fs::perms::all);
  ASSERT_THAT(transport_.Send({}, "one"), IsOk());
  EXPECT_EQ(fs::status(fs::path(root_) / "new").permissions(), fs::perms::owner_all);
  EXPECT_EQ(fs::status(fs::path(root_) / "new" / Names().at(0)).permissions(),
            fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(FileTransportTest, AFolderThatCannotBeMadeMayComeLater) {
  std::ofstream(fs::path(root_) / "new") << "in the way";
  EXPECT_THAT(transport_.Send({}, "one"), FailsWith(ErrorCode::kUnavailable));
}

}  // namespace
}  // namespace atrium::mail
