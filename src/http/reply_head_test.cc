// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/reply_head.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/testing.h"

namespace atrium::http {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::IsNull;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

class ReplyHeadTest : public ::testing::Test {
 protected:
  ReplyTail Append(Reply reply) {
    return AppendReply(out_, std::move(reply),
                       {.request = request_,
                        .date_line = "Date: today\r\n",
                        .cors_origin = cors_origin_,
                        .vary_by_origin = !cors_origin_.empty(),
                        .http_1_1 = http_1_1_,
                        .keep_alive = true});
  }

  void Ask(std::string_view name, std::string_view value) { request_.headers.Add(name, value); }

  static Reply Tagged(std::string text) {
    Reply reply = TextReply(std::move(text));
    reply.etag = ETag::Strong("one").value();
    return reply;
  }

  /// A source of a hundred bytes that notes the part it is asked for.
  class MeasuredSource final : public BodySource {
   public:
    explicit MeasuredSource(ReplyHeadTest& test) : test_(test) {}
    Result<std::optional<std::string>> Next() override { return std::nullopt; }
    std::optional<std::uint64_t> Length() const override { return 100; }
    bool Narrow(const ByteRange& part) override {
      test_.narrowed_ = part;
      return test_.can_narrow_;
    }

   private:
    ReplyHeadTest& test_;
  };

  Reply Measured() {
    return {.content_type = "text/plain", .body = std::make_unique<MeasuredSource>(*this)};
  }

