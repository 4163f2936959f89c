// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <string>

#include "base/error.h"
#include "base/testing.h"
#include "egress/client.h"
#include "egress/client_testing.h"
#include "egress/loopback_testing.h"
#include "egress/message.h"

namespace atrium::egress {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::IsEmpty;

ScriptedReply Busy(const std::string& retry_after) {
  return Respond("503 Service Unavailable", {{.name = "Retry-After", .value = retry_after}});
}

/// A port nobody listens on.
std::uint16_t ClosedPort() {
  const LoopbackServer server(Script({Respond("200 OK")}));
  return server.Port();
}

class ClientRetryTest : public ClientFixture {};

TEST_F(ClientRetryTest, TransientStatusesAreRetriedWithGrowingWaits) {
  LoopbackServer server(Script({Respond("502 Bad Gateway"), Respond("504 Gateway Timeout"),
                                Respond("429 Too Many Requests"), Respond("200 OK", {}, "ok")}));
  EXPECT_THAT(client_.Send({.url = server.Url(), .retry = {.attempts_max = 4}}),
              Holds(Field(&OutgoingResponse::body, "ok")));
  EXPECT_THAT(sleeper_->Waits(),
              ElementsAre(milliseconds(100), milliseconds(200), milliseconds(400)));
}

TEST_F(ClientRetryTest, TheLastAnswerIsReturnedWhenAttemptsRunOut) {
  LoopbackServer server(Script({Respond("503 Service Unavailable", {}, "busy")}));
  EXPECT_THAT(client_.Send({.url = server.Url()}), Holds(Field(&OutgoingResponse::body, "busy")));
  EXPECT_EQ(server.Requests().size(), 3U);
}

TEST_F(ClientRetryTest, RetryAfterInSecondsIsObeyed) {
  LoopbackServer server(Script({Busy("7"), Respond("200 OK")}));
  EXPECT_THAT(client_.Send({.url = server.Url()}), Holds(Field(&OutgoingResponse::status, 200)));
  EXPECT_THAT(sleeper_->Waits(), ElementsAre(milliseconds(7000)));
}

TEST_F(ClientRetryTest, RetryAfterAsADateIsObeyed) {
  LoopbackServer server(Script({Busy("Sun, 06 Nov 1994 08:49:48 GMT"), Respond("200 OK")}));
  EXPECT_THAT(client_.Send({.url = server.Url()}), Holds(Field(&OutgoingResponse::status, 200)));
  EXPECT_THAT(sleeper_->Waits(), ElementsAre(milliseconds(11'000)));
}

TEST_F(ClientRetryTest, RetryAfterDoesNotShortenTheBackOff) {
  LoopbackServer server(Script({Busy("0"), Respond("200 OK")}));
  EXPECT_THAT(client_.Send({.url = server.Url()}), IsOk());
  EXPECT_THAT(sleeper_->Waits(), ElementsAre(milliseconds(100)));
}

TEST_F(ClientRetryTest, RetryAfterBeyondTheDeadlineIsGivenUpAtOnce) {
  LoopbackServer server(Script({Busy("30"), Respond("200 OK")}));
  EXPECT_THAT(client_.Send({.url = server.Url(), .timeout = seconds(30)}),
              Holds(Field(&OutgoingResponse::status, 503)));
  EXPECT_THAT(sleeper_->Waits(), IsEmpty());
  EXPECT_EQ(server.Requests().size(), 1U);
}

TEST_F(ClientRetryTest, TheDeadlineIsForAllAttemptsTogether) {
  LoopbackServer server(Script({Busy("4")}));
  EXPECT_THAT(
      client_.Send({.url = server.Url(), .timeout = seconds(10), .retry = {.attempts_max = 9}}),
      Holds(Field(&OutgoingResponse::status, 503)));
  EXPECT_EQ(server.Requests().size(), 3U);
}

TEST_F(ClientRetryTest, RefusedConnectionsAreRetried) {
  const std::string url = "http://127.0.0.1:" + std::to_string(ClosedPort());
  EXPECT_THAT(client_.Send({.url = url}),
              FailsSaying(ErrorCode::kUnavailable, "did not accept the connection"));
  EXPECT_EQ(sleeper_->Waits().size(), 2U);
}

TEST_F(ClientRetryTest, CutConnectionsAreRetried) {
  LoopbackServer server(
      Script({{.bytes = "", .then = Then::kClose},
              {.bytes = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\ncut", .then = Then::kClose},
              Respond("200 OK", {}, "whole")}));
  EXPECT_THAT(client_.Send({.url = server.Url()}), Holds(Field(&OutgoingResponse::body, "whole")));
}

TEST_F(ClientRetryTest, UnknownHostsAreRetriedAndUnavailable) {
  EXPECT_THAT(client_.Send({.url = "http://nowhere.test/"}),
              FailsSaying(ErrorCode::kUnavailable, "was not found"));
  EXPECT_EQ(resolver_->AskedFor("nowhere.test"), 3U);
}

TEST_F(ClientRetryTest, WhatIsNotIdempotentIsSentOnce) {
  LoopbackServer server(Script({{.bytes = "", .then = Then::kClose}}));
  EXPECT_THAT(client_.Send({.method = "POST", .url = server.Url(), .body = "pay"}),
              FailsSaying(ErrorCode::kUnavailable, "broke the connection off"));
  EXPECT_EQ(server.Requests().size(), 1U);
}

TEST_F(ClientRetryTest, WhatIsNotIdempotentIsRepeatedWhenTheRequestAllowsIt) {
  LoopbackServer server(Script({Busy("1"), Respond("200 OK", {}, "paid")}));
  EXPECT_THAT(client_.Send({.method = "POST",
                            .url = server.Url(),
                            .body = "pay",
                            .retry = {.repeat = Repeat::kAllowed}}),
              Holds(Field(&OutgoingResponse::body, "paid")));
  EXPECT_EQ(server.Requests().at(1).body, "pay");
}

TEST_F(ClientRetryTest, EachRedirectHasItsOwnAttempts) {
  LoopbackServer server(
      Script({Busy("1"), Respond("302 Found", {{.name = "Location", .value = "/b"}}), Busy("1"),
              Respond("200 OK", {}, "end")}));
  EXPECT_THAT(
      client_.Send({.url = server.Url("/a"), .redirects_max = 1, .retry = {.attempts_max = 2}}),
      Holds(Field(&OutgoingResponse::body, "end")));
}

}  // namespace
}  // namespace atrium::egress
