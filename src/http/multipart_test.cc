// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/multipart.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/result.h"
#include "base/testing.h"
#include "http/multipart_head.h"

namespace atrium::http {
namespace {

/// Writes down what it is told: "<name|filename|type>data</>".
class Transcript final : public MultipartHandler {
 public:
  Result<void> OnPart(const PartHead& head) override {
    text += "<" + head.name + "|" + head.filename.value_or("-") + "|" + head.content_type + ">";
    return {};
  }
  Result<void> OnData(std::string_view bytes) override {
    EXPECT_FALSE(bytes.empty());
    text += bytes;
    return {};
  }
  Result<void> OnPartEnd() override {
    text += "</>";
    return {};
  }

  std::string text;
};

/// The transcript of the whole, or the message of the error.
Result<std::string> Read(const std::vector<std::string_view>& pieces,
                         const MultipartLimits& limits = {}) {
  Transcript transcript;
  MultipartParser parser("b0", limits, transcript);
  for (const std::string_view piece : pieces) {
    RETURN_IF_ERROR(parser.Feed(piece));
  }
  RETURN_IF_ERROR(parser.Finish());
  return transcript.text;
}

Result<std::string> Read(std::string_view body, const MultipartLimits& limits = {}) {
  return Read(std::vector{body}, limits);
}

std::string Part(std::string_view name, std::string_view value) {
  return "--b0\r\nContent-Disposition: form-data; name=" + std::string(name) + "\r\n\r\n" +
         std::string(value) + "\r\n";
}

constexpr std::string_view kEnd = "--b0--\r\n";

TEST(MultipartTest, PartsArriveInOrder) {
  const std::string body =
      Part("a", "one") +
      "--b0\r\nContent-Disposition: form-data; name=\"f\"; filename=\"x.txt\"\r\n"
      "Content-Type: text/plain\r\n\r\nline 1\r\nline 2\r\n" +
      std::string(kEnd);
  EXPECT_THAT(Read(body), Holds("<a|-|>one</><f|x.txt|text/plain>line 1\r\nline 2</>"));
}

TEST(MultipartTest, AFormMayHaveNoPartsAndPartsNoBytes) {
  EXPECT_THAT(Read("--b0--"), Holds(""));
  EXPECT_THAT(Read(Part("a", "") + "--b0--"), Holds("<a|-|></>"));
}

TEST(MultipartTest, PreambleAndEpilogueArePassedOver) {
  EXPECT_THAT(Read("not --b0 yet\r\n" + Part("a", "1") + "--b0-- more\r\n--b0\r\nrest"),
              Holds("<a|-|>1</>"));
}

TEST(MultipartTest, WhiteSpaceBehindABoundaryIsPassedOver) {
  EXPECT_THAT(Read("--b0 \t\r\nContent-Disposition: form-data; name=a\r\n\r\n1\r\n--b0--"),
              Holds("<a|-|>1</>"));
}

TEST(MultipartTest, WhatOnlyLooksLikeABoundaryIsData) {
  for (const std::string_view data :
       {"\r", "\n", "\r\n", "\r\r\n", "\r\n-", "\r\n--", "\r\n--b", "\r\n--b1", "\n--b0", "\r--b0",
        "--b0", "--b0--", "x--b0\r\n", "\r\n\r\n", "\r\n--\r\n--b", "\r\r\r", "\r\n--B0",
        "\r\n--\r\n\r\n-\r"}) {
    EXPECT_THAT(Read(Part("a", data) + std::string(kEnd)),
                Holds("<a|-|>" + std::string(data) + "</>"))
        << testing::PrintToString(data);
  }
}

/// Bodies that pass through every state, and their transcripts.
std::vector<std::pair<std::string, std::string>> TrickyBodies() {
  return {
      {"pre\r\n" + Part("a", "\r\n--b\r\n--b1\r\r\n-") + Part("b", "") + "--b0--\r\nepilogue",
       "<a|-|>\r\n--b\r\n--b1\r\r\n-</><b|-|></>"},
      {"--b0 \r\nX: y\r\nContent-Disposition: form-data; name=\"n\"; filename*=UTF-8''%C3%A4\r\n"
       "\r\n\r\r\n--b0--",
       "<n|\xC3\xA4|>\r</>"},
  };
}

TEST(MultipartTest, WhereTheBytesAreCutMakesNoDifference) {
  for (const auto& [body, transcript] : TrickyBodies()) {
    const std::string_view view = body;
    for (std::size_t first = 0; first <= view.size(); ++first) {
      for (std::size_t second = first; second <= view.size(); ++second) {
        ASSERT_THAT(
            Read({view.substr(0, first), view.substr(first, second - first), view.substr(second)}),
            Holds(transcript))
            << "cut at " << first << " and " << second;
      }
    }
  }
}

TEST(MultipartTest, BytesMayArriveOneByOne) {
  for (const auto& [body, transcript] : TrickyBodies()) {
    std::vector<std::string_view> pieces;
    pieces.reserve(body.size());
    for (std::size_t i = 0; i < body.size(); ++i) {
      pieces.push_back(std::string_view(body).substr(i, 1));
    }
    EXPECT_THAT(Read(pieces), Holds(transcript));
  }
}

TEST(MultipartTest, ABodyCutShortAnywhereIsRefused) {
  const std::string body = Part("a", "1") + "--b0--";
  for (std::size_t length = 0; length < body.size(); ++length) {
    EXPECT_THAT(Read(std::string_view(body).substr(0, length)),
                FailsSaying(ErrorCode::kInvalidArgument, "before its last boundary"))
        << length;
  }
}

TEST(MultipartTest, BrokenBodiesAreRefusedSayingWhereAndWhy) {
  EXPECT_THAT(Read("--b0x\r\n"), FailsSaying(ErrorCode::kInvalidArgument, "white space"));
  EXPECT_THAT(Read("--b0-\r\n"), FailsSaying(ErrorCode::kInvalidArgument, "white space"));
  EXPECT_THAT(Read("--b0" + std::string(100, ' ')),
              FailsSaying(ErrorCode::kInvalidArgument, "does not end its line"));
  EXPECT_THAT(Read("--b0\r\n\r\n"),
              FailsSaying(ErrorCode::kInvalidArgument, "part 1: no Content-Disposition"));
  EXPECT_THAT(Read(Part("a", "1") + "--b0\r\nX\r\n\r\n"),
              FailsSaying(ErrorCode::kInvalidArgument, "part 2: line that is not a header"));
  EXPECT_THAT(Read("--b0\r\nX: y\n\r\n\r\n"),
              FailsSaying(ErrorCode::kInvalidArgument, "part 1: line that is not a header"));
}

TEST(MultipartTest, TheLimitsAreTheLastAllowedValues) {
  const std::string two = Part("a", "") + Part("b", "") + std::string(kEnd);
  EXPECT_THAT(Read(two, {.parts_max = 2}), IsOk());
  EXPECT_THAT(Read(two, {.parts_max = 1}), FailsSaying(ErrorCode::kLimitExceeded, "1 parts"));

  const std::string head = "Content-Disposition: form-data; name=a\r\n\r\n";
  const std::string body = "--b0\r\n" + head + "\r\n--b0--";
  EXPECT_THAT(Read(body, {.head_bytes_max = head.size()}), IsOk());
  EXPECT_THAT(Read(body, {.head_bytes_max = head.size() - 1}),
              FailsSaying(ErrorCode::kLimitExceeded, "part 1: headers"));
  EXPECT_THAT(Read("--b0\r\n" + std::string(100, 'x'), {.head_bytes_max = 99}),
              FailsSaying(ErrorCode::kLimitExceeded, "part 1: headers"));
}

TEST(MultipartTest, NothingIsTakenAfterAnErrorOrTheEnd) {
  Transcript transcript;
  MultipartParser broken("b0", {}, transcript);
  EXPECT_THAT(broken.Feed("--b0x\r\n"), FailsWith(ErrorCode::kInvalidArgument));
  EXPECT_THAT(broken.Feed("--b0--"), FailsSaying(ErrorCode::kInvalidArgument, "goes on"));
  EXPECT_THAT(broken.Finish(), FailsWith(ErrorCode::kInvalidArgument));

  MultipartParser finished("b0", {}, transcript);
  EXPECT_THAT(finished.Feed("--b0--"), IsOk());
  EXPECT_THAT(finished.Finish(), IsOk());
  EXPECT_THAT(finished.Feed("x"), FailsSaying(ErrorCode::kInvalidArgument, "goes on"));
}

/// Refuses at the n-th call.
class Refusing final : public MultipartHandler {
 public:
  explicit Refusing(int calls) : calls_(calls) {}
  Result<void> OnPart(const PartHead& /*head*/) override { return Count(); }
  Result<void> OnData(std::string_view /*bytes*/) override { return Count(); }
  Result<void> OnPartEnd() override { return Count(); }

 private:
  Result<void> Count() {
    if (--calls_ == 0) {
      return Fail(ErrorCode::kUnavailable, "disk is full");
    }
    return {};
  }
  int calls_;
};

TEST(MultipartTest, AnErrorOfTheHandlerStopsTheParser) {
  const std::string body = Part("a", "1") + "--b0--";
  for (int call = 1; call <= 3; ++call) {
    Refusing handler(call);
    MultipartParser parser("b0", {}, handler);
    EXPECT_THAT(parser.Feed(body), FailsSaying(ErrorCode::kUnavailable, "disk is full")) << call;
    EXPECT_THAT(parser.Finish(), FailsWith(ErrorCode::kInvalidArgument));
  }
}

}  // namespace
}  // namespace atrium::http
