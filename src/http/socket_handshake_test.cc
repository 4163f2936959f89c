// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/socket_handshake.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "http/socket.h"

namespace atrium::http {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::Pair;

class SocketHandshakeTest : public ::testing::Test {
 protected:
  /// The status of the refusal; zero when there is none.
  int Fault() const {
    Request request{.method = method_, .id = "r1"};
    for (const auto& [name, value] : headers_) {
      request.headers.Add(name, value);
    }
    const std::optional<Reply> fault = HandshakeFault(request, http_1_1_);
    return fault ? fault->status : 0;
  }

  Method method_ = Method::kGet;
  bool http_1_1_ = true;
  std::multimap<std::string, std::string> headers_{
      {"Upgrade", "websocket"},
      {"Connection", "Upgrade"},
      {"Sec-WebSocket-Version", "13"},
      {"Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="}};
};

TEST_F(SocketHandshakeTest, AHandshakeIsOne) {
  EXPECT_EQ(Fault(), 0);
}

TEST_F(SocketHandshakeTest, ListsAreLookedThroughWhateverTheirCase) {
  headers_.find("Connection")->second = "keep-alive, uPGRADE";
  headers_.find("Upgrade")->second = "h2c,WebSocket";
  EXPECT_EQ(Fault(), 0);
}

TEST_F(SocketHandshakeTest, WhatDoesNotAskForASocketIsToldToUpgrade) {
  for (const char* missing : {"Upgrade", "Connection", "Sec-WebSocket-Version"}) {
    SocketHandshakeTest::SetUp();
    const auto whole = headers_;
    headers_.erase(missing);
    EXPECT_EQ(Fault(), 426) << missing;
    headers_ = whole;
  }
  for (const Method method : {Method::kHead, Method::kPost}) {
    method_ = method;
    EXPECT_EQ(Fault(), 426);
  }
  method_ = Method::kGet;
  http_1_1_ = false;
  EXPECT_EQ(Fault(), 426);
}

TEST_F(SocketHandshakeTest, OtherVersionsAreToldWhichOneIsSpoken) {
  for (const char* version : {"8", "14", "", "13, 8", "013"}) {
    headers_.find("Sec-WebSocket-Version")->second = version;
    EXPECT_EQ(Fault(), 426) << version;
  }
  const std::optional<Reply> reply = HandshakeFault({.id = "r1"}, true);
  ASSERT_TRUE(reply.has_value());
  EXPECT_THAT(reply->headers, ::testing::Contains(Pair("Sec-WebSocket-Version", "13")));
  EXPECT_THAT(reply->headers, ::testing::Contains(Pair("Upgrade", "websocket")));
  EXPECT_THAT(reply->headers, ::testing::Contains(Pair("Connection", "Upgrade")));
}

TEST_F(SocketHandshakeTest, AKeyIsSixteenBytesOnce) {
  for (const char* key : {"", "dGhlIHNhbXBsZSBub25jZQ",
                          "dGhlIHNhbXBsZSBub25jZTE=", "short===", "not base64 but as long=="}) {
    headers_.find("Sec-WebSocket-Key")->second = key;
    EXPECT_EQ(Fault(), 400) << key;
  }
  headers_.erase("Sec-WebSocket-Key");
  EXPECT_EQ(Fault(), 400);
  headers_.emplace("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==");
  headers_.emplace("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==");
  EXPECT_EQ(Fault(), 400);
}

TEST(AcceptOfTest, IsAsInTheStandard) {
  // RFC 6455 §1.3.
  EXPECT_EQ(AcceptOf("dGhlIHNhbXBsZSBub25jZQ=="), "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
}

TEST(AppendSwitchTest, NamesTheProtocolOnlyWhenItWasOffered) {
  Request request{.id = "r1"};
  request.headers.Add("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==");
  request.headers.Add("Sec-WebSocket-Protocol", "chat.example, superchat");
  request.headers.Add("Sec-WebSocket-Protocol", "third");
  for (const char* offered : {"chat.example", "superchat", "third"}) {
    std::string out;
    AppendSwitch(out, request, offered);
    EXPECT_THAT(out, HasSubstr("Sec-WebSocket-Protocol: " + std::string(offered) + "\r\n"));
    EXPECT_TRUE(out.ends_with("X-Request-Id: r1\r\n\r\n"));
  }
  for (const char* other : {"", "Chat.example", "chat", "other"}) {
    std::string out;
    AppendSwitch(out, request, other);
    EXPECT_THAT(out, Not(HasSubstr("Sec-WebSocket-Protocol")));
    EXPECT_FALSE(OffersProtocol(request, other));
  }
}

TEST(EndForTest, SaysWhoseFaultItWas) {
  const std::vector<std::pair<ErrorCode, std::uint16_t>> rows{
      {ErrorCode::kInvalidArgument, 1008}, {ErrorCode::kPermissionDenied, 1008},
      {ErrorCode::kLimitExceeded, 1009},   {ErrorCode::kUnavailable, 1013},
      {ErrorCode::kOutcomeUnknown, 1013},  {ErrorCode::kInternal, 1011}};
  for (const auto& [code, expected] : rows) {
    EXPECT_EQ(
        EndFor({.code = code, .detail = "secret", .client_message = "said", .where = {}}).code,
        expected);
  }
  EXPECT_EQ(
      EndFor(
          {.code = ErrorCode::kNotFound, .detail = "secret", .client_message = "said", .where = {}})
          .reason,
      "said");
}

}  // namespace
}  // namespace atrium::http
