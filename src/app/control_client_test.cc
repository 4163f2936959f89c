// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/control_client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "app/api_exchange.h"
#include "base/error.h"
#include "base/result.h"
#include "base/testing.h"

namespace atrium::app {
namespace {

std::string Reply(const std::string& status, const std::string& body) {
  return "HTTP/1.1 " + status + "\r\nDate: now\r\nContent-Length: " + std::to_string(body.size()) +
         "\r\nConnection: close\r\n\r\n" + body;
}

/// The body of a reply, or the error it tells of.
Result<std::string> ReadControlReply(const std::string& text) {
  ASSIGN_OR_RETURN(ApiReply reply, ReadApiReply(text));
  ASSIGN_OR_RETURN(const ApiReply judged, Judge(std::move(reply)));
  return judged.body;
}

TEST(ControlClientTest, TheBodyOfASuccessIsTheAnswer) {
  EXPECT_THAT(ReadControlReply(Reply("200 OK", "{}\n")), Holds("{}\n"));
}

TEST(ControlClientTest, AProblemBecomesTheErrorItWas) {
  const std::string problem =
      R"({"type":"about:blank","title":"Conflict","status":412,"code":"conflict",)"
      R"("detail":"a backup is being made already","request_id":"1"})";
  EXPECT_THAT(ReadControlReply(Reply("412 Precondition Failed", problem)),
              FailsSaying(ErrorCode::kConflict, "a backup is being made already"));
}

TEST(ControlClientTest, AProblemWithoutDetailSaysItsTitle) {
  EXPECT_THAT(ReadControlReply(Reply("500 Oh", R"({"title":"Oh","code":"corrupt"})")),
              FailsSaying(ErrorCode::kCorrupt, "Oh"));
}

TEST(ControlClientTest, WhatIsNoAnswerIsAServerThatWentAway) {
  const std::string whole = Reply("200 OK", "{}");
  for (std::size_t length = 0; length < whole.size(); ++length) {
    EXPECT_THAT(ReadControlReply(whole.substr(0, length)), FailsWith(ErrorCode::kUnavailable));
  }
  EXPECT_THAT(ReadControlReply(Reply("500 Oh", "<html>")), FailsWith(ErrorCode::kUnavailable));
}

TEST(ControlClientTest, EveryCodeIsFoundByItsName) {
  for (const ErrorCode code : {ErrorCode::kInvalidArgument, ErrorCode::kNotFound,
                               ErrorCode::kOutcomeUnknown, ErrorCode::kInternal}) {
    EXPECT_EQ(CodeNamed(Name(code)), code);
  }
  EXPECT_EQ(CodeNamed("of_a_later_release"), ErrorCode::kInternal);
}

}  // namespace
}  // namespace atrium::app
