// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/request_parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace atrium::http {
namespace {

class StringTaker final : public BodyTaker {
 public:
  explicit StringTaker(std::size_t bytes_max = 1000) : bytes_max_(bytes_max) {}

  bool Take(std::string_view piece) override {
    body.append(piece);
    return body.size() <= bytes_max_;
  }

  std::string body;

 private:
  const std::size_t bytes_max_;
};

class RequestParserTest : public ::testing::Test {
 protected:
  /// Feeds in pieces of `step` bytes, as a socket would, and answers what was left over.
  std::string FeedInSteps(std::string_view text, std::size_t step) {
    std::string unread;
    while (!parser_.Done() && parser_.FirstFault() == RequestParser::Fault::kNone) {
      unread.append(text.substr(0, step));
      const bool at_end = text.empty();
      text.remove_prefix(std::min(step, text.size()));
      const std::size_t used = parser_.Feed(unread);
      unread.erase(0, used);
      if (parser_.HeadDone() && !taking_) {
        parser_.TakeBodyWith(taker_);
        taking_ = true;
      }
      if (at_end && used == 0) {
        break;
      }
    }
    return unread + std::string(text);
  }

  RequestParser::Head head_;
  RequestParser parser_{head_, {.head_bytes = 1024, .fields = 10}};
  StringTaker taker_;
  bool taking_ = false;
};

TEST_F(RequestParserTest, HeadIsReadInOnePiece) {
  EXPECT_EQ(FeedInSteps("GET /a?b=c HTTP/1.1\r\nHost: x\r\nX-A: 1\r\n\r\n", 1000), "");
  EXPECT_TRUE(parser_.Done());
  EXPECT_EQ(parser_.MethodText(), "GET");
  EXPECT_EQ(parser_.Target(), "/a?b=c");
  Headers headers;
  parser_.ListFields(headers);
  EXPECT_EQ(headers.Get("host"), "x");
  EXPECT_EQ(headers.Get("x-a"), "1");
}

TEST_F(RequestParserTest, HeadIsReadByteByByte) {
  FeedInSteps("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello", 1);
  EXPECT_TRUE(parser_.Done());
  EXPECT_EQ(parser_.Target(), "/echo");
  EXPECT_EQ(taker_.body, "hello");
}

TEST_F(RequestParserTest, NextRequestIsLeftAlone) {
  EXPECT_EQ(FeedInSteps("GET / HTTP/1.1\r\n\r\nGET /next", 1000), "GET /next");
}

TEST_F(RequestParserTest, ChunkedBodiesAreJoined) {
  const std::string_view text =
      "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n6;x=y\r\n "
      "world\r\n0\r\n\r\n";
  FeedInSteps(text, 3);
  EXPECT_TRUE(parser_.Done());
  EXPECT_EQ(taker_.body, "hello world");
}

TEST_F(RequestParserTest, LastChunkMayArriveByteByByte) {
  FeedInSteps("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n", 1);
  EXPECT_TRUE(parser_.Done());
  EXPECT_EQ(taker_.body, "x");
}

TEST_F(RequestParserTest, TrailersDoNotBecomeHeaders) {
  FeedInSteps("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX-Admin: yes\r\n\r\n",
              1000);
  EXPECT_TRUE(parser_.Done());
  Headers headers;
  parser_.ListFields(headers);
  EXPECT_EQ(headers.Count("X-Admin"), 0U);
}

TEST_F(RequestParserTest, LongHeadsAreRefusedHoweverTheyArrive) {
  const std::string text = "GET / HTTP/1.1\r\nA: " + std::string(2000, 'x') + "\r\n\r\n";
  FeedInSteps(text, 4000);
  EXPECT_EQ(parser_.FirstFault(), RequestParser::Fault::kHeadTooLarge);
}

TEST_F(RequestParserTest, ManyShortLinesAreALongHeadToo) {
  std::string text = "GET / HTTP/1.1\r\n";
  for (int i = 0; i < 9; ++i) {
    text += "A: " + std::string(150, 'x') + "\r\n";
  }
  FeedInSteps(text + "\r\n", 100);
  EXPECT_EQ(parser_.FirstFault(), RequestParser::Fault::kHeadTooLarge);
}

TEST_F(RequestParserTest, TooManyFieldsAreRefused) {
  std::string text = "GET / HTTP/1.1\r\n";
  for (int i = 0; i < 11; ++i) {
    text += "A: b\r\n";
  }
  FeedInSteps(text + "\r\n", 1000);
  EXPECT_EQ(parser_.FirstFault(), RequestParser::Fault::kHeadTooLarge);
}

TEST_F(RequestParserTest, NonsenseIsMalformed) {
  for (const char* text : {"\x16\x03\x01\x02", "GET\r\n\r\n", "GET / HTTP/1.1\r\nA b\r\n\r\n",
                           "GET / HTTP/1.1\r\nContent-Length: x\r\n\r\n",
                           "GET / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n"}) {
    RequestParser::Head head;
    RequestParser parser(head, {.head_bytes = 1024, .fields = 10});
    parser.Feed(text);
    EXPECT_EQ(parser.FirstFault(), RequestParser::Fault::kMalformed) << text;
  }
}

TEST_F(RequestParserTest, OtherVersionsAreNamedAsSuch) {
  FeedInSteps("GET / HTTP/2.0\r\n\r\n", 1000);
  EXPECT_EQ(parser_.FirstFault(), RequestParser::Fault::kVersion);
}

TEST_F(RequestParserTest, BodyThatTheTakerRefusesIsTooLarge) {
  StringTaker small(3);
  parser_.Feed("POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\n");
  parser_.TakeBodyWith(small);
  parser_.Feed("hello");
  EXPECT_EQ(parser_.FirstFault(), RequestParser::Fault::kBodyTooLarge);
}

}  // namespace
}  // namespace atrium::http
