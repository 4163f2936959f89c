// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/static_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string_view>

#include "base/testing.h"

namespace atrium::http {
namespace {

using ::testing::Contains;
using ::testing::Pair;

constexpr std::array kFiles{StaticFile{.path = "index.html",
                                       .content_type = "text/html",
                                       .hash = "aaaa",
                                       .plain = "plain",
                                       .gzip = "gz",
                                       .brotli = "br"},
                            StaticFile{.path = "assets/a.123.png",
                                       .content_type = "image/png",
                                       .hash = "bbbb",
                                       .plain = "png",
                                       .gzip = "",
                                       .brotli = ""}};

Result<Reply> Serve(std::string_view path, std::string_view accept_encoding) {
  Request request;
  if (!accept_encoding.empty()) {
    request.headers.Add("Accept-Encoding", accept_encoding);
  }
  return ServeStatic(kFiles, request, path);
}

std::string_view BytesOf(const Reply& reply) {
  return std::get<StaticBytes>(reply.body).bytes;
}

TEST(StaticFilesTest, FormFollowsWhatTheClientAccepts) {
  EXPECT_EQ(BytesOf(Serve("index.html", "gzip, br").value()), "br");
  EXPECT_EQ(BytesOf(Serve("index.html", "gzip").value()), "gz");
  EXPECT_EQ(BytesOf(Serve("index.html", "").value()), "plain");
  EXPECT_THAT(Serve("index.html", "gzip").value().headers,
              Contains(Pair("Content-Encoding", "gzip")));
}

TEST(StaticFilesTest, EachFormHasItsOwnTag) {
  EXPECT_NE(Serve("index.html", "br").value().etag, Serve("index.html", "gzip").value().etag);
}

TEST(StaticFilesTest, OnlyHashedNamesMayBeKeptForEver) {
  EXPECT_EQ(Serve("index.html", "").value().cache_control, "no-cache");
  EXPECT_EQ(Serve("assets/a.123.png", "br").value().cache_control,
            "public, max-age=31536000, immutable");
}

TEST(StaticFilesTest, OnlyListedPathsExist) {
  for (const char* path :
       {"", "..", "../index.html", "assets", "assets/../index.html", "Index.html"}) {
    EXPECT_THAT(Serve(path, ""), FailsWith(ErrorCode::kNotFound)) << path;
  }
}

}  // namespace
}  // namespace atrium::http
