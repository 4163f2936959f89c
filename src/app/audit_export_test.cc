// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/audit_export.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "app/api_door.h"
#include "base/error.h"
#include "base/result.h"
#include "base/testing.h"

namespace atrium::app {
namespace {

using ::testing::ElementsAre;

/// Answers one page after the other, and with an error when there are no more.
class PagedDoor final : public ApiDoor {
 public:
  explicit PagedDoor(std::vector<ApiReply> pages) : pages_(std::move(pages)) {}

  Asking As() const override { return Asking::kOperator; }

  Result<ApiReply> Ask(const ApiRequest& request) override {
    targets.push_back(request.target);
    if (targets.size() > pages_.size()) {
      return Fail(ErrorCode::kUnavailable, "gone");
    }
    return pages_[targets.size() - 1];
  }

  Result<void> Stream(const ApiRequest& /*request*/, const Receive& /*receive*/) override {
    return Fail(ErrorCode::kUnavailable, "gone");
  }

  std::vector<std::string> targets{};

 private:
  const std::vector<ApiReply> pages_;
};

class AuditExportTest : public ::testing::Test {
 protected:
  AuditExportTest() {
    std::string pattern = (std::filesystem::temp_directory_path() / "audit-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
  }
  ~AuditExportTest() override { std::filesystem::remove_all(folder_); }

  std::string File() const { return (folder_ / "log").string(); }
  std::string Content() const {
    std::ifstream file(File());
    return {std::istreambuf_iterator<char>(file), {}};
  }

  std::filesystem::path folder_;
};

TEST_F(AuditExportTest, AllPagesAreWrittenInTheirOrder) {
  PagedDoor door({{.body = "1\n", .after = "17"}, {.body = "2\n"}});
  EXPECT_THAT(ExportAudit(door, {.org = "o", .file = File()}), IsOk());
  EXPECT_EQ(Content(), "1\n2\n");
  EXPECT_THAT(door.targets,
              ElementsAre("/api/audit/export?after=0&org=o", "/api/audit/export?after=17&org=o"));
}

TEST_F(AuditExportTest, AnErrorIsToldAndWhatWasWrittenStays) {
  PagedDoor door({{.body = "1\n", .after = "17"}});
  EXPECT_THAT(ExportAudit(door, {.file = File()}), FailsWith(ErrorCode::kUnavailable));
  EXPECT_EQ(Content(), "1\n");
}

TEST_F(AuditExportTest, NoFileIsReplaced) {
  std::ofstream(File()) << "precious";
  PagedDoor door({{.body = "1\n"}});
  EXPECT_THAT(ExportAudit(door, {.file = File()}),
              FailsSaying(ErrorCode::kUnavailable, "File exists"));
  EXPECT_EQ(Content(), "precious");
  EXPECT_THAT(door.targets, ElementsAre());
}

}  // namespace
}  // namespace atrium::app
