// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/api_exchange.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/error.h"
#include "base/testing.h"

namespace atrium::app {
namespace {

TEST(ApiExchangeTest, AReplyIsReadWithItsStatusAndWhereToGoOn) {
  const auto reply = ReadApiReply(
      "HTTP/1.1 201 Created\r\nContent-Length: 2\r\natrium-after: 17\r\nConnection: close\r\n\r\n"
      "{}");
  ASSERT_THAT(reply, IsOk());
  EXPECT_EQ(reply->status, 201);
  EXPECT_EQ(reply->body, "{}");
  EXPECT_EQ(reply->after, "17");
}

TEST(ApiExchangeTest, AReplyWithoutABodyIsWhole) {
  const auto reply = ReadApiReply("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n");
  ASSERT_THAT(reply, IsOk());
  EXPECT_EQ(reply->status, 204);
  EXPECT_EQ(reply->body, "");
}

TEST(ApiExchangeTest, PiecesArePutTogether) {
  const auto reply = ReadApiReply(
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n4\r\n two\r\n0\r\n\r\n");
  ASSERT_THAT(reply, IsOk());
  EXPECT_EQ(reply->body, "one two");
}

TEST(ApiExchangeTest, WhatIsNoAnswerIsAServerThatWentAway) {
  const std::string whole = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}";
  for (std::size_t length = 0; length < whole.size(); ++length) {
    EXPECT_THAT(ReadApiReply(whole.substr(0, length)), FailsWith(ErrorCode::kUnavailable));
  }
  EXPECT_THAT(ReadApiReply("220 mail.example.org\r\n\r\n"), FailsWith(ErrorCode::kUnavailable));
}

TEST(ApiExchangeTest, AProblemBecomesTheErrorItWas) {
  EXPECT_THAT(
      Judge({.status = 409,
             .body =
                 R"({"title":"Conflict","code":"already_exists","detail":"taken","status":409})"}),
      FailsSaying(ErrorCode::kAlreadyExists, "taken"));
  EXPECT_THAT(Judge({.status = 404, .body = R"({"title":"Not Found","code":"not_found"})"}),
              FailsSaying(ErrorCode::kNotFound, "Not Found"));
}

TEST(ApiExchangeTest, OtherServersAreNotUnderstood) {
  EXPECT_THAT(Judge({.status = 301, .body = "<html>"}),
              FailsSaying(ErrorCode::kUnavailable, "301"));
  EXPECT_THAT(Judge({.status = 500, .body = "{}"}), FailsSaying(ErrorCode::kUnavailable, "500"));
}

}  // namespace
}  // namespace atrium::app
