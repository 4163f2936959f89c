// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/multipart_form.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/result.h"
#include "base/testing.h"
#include "http/multipart.h"
#include "http/multipart_head.h"
#include "http/urlencoded.h"

namespace atrium::http {
namespace {

using ::testing::ElementsAre;

class Drawer final : public FileSink {
 public:
  Result<void> OnFile(const PartHead& head) override {
    text += "<" + head.filename.value_or("no file") + ">";
    return {};
  }
  Result<void> OnFileData(std::string_view bytes) override {
    if (bytes.contains("virus")) {
      return Fail(ErrorCode::kPermissionDenied, "not this one");
    }
    text += bytes;
    return {};
  }
  Result<void> OnFileEnd() override {
    text += "</>";
    return {};
  }

  std::string text;
};

class MultipartFormTest : public testing::Test {
 protected:
  static Result<void> Read(MultipartForm& form, const std::string& parts) {
    MultipartParser parser("b0", {}, form);
    RETURN_IF_ERROR(parser.Feed(parts + "--b0--"));
    return parser.Finish();
  }

  static std::string Field(std::string_view name, std::string_view value) {
    return "--b0\r\nContent-Disposition: form-data; name=" + std::string(name) + "\r\n\r\n" +
           std::string(value) + "\r\n";
  }

  static std::string File(std::string_view filename, std::string_view bytes) {
    return Field("file; filename=\"" + std::string(filename) + "\"", bytes);
  }

  Drawer files_;
};

TEST_F(MultipartFormTest, FieldsAreCollectedAndFilesHandedOn) {
  MultipartForm form(files_);
  ASSERT_THAT(Read(form, Field("a", "1") + File("x.bin", "\xFF") + Field("b", "") + File("", "") +
                             Field("a", "2")),
              IsOk());
  EXPECT_EQ(files_.text, "<x.bin>\xFF</><></>");
  EXPECT_THAT(form.Fields().fields,
              ElementsAre(FormField{.name = "a", .value = "1"}, FormField{.name = "b", .value = ""},
                          FormField{.name = "a", .value = "2"}));
}

TEST_F(MultipartFormTest, FieldsTogetherAreLimitedAndFilesAreNot) {
  const std::string parts = Field("a", "123") + File("x", "1234567890") + Field("b", "123");
  MultipartForm roomy(files_, 8);
  EXPECT_THAT(Read(roomy, parts), IsOk());
  MultipartForm tight(files_, 7);
  EXPECT_THAT(Read(tight, parts), FailsSaying(ErrorCode::kLimitExceeded, "7 bytes"));
}

TEST_F(MultipartFormTest, NamesCountToo) {
  MultipartForm form(files_, 3);
  EXPECT_THAT(Read(form, Field("four", "")), FailsWith(ErrorCode::kLimitExceeded));
}

TEST_F(MultipartFormTest, FieldsThatAreNotTextAreRefused) {
  MultipartForm form(files_);
  EXPECT_THAT(Read(form, Field("title", "\xFF")),
              FailsSaying(ErrorCode::kInvalidArgument, "field title"));
}

TEST_F(MultipartFormTest, AnErrorOfTheSinkIsHandedOn) {
  MultipartForm form(files_);
  EXPECT_THAT(Read(form, File("x", "virus")),
              FailsSaying(ErrorCode::kPermissionDenied, "not this"));
}

}  // namespace
}  // namespace atrium::http
