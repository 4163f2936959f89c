// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/compressed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <string>
#include <string_view>

namespace atrium::http {
namespace {

using ::testing::Contains;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::Pair;
using ::testing::SizeIs;

auto SaysGzip() {
  return Contains(Pair("Content-Encoding", "gzip"));
}

auto SaysVary() {
  return Contains(Pair("Vary", "Accept-Encoding"));
}

std::string LongText() {
  std::string text;
  for (int i = 0; i < 500; ++i) {
    text += R"({"title":"Entry )" + std::to_string(i) + R"("},)";
  }
  return text;
}

Reply Answer(std::string text, std::string_view accept_encoding) {
  Request request;
  if (!accept_encoding.empty()) {
    request.headers.Add("Accept-Encoding", accept_encoding);
  }
  return Compressed(JsonReply(std::move(text)), request);
}

const std::string& TextOf(const Reply& reply) {
  return std::get<std::string>(reply.body);
}

std::string Unpacked(std::string packed) {
  std::string out(1 << 20, '\0');
  z_stream stream{};
  stream.next_in = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(inflateInit2(&stream, 15 + 16), Z_OK);
  EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  inflateEnd(&stream);
  return out;
}

TEST(CompressedTest, ALongTextIsShorterAndTheSame) {
  const Reply reply = Answer(LongText(), "gzip, deflate, br");
  EXPECT_THAT(reply.headers, SaysGzip());
  EXPECT_THAT(reply.headers, SaysVary());
  EXPECT_THAT(TextOf(reply), SizeIs(testing::Lt(LongText().size() / 4)));
  EXPECT_EQ(Unpacked(TextOf(reply)), LongText());
}

TEST(CompressedTest, WhoDoesNotTakeItGetsTheText) {
  for (const std::string_view accepted : {"", "br", "gzip;q=0", "identity"}) {
    const Reply reply = Answer(LongText(), accepted);
    EXPECT_EQ(TextOf(reply), LongText()) << accepted;
    EXPECT_THAT(reply.headers, Not(SaysGzip())) << accepted;
    EXPECT_THAT(reply.headers, SaysVary()) << accepted;
  }
}

TEST(CompressedTest, AShortTextStaysAsItIs) {
  const Reply reply = Answer("{}", "gzip");
  EXPECT_EQ(TextOf(reply), "{}");
  EXPECT_THAT(reply.headers, IsEmpty());
}

TEST(CompressedTest, WhatIsNoTextStaysAsItIs) {
  Request request;
  request.headers.Add("Accept-Encoding", "gzip");
  const Reply reply = Compressed({.body = StaticBytes{"bytes"}}, request);
  EXPECT_THAT(reply.headers, IsEmpty());
}

}  // namespace
}  // namespace atrium::http
