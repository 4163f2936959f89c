// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "egress/client.h"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <cstddef>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "base/error.h"
#include "base/result.h"
#include "base/testing.h"
#include "egress/client_testing.h"
#include "egress/loopback_testing.h"
#include "egress/message.h"
#include "egress/transfer.h"

namespace atrium::egress {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::AllOf;
using ::testing::Each;
using ::testing::Eq;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::Optional;

auto IsResponse(int status, const std::string& body) {
  return AllOf(Field(&OutgoingResponse::status, status), Field(&OutgoingResponse::body, body));
}

class ClientTest : public ClientFixture {};

TEST_F(ClientTest, SendsMethodTargetHeadersAndBody) {
  LoopbackServer server(Script({Respond("200 OK")}));
  ASSERT_THAT(
      client_.Send({.method = "REPORT",
                    .url = server.Url("/a/b?c=d"),
                    .headers = {{.name = "X-One", .value = "1"}, {.name = "X-Empty", .value = ""}},
                    .secret_headers = {{.name = "X-Key", .value = "k"}},
                    .body = "hello"}),
      IsOk());
  const ReceivedRequest received = server.Requests().at(0);
  EXPECT_EQ(received.method, "REPORT");
  EXPECT_EQ(received.target, "/a/b?c=d");
  EXPECT_EQ(received.body, "hello");
  EXPECT_THAT(received.FindHeader("X-One"), Optional(Eq("1")));
  EXPECT_THAT(received.FindHeader("X-Empty"), Optional(Eq("")));
  EXPECT_THAT(received.FindHeader("X-Key"), Optional(Eq("k")));
  EXPECT_THAT(received.FindHeader("User-Agent"), Optional(Eq("Atrium")));
  EXPECT_EQ(received.FindHeader("Content-Type"), std::nullopt);
  EXPECT_EQ(received.FindHeader("Expect"), std::nullopt);
}

TEST_F(ClientTest, AnswersStatusHeadersBodyAndUrl) {
  LoopbackServer server(Script({Respond("200 OK", {{.name = "ETag", .value = "\"7\""}}, "hello")}));
  const OutgoingResponse response = client_.Send({.url = server.Url("/x")}).value();
  EXPECT_THAT(response, IsResponse(200, "hello"));
  EXPECT_THAT(response.FindHeader("etag"), Optional(Eq("\"7\"")));
  EXPECT_EQ(response.effective_url, server.Url("/x"));
}

TEST_F(ClientTest, ErrorStatusesAreResponses) {
  for (const char* status : {"404 Not Found", "500 Internal Server Error"}) {
    LoopbackServer server(Script({Respond(status, {}, "no")}));
    EXPECT_THAT(client_.Send({.url = server.Url()}), Holds(Field(&OutgoingResponse::body, "no")));
    EXPECT_EQ(server.Requests().size(), 1U);
  }
}

TEST_F(ClientTest, HeadHasNoBodyHoweverLongItSaysItIs) {
  LoopbackServer server(Script({{.bytes = "HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n"}}));
  EXPECT_THAT(client_.Send({.method = "HEAD", .url = server.Url()}), Holds(IsResponse(200, "")));
}

TEST_F(ClientTest, PostAndPutWithoutBodySayThatItIsEmpty) {
  LoopbackServer server(Script({Respond("200 OK")}));
  for (const char* method : {"POST", "PUT"}) {
    ASSERT_THAT(client_.Send({.method = method, .url = server.Url()}), IsOk());
    EXPECT_EQ(server.Requests().back().method, method);
    EXPECT_THAT(server.Requests().back().FindHeader("Content-Length"), Optional(Eq("0")));
  }
}

TEST_F(ClientTest, ReadsChunkedBodiesAndDropsTrailers) {
  LoopbackServer server(Script({{.bytes = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                                          "5\r\nhello\r\n6\r\n world\r\n0\r\nX-Late: 1\r\n\r\n"}}));
  const OutgoingResponse response = client_.Send({.url = server.Url()}).value();
  EXPECT_EQ(response.body, "hello world");
  EXPECT_EQ(response.FindHeader("X-Late"), std::nullopt);
}

TEST_F(ClientTest, InterimResponsesAreNotTheAnswer) {
  LoopbackServer server(Script({{.bytes = "HTTP/1.1 103 Early Hints\r\nX-Early: 1\r\n\r\n"
                                          "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"}}));
  const OutgoingResponse response = client_.Send({.url = server.Url()}).value();
  EXPECT_THAT(response, IsResponse(200, "ok"));
  EXPECT_EQ(response.FindHeader("X-Early"), std::nullopt);
}

TEST_F(ClientTest, RefusesUrlsItDoesNotCall) {
  EXPECT_THAT(client_.Send({.url = "file:///etc/passwd"}),
              FailsSaying(ErrorCode::kInvalidArgument, "http and https"));
  EXPECT_THAT(client_.Send({.url = "http://ann:secret@127.0.0.1/"}),
              FailsSaying(ErrorCode::kInvalidArgument, "password"));
  EXPECT_THAT(client_.Send({.method = "GE T", .url = "http://127.0.0.1/"}),
              FailsSaying(ErrorCode::kInvalidArgument, "HTTP method"));
}

TEST_F(ClientTest, BodiesMayBeAsLongAsTheLimitAndNotLonger) {
  LoopbackServer server(Script({Respond("200 OK", {}, "12345")}));
  EXPECT_THAT(client_.Send({.url = server.Url(), .response_bytes_max = 5}),
              Holds(IsResponse(200, "12345")));
  EXPECT_THAT(client_.Send({.url = server.Url(), .response_bytes_max = 4}),
              FailsSaying(ErrorCode::kLimitExceeded, "too large a body"));
}

TEST_F(ClientTest, BodiesOfUnknownLengthAreBoundedToo) {
  LoopbackServer server(Script(
      {{.bytes = "HTTP/1.1 200 OK\r\n\r\n" + std::string(100'000, 'x'), .then = Then::kHang}}));
  EXPECT_THAT(client_.Send({.url = server.Url(), .response_bytes_max = 65'536}),
              FailsSaying(ErrorCode::kLimitExceeded, "too large a body"));
}

TEST_F(ClientTest, ABodyIsHandedOverAsItComes) {
  LoopbackServer server(Script({{.bytes = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                                          "5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n"}}));
  std::string received;
  const auto response =
      client_.Send({.url = server.Url(),
                    .response_bytes_max = 1,
                    .retry = {.attempts_max = 1},
                    .receive = [&received](std::string_view piece) { received += piece; }});
  EXPECT_THAT(response, Holds(IsResponse(200, "")));
  EXPECT_EQ(received, "hello world");
}

TEST_F(ClientTest, WhatIsNoSuccessIsNotHandedOver) {
  LoopbackServer server(Script({Respond("404 Not Found", {}, "nothing")}));
  std::string received;
  const auto response =
      client_.Send({.url = server.Url(),
                    .retry = {.attempts_max = 1},
                    .receive = [&received](std::string_view piece) { received += piece; }});
  EXPECT_THAT(response, Holds(IsResponse(404, "nothing")));
  EXPECT_EQ(received, "");
}

TEST_F(ClientTest, WhatIsHandedOverAsItComesIsAskedForOnce) {
  EXPECT_THAT(client_.Send({.url = "http://127.0.0.1/", .receive = [](std::string_view) {}}),
              FailsSaying(ErrorCode::kInvalidArgument, "once"));
}

TEST_F(ClientTest, HeadersAreBounded) {
  std::string bytes = "HTTP/1.1 200 OK\r\n";
  while (bytes.size() <= kHeaderBytesMax) {
    bytes += "X-Filler: " + std::string(1000, 'x') + "\r\n";
  }
  LoopbackServer server(Script({{.bytes = bytes + "\r\n", .then = Then::kHang}}));
  EXPECT_THAT(client_.Send({.url = server.Url()}),
              FailsSaying(ErrorCode::kLimitExceeded, "too many headers"));
}

TEST_F(ClientTest, SilenceEndsAtTheDeadline) {
  LoopbackServer server(Script({{.bytes = "", .then = Then::kHang}}));
  EXPECT_THAT(client_.Send({.url = server.Url(), .timeout = milliseconds(100)}),
              FailsSaying(ErrorCode::kDeadlineExceeded, "in time"));
  EXPECT_EQ(server.Requests().size(), 1U);
}

TEST_F(ClientTest, ABodyThatStopsComingEndsAtTheDeadline) {
  LoopbackServer server(Script(
      {{.bytes = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello", .then = Then::kHang}}));
  EXPECT_THAT(client_.Send({.url = server.Url(), .timeout = milliseconds(100)}),
              FailsWith(ErrorCode::kDeadlineExceeded));
}

TEST_F(ClientTest, AConnectionThatIsNotAcceptedInTimeIsUnavailable) {
  // A listener whose queue is full lets connections wait.
  const int listener = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  socklen_t length = sizeof address;
  ASSERT_EQ(bind(listener, generic, length), 0);
  ASSERT_EQ(listen(listener, 0), 0);
  ASSERT_EQ(getsockname(listener, generic, &length), 0);
  std::vector<int> fillers;
  for (int i = 0; i < 4; ++i) {
    fillers.push_back(socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0));
    (void)connect(fillers.back(), generic, length);
  }
  EXPECT_THAT(client_.Send({.url = "http://127.0.0.1:" + std::to_string(ntohs(address.sin_port)),
                            .connect_timeout = milliseconds(100),
                            .retry = {.attempts_max = 1}}),
              FailsSaying(ErrorCode::kUnavailable, "accept the connection in time"));
  for (const int filler : fillers) {
    close(filler);
  }
  close(listener);
}

TEST_F(ClientTest, AnswersThatAreNotHttpAreUnavailable) {
  LoopbackServer server(Script({{.bytes = "SSH-2.0-OpenSSH\r\n", .then = Then::kClose}}));
  EXPECT_THAT(client_.Send({.url = server.Url()}), FailsWith(ErrorCode::kUnavailable));
}

TEST_F(ClientTest, AStoppedCallerDoesNotWait) {
  LoopbackServer server(Script({{.bytes = "", .then = Then::kHang}}));
  std::stop_source source;
  source.request_stop();
  EXPECT_THAT(client_.Send({.url = server.Url(), .stop = source.get_token()}),
              FailsSaying(ErrorCode::kUnavailable, "stopped"));
}

TEST_F(ClientTest, MessagesNameTheOriginAndNeverThePath) {
  LoopbackServer server(Script({{.bytes = "", .then = Then::kClose}}));
  const auto failed = client_.Send({.url = server.Url("/bot123:secret/send?key=secret")});
  ASSERT_THAT(failed, FailsSaying(ErrorCode::kUnavailable, "http://127.0.0.1:"));
  EXPECT_THAT(failed.error().detail, Not(HasSubstr("secret")));
  EXPECT_THAT(failed.error().client_message, Not(HasSubstr("secret")));
}

TEST_F(ClientTest, ConnectionsAreUsedAgain) {
  LoopbackServer server(Script({Respond("200 OK", {}, "ok")}));
  for (int i = 0; i < 3; ++i) {
    ASSERT_THAT(client_.Send({.url = server.Url()}), IsOk());
  }
  EXPECT_EQ(server.ConnectionCount(), 1);
}

TEST_F(ClientTest, NothingOfOneCallIsSentWithTheNext) {
  LoopbackServer server(Script({Respond("200 OK")}));
  ASSERT_THAT(client_.Send({.method = "POST",
                            .url = server.Url(),
                            .secret_headers = {{.name = "Authorization", .value = "Bearer 1"}},
                            .body = "secret"}),
              IsOk());
  ASSERT_THAT(client_.Send({.url = server.Url()}), IsOk());
  const ReceivedRequest second = server.Requests().at(1);
  EXPECT_EQ(second.method, "GET");
  EXPECT_EQ(second.body, "");
  EXPECT_EQ(second.FindHeader("Authorization"), std::nullopt);
}

TEST_F(ClientTest, ManyThreadsShareOneClient) {
  constexpr std::size_t kThreads = 6;
  constexpr std::size_t kCalls = 10;
  LoopbackServer server([](const ReceivedRequest& r) { return Respond("200 OK", {}, r.body); });
  std::vector<std::vector<std::string>> answers(kThreads);
  {
    std::vector<std::jthread> threads;
    threads.reserve(kThreads);
    for (std::size_t t = 0; t < kThreads; ++t) {
      threads.emplace_back([&, t] {
        for (std::size_t i = 0; i < kCalls; ++i) {
          auto response = client_.Send(
              {.method = "PUT", .url = server.Url(), .body = "thread " + std::to_string(t)});
          answers[t].push_back(response ? response->body : Describe(response.error()));
        }
      });
    }
  }
  for (std::size_t t = 0; t < kThreads; ++t) {
    EXPECT_EQ(answers[t].size(), kCalls);
    EXPECT_THAT(answers[t], Each("thread " + std::to_string(t)));
  }
}

}  // namespace
}  // namespace atrium::egress
