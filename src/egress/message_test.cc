// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "egress/message.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "base/error.h"
#include "base/testing.h"

namespace atrium::egress {
namespace {

using ::testing::Eq;
using ::testing::Optional;

OutgoingRequest WithHeader(const std::string& name, const std::string& value) {
  return {.url = "http://a.example/", .headers = {{.name = name, .value = value}}};
}

TEST(OutgoingResponseTest, FindsHeadersInAnyCase) {
  const OutgoingResponse response{.status = 200,
                                  .headers = {{.name = "content-TYPE", .value = "text/plain"},
                                              {.name = "Content-Type", .value = "second"}}};
  EXPECT_THAT(response.FindHeader("Content-Type"), Optional(Eq("text/plain")));
  EXPECT_EQ(response.FindHeader("Content-Typ"), std::nullopt);
}

TEST(OutgoingRequestTest, AcceptsOrdinaryRequests) {
  EXPECT_THAT(Validate(WithHeader("X-Name", "caf\xC3\xA9\tand more")), IsOk());
  EXPECT_THAT(Validate({.method = "PROPFIND", .url = "http://a.example/"}), IsOk());
}

TEST(OutgoingRequestTest, RefusesMethodsThatAreNoToken) {
  for (const char* method : {"", "GE T", "GET\r\nX: y", "G/T"}) {
    EXPECT_THAT(Validate({.method = method, .url = "http://a.example/"}),
                FailsSaying(ErrorCode::kInvalidArgument, "HTTP method"))
        << method;
  }
}

TEST(OutgoingRequestTest, RefusesHeadersThatWouldSmuggleOthers) {
  EXPECT_THAT(Validate(WithHeader("X: y\r\nZ", "1")),
              FailsSaying(ErrorCode::kInvalidArgument, "header name"));
  EXPECT_THAT(Validate(WithHeader("X", "1\r\nZ: 2")),
              FailsSaying(ErrorCode::kInvalidArgument, "control characters"));
  EXPECT_THAT(Validate(WithHeader("X", std::string("1\0", 2))),
              FailsSaying(ErrorCode::kInvalidArgument, "control characters"));
}

TEST(OutgoingRequestTest, RefusesHeadersThatFrameTheMessage) {
  for (const char* name : {"Host", "content-length", "Transfer-Encoding", "CONNECTION"}) {
    EXPECT_THAT(Validate(WithHeader(name, "1")),
                FailsSaying(ErrorCode::kInvalidArgument, "client itself"))
        << name;
  }
}

TEST(OutgoingRequestTest, SecretHeadersAreJudgedLikeTheOthers) {
  EXPECT_THAT(
      Validate({.url = "http://a.example/", .secret_headers = {{.name = "Host", .value = "b"}}}),
      FailsSaying(ErrorCode::kInvalidArgument, "client itself"));
}

TEST(OutgoingRequestTest, RefusesCallsWithoutTimeOrAttempts) {
  using std::chrono::milliseconds;
  EXPECT_THAT(Validate({.url = "http://a.example/", .timeout = milliseconds(0)}),
              FailsSaying(ErrorCode::kInvalidArgument, "time-outs"));
  EXPECT_THAT(Validate({.url = "http://a.example/", .connect_timeout = milliseconds(-1)}),
              FailsSaying(ErrorCode::kInvalidArgument, "time-outs"));
  EXPECT_THAT(Validate({.url = "http://a.example/", .retry = {.attempts_max = 0}}),
              FailsSaying(ErrorCode::kInvalidArgument, "attempt"));
}

}  // namespace
}  // namespace atrium::egress