  ByteRange narrowed_;
  bool can_narrow_ = true;
  Request request_{.id = "r1"};
  std::string cors_origin_;
  bool http_1_1_ = true;
  std::string out_;
};

class EmptySource final : public BodySource {
 public:
  Result<std::optional<std::string>> Next() override { return std::nullopt; }
};

TEST_F(ReplyHeadTest, ShortBodiesTravelWithTheirHead) {
  const ReplyTail tail = Append(TextReply("hello"));
  EXPECT_THAT(out_, StartsWith("HTTP/1.1 200 OK\r\nDate: today\r\n"));
  EXPECT_THAT(out_, HasSubstr("Content-Length: 5\r\n"));
  EXPECT_THAT(out_, EndsWith("\r\n\r\nhello"));
  EXPECT_THAT(tail.pieces, IsEmpty());
}

TEST_F(ReplyHeadTest, LongBodiesFollowAsAPiece) {
  const ReplyTail tail = Append(TextReply(std::string(100'000, 'x')));
  EXPECT_THAT(out_, HasSubstr("Content-Length: 100000\r\n"));
  EXPECT_THAT(out_, EndsWith("\r\n\r\n"));
  EXPECT_THAT(tail.pieces, SizeIs(1));
}

TEST_F(ReplyHeadTest, HeadKeepsTheLengthAndLosesTheBody) {
  request_.method = Method::kHead;
  Append(TextReply("hello"));
  EXPECT_THAT(out_, HasSubstr("Content-Length: 5\r\n"));
  EXPECT_THAT(out_, EndsWith("\r\n\r\n"));
}

TEST_F(ReplyHeadTest, NoContentHasNoLength) {
  Append(EmptyReply());
  EXPECT_THAT(out_, Not(HasSubstr("Content-Length")));
}

TEST_F(ReplyHeadTest, EveryReplyCarriesTheSecurityHeadersAndItsId) {
  Append(TextReply(""));
  for (const char* line : {"X-Content-Type-Options: nosniff", "X-Frame-Options: DENY",
                           "Content-Security-Policy: ", "Referrer-Policy: no-referrer",
                           "Cache-Control: no-store", "X-Request-Id: r1"}) {
    EXPECT_THAT(out_, HasSubstr(line));
  }
  EXPECT_THAT(out_, Not(HasSubstr("Strict-Transport-Security")));
}

TEST_F(ReplyHeadTest, FramesAreForRepliesThatAllowThem) {
  Reply reply = TextReply("");
  reply.content_security_policy = "default-src 'none'; frame-ancestors 'self'";
  Append(std::move(reply));
  EXPECT_THAT(out_, HasSubstr("X-Frame-Options: SAMEORIGIN\r\n"));
  EXPECT_THAT(out_, Not(HasSubstr("DENY")));
}

TEST_F(ReplyHeadTest, TransportSecurityIsForTlsAlone) {
  request_.scheme = Scheme::kHttps;
  Append(TextReply(""));
  EXPECT_THAT(out_, HasSubstr("Strict-Transport-Security"));
}

TEST_F(ReplyHeadTest, HeadersThatWouldBreakOutAreDropped) {
  Reply reply = TextReply("");
  reply.headers = {{"X-Good", "fine"}, {"X-Bad", "a\r\nSet-Cookie: b"}, {"Bad Name", "x"}};
  Append(std::move(reply));
  EXPECT_THAT(out_, HasSubstr("X-Good: fine\r\n"));
  EXPECT_THAT(out_, Not(HasSubstr("Set-Cookie")));
  EXPECT_THAT(out_, Not(HasSubstr("Bad Name")));
}

TEST_F(ReplyHeadTest, KnownTagIsNotModified) {
  Ask("If-None-Match", "\"one\"");
  const ReplyTail tail = Append(Tagged("hello"));
  EXPECT_EQ(tail.status, 304);
  EXPECT_THAT(out_, HasSubstr("ETag: \"one\"\r\n"));
  EXPECT_THAT(out_, EndsWith("\r\n\r\n"));
}

TEST_F(ReplyHeadTest, UnexpectedTagIsPreconditionFailed) {
  Ask("If-Match", "\"two\"");
  EXPECT_EQ(Append(Tagged("hello")).status, 412);
}

TEST_F(ReplyHeadTest, OneRangeIsCutOut) {
  Ask("Range", "bytes=1-3");
  EXPECT_EQ(Append(Tagged("hello")).status, 206);
  EXPECT_THAT(out_, HasSubstr("Content-Range: bytes 1-3/5\r\n"));
  EXPECT_THAT(out_, EndsWith("\r\n\r\nell"));
}

TEST_F(ReplyHeadTest, SeveralRangesBecomeParts) {
  Ask("Range", "bytes=0-0,4-4");
  const ReplyTail tail = Append(Tagged("hello"));
  EXPECT_EQ(tail.status, 206);
  EXPECT_THAT(out_, HasSubstr("Content-Type: multipart/byteranges; boundary="));
  ASSERT_THAT(tail.pieces, SizeIs(5));
  EXPECT_EQ(std::get<std::string>(tail.pieces[1]), "h");
  EXPECT_EQ(std::get<std::string>(tail.pieces[3]), "o");
}

TEST_F(ReplyHeadTest, RangeBehindTheEndIsUnsatisfiable) {
  Ask("Range", "bytes=9-");
  EXPECT_EQ(Append(Tagged("hello")).status, 416);
  EXPECT_THAT(out_, HasSubstr("Content-Range: bytes */5\r\n"));
}

TEST_F(ReplyHeadTest, RangeOfAnotherStateIsIgnored) {
  Ask("Range", "bytes=1-3");
  Ask("If-Range", "\"two\"");
  EXPECT_EQ(Append(Tagged("hello")).status, 200);
}

TEST_F(ReplyHeadTest, RangesOfFilesMoveTheSlice) {
  Ask("Range", "bytes=10-19");
  Reply reply{
      .content_type = "text/plain",
      .body = FileSlice{.descriptor = std::make_shared<const int>(0), .offset = 5, .bytes = 100}};
  const ReplyTail tail = Append(std::move(reply));
  ASSERT_THAT(tail.pieces, SizeIs(1));
  const auto& slice = std::get<FileSlice>(tail.pieces[0]);
  EXPECT_EQ(slice.offset, 15U);
  EXPECT_EQ(slice.bytes, 10U);
}

TEST_F(ReplyHeadTest, StreamsAreChunkedForHttp11) {
  const ReplyTail tail =
      Append({.content_type = "text/plain", .body = std::make_unique<EmptySource>()});
  EXPECT_TRUE(tail.chunked);
  EXPECT_TRUE(tail.keep_alive);
  EXPECT_THAT(out_, HasSubstr("Transfer-Encoding: chunked\r\n"));
}

TEST_F(ReplyHeadTest, StreamsToHttp10EndWithTheConnection) {
  http_1_1_ = false;
  const ReplyTail tail =
      Append({.content_type = "text/plain", .body = std::make_unique<EmptySource>()});
  EXPECT_FALSE(tail.chunked);
  EXPECT_FALSE(tail.keep_alive);
  EXPECT_THAT(out_, HasSubstr("Connection: close\r\n"));
  EXPECT_THAT(out_, Not(HasSubstr("Transfer-Encoding")));
}

TEST_F(ReplyHeadTest, ASourceThatKnowsItsLengthSaysIt) {
  const ReplyTail tail = Append(Measured());
  EXPECT_FALSE(tail.chunked);
  EXPECT_TRUE(tail.keep_alive);
  EXPECT_EQ(tail.source_bytes, 100U);
  EXPECT_THAT(out_, HasSubstr("Content-Length: 100\r\n"));
  EXPECT_THAT(out_, Not(HasSubstr("Transfer-Encoding")));
}

TEST_F(ReplyHeadTest, ALengthThatIsKnownKeepsHttp10Alive) {
  http_1_1_ = false;
  EXPECT_TRUE(Append(Measured()).keep_alive);
  EXPECT_THAT(out_, HasSubstr("Connection: keep-alive\r\n"));
}

TEST_F(ReplyHeadTest, HeadOfASourceSaysItsLength) {
  request_.method = Method::kHead;
  EXPECT_THAT(Append(Measured()).source, IsNull());
  EXPECT_THAT(out_, HasSubstr("Content-Length: 100\r\n"));
}

TEST_F(ReplyHeadTest, ASourceIsNarrowedToOneRange) {
  Ask("Range", "bytes=10-19");
  const ReplyTail tail = Append(Measured());
  EXPECT_EQ(tail.status, 206);
  EXPECT_EQ(tail.source_bytes, 10U);
  EXPECT_EQ(narrowed_, (ByteRange{.first = 10, .last = 19}));
  EXPECT_THAT(out_, HasSubstr("Content-Range: bytes 10-19/100\r\n"));
  EXPECT_THAT(out_, HasSubstr("Content-Length: 10\r\n"));
}

TEST_F(ReplyHeadTest, ARangeBehindTheEndOfASourceIsUnsatisfiable) {
  Ask("Range", "bytes=100-");
  const ReplyTail tail = Append(Measured());
  EXPECT_EQ(tail.status, 416);
  EXPECT_THAT(tail.source, IsNull());
}

TEST_F(ReplyHeadTest, ASourceThatCannotBeNarrowedIsSentWhole) {
  for (const char* header : {"bytes=10-19", "bytes=0-0,50-59"}) {
    SCOPED_TRACE(header);
    out_.clear();
    request_.headers.clear();
    Ask("Range", header);
    can_narrow_ = std::string_view(header).contains(',');
    const ReplyTail tail = Append(Measured());
    EXPECT_EQ(tail.status, 200);
    EXPECT_EQ(tail.source_bytes, 100U);
    EXPECT_THAT(out_, HasSubstr("Content-Length: 100\r\n"));
    EXPECT_THAT(out_, Not(HasSubstr("Content-Range")));
  }
}

TEST_F(ReplyHeadTest, NumbersOfNoStandardAreSentAsTheyAre) {
  for (const int status : {440, 441, 442, 443, 444, 445, 446, 447}) {
    out_.clear();
    EXPECT_EQ(Append(TextReply("", status)).status, status);
    EXPECT_THAT(out_, StartsWith("HTTP/1.1 " + std::to_string(status) + " Unknown\r\n"));
  }
}

TEST_F(ReplyHeadTest, AllowedOriginIsNamed) {
  cors_origin_ = "https://app.example";
  Append(TextReply(""));
  EXPECT_THAT(out_, HasSubstr("Access-Control-Allow-Origin: https://app.example\r\n"));
  EXPECT_THAT(out_, HasSubstr("Vary: Origin\r\n"));
}

}  // namespace
}  // namespace atrium::http
