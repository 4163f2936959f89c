// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/multipart_sink.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/bytes.h"
#include "base/testing.h"
#include "http/reply.h"

namespace atrium::http {
namespace {

std::string Render(const Form& form) {
  std::string text;
  for (const FormField& field : form.fields) {
    text += field.name + "=" + field.value + " ";
  }
  return text;
}

/// Writes down what happens to it, and where that is still to be seen when it is gone.
struct Diary {
  std::string text{};
  std::uint64_t bytes = 0;
  bool gone = false;
};

class DiaryUpload final : public FormUpload {
 public:
  explicit DiaryUpload(Diary& diary) : diary_(diary) {}
  ~DiaryUpload() override { diary_.gone = true; }

  Result<void> BeginFile(const PartHead& head, const Form& before) override {
    diary_.text +=
        "[" + Render(before) + "| " + head.name + " " + head.filename.value_or("?") + ": ";
    return {};
  }
  Result<void> Write(std::span<const std::byte> piece) override {
    if (AsChars(piece).contains("virus")) {
      return Fail(ErrorCode::kPermissionDenied, "not this one");
    }
    diary_.bytes += piece.size();
    if (diary_.bytes < 1000) {
      diary_.text += AsChars(piece);
    }
    return {};
  }
  Result<void> EndFile() override {
    diary_.text += "]";
    return {};
  }
  Result<Reply> Finish(const Form& fields) override {
    return TextReply(diary_.text + Render(fields));
  }

 private:
  Diary& diary_;
};

class MultipartSinkTest : public ::testing::Test {
 protected:
  Result<std::unique_ptr<BodySink>> Open(std::string_view type,
                                         const FormUploadLimits& limits = {}) {
    Request request;
    request.headers.Add("Content-Type", type);
    return MultipartSink::Open(request, std::make_unique<DiaryUpload>(diary_), limits);
  }

  Result<std::string> Upload(std::string_view body, const FormUploadLimits& limits = {}) {
    ASSIGN_OR_RETURN(const std::unique_ptr<BodySink> sink,
                     Open("multipart/form-data; boundary=b0", limits));
    for (; !body.empty(); body.remove_prefix(std::min(body.size(), portion_))) {
      RETURN_IF_ERROR(sink->Write(AsBytes(body.substr(0, portion_))));
    }
    ASSIGN_OR_RETURN(const Reply reply, sink->Finish());
    return std::get<std::string>(reply.body);
  }

  static std::string Field(std::string_view name, std::string_view value) {
    return "--b0\r\nContent-Disposition: form-data; name=" + std::string(name) + "\r\n\r\n" +
           std::string(value) + "\r\n";
  }

  static std::string File(std::string_view filename, std::string_view bytes) {
    return Field("file; filename=\"" + std::string(filename) + "\"", bytes);
  }

  Diary diary_;
  std::size_t portion_ = 1'000'000;
};

TEST_F(MultipartSinkTest, FilesKnowTheFieldsBeforeThemAndTheEndKnowsAll) {
  const std::string body = Field("parent_dir", "/") + File("a.txt", "alpha") +
                           Field("replace", "1") + File("b.txt", "beta") + Field("last", "x") +
                           "--b0--\r\n";
  for (const std::size_t portion : {1U, 3U, 50U, 10'000U}) {
    diary_ = {};
    portion_ = portion;
    EXPECT_THAT(Upload(body), Holds(std::string("[parent_dir=/ | file a.txt: alpha]"
                                                "[parent_dir=/ replace=1 | file b.txt: beta]"
                                                "parent_dir=/ replace=1 last=x ")));
  }
}

TEST_F(MultipartSinkTest, OtherBodiesAreNotOpened) {
  for (const char* type :
       {"", "application/json", "multipart/form-data", "multipart/mixed; boundary=b"}) {
    EXPECT_THAT(Open(type), FailsWith(ErrorCode::kInvalidArgument)) << type;
    EXPECT_TRUE(std::exchange(diary_.gone, false)) << type;
  }
}

TEST_F(MultipartSinkTest, AFormThatIsCutShortIsNotFinished) {
  EXPECT_THAT(Upload(File("a.txt", "alpha")), FailsWith(ErrorCode::kInvalidArgument));
  EXPECT_TRUE(diary_.gone);
}

TEST_F(MultipartSinkTest, WhatTheUploadRefusesIsHandedOn) {
  EXPECT_THAT(Upload(File("a.txt", "virus") + "--b0--"),
              FailsSaying(ErrorCode::kPermissionDenied, "not this one"));
}

TEST_F(MultipartSinkTest, FieldsAreBoundedAndFilesAreNot) {
  const FormUploadLimits limits{.parts = {}, .field_bytes_max = 10};
  EXPECT_THAT(Upload(Field("a", std::string(10, 'x')) + "--b0--", limits),
              FailsWith(ErrorCode::kLimitExceeded));
  EXPECT_THAT(Upload(File("a", std::string(100'000, 'x')) + Field("a", "x") + "--b0--", limits),
              IsOk());
  EXPECT_EQ(diary_.bytes, 100'000U);
}

TEST_F(MultipartSinkTest, PartsAreBounded) {
  const FormUploadLimits limits{.parts = {.parts_max = 2}};
  EXPECT_THAT(Upload(File("a", "") + File("b", "") + "--b0--", limits), IsOk());
  EXPECT_THAT(Upload(File("a", "") + File("b", "") + File("c", "") + "--b0--", limits),
              FailsWith(ErrorCode::kLimitExceeded));
}

}  // namespace
}  // namespace atrium::http
