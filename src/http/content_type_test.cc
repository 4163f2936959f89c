// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/content_type.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/result.h"
#include "base/testing.h"

namespace atrium::http {
namespace {

using ::testing::ElementsAre;
using Parameter = ContentType::Parameter;

TEST(ContentTypeTest, TypeAndParameterNamesAreLowered) {
  const Result<ContentType> parsed = ParseContentType(" Text/HTML ;CharSet=UTF-8; q=\"a;b\\\"c\" ");
  ASSERT_THAT(parsed, IsOk());
  EXPECT_EQ(parsed->type, "text/html");
  EXPECT_THAT(parsed->parameters, ElementsAre(Parameter{.name = "charset", .value = "UTF-8"},
                                              Parameter{.name = "q", .value = "a;b\"c"}));
}

TEST(ContentTypeTest, ComparisonIgnoresCaseAndParameters) {
  const Result<ContentType> parsed = ParseContentType("application/JSON; charset=utf-8");
  ASSERT_THAT(parsed, IsOk());
  EXPECT_TRUE(parsed->Is("application/json"));
  EXPECT_TRUE(parsed->Is("Application/Json"));
  EXPECT_FALSE(parsed->Is("application/jsonp"));
  EXPECT_FALSE(parsed->Is("application"));
}

TEST(ContentTypeTest, ParametersAreFoundInAnyCase) {
  const Result<ContentType> parsed = ParseContentType("multipart/form-data; Boundary=aBc");
  ASSERT_THAT(parsed, IsOk());
  EXPECT_EQ(parsed->Find("BOUNDARY"), "aBc");
  EXPECT_EQ(parsed->Find("charset"), std::nullopt);
}

TEST(ContentTypeTest, EmptyParametersMeanNothing) {
  EXPECT_THAT(ParseContentType("a/b;"), Holds(ContentType{.type = "a/b", .parameters = {}}));
  EXPECT_THAT(ParseContentType("a/b;; ;x=1;"),
              Holds(ContentType{.type = "a/b", .parameters = {{.name = "x", .value = "1"}}}));
}

TEST(ContentTypeTest, BrokenTypesAreRefused) {
  for (const std::string_view bad : {"",
                                     " ",
                                     "text",
                                     "text/",
                                     "/html",
                                     "te xt/html",
                                     "text /html",
                                     "text/ html",
                                     "t\x01/x",
                                     "text/html charset=utf-8",
                                     "text/html; charset",
                                     "text/html; charset=",
                                     "text/html; =utf-8",
                                     "text/html; charset =utf-8",
                                     "text/html; charset= utf-8",
                                     "text/html; charset=\"utf-8",
                                     "text/html; charset=\"a\"b",
                                     "text/html; charset=\"a\nb\"",
                                     "text/html, text/plain",
                                     "text/html; charset=\xC3\xA4"}) {
    EXPECT_THAT(ParseContentType(bad), FailsWith(ErrorCode::kInvalidArgument)) << bad;
  }
}

TEST(ContentTypeTest, AParameterGivenTwiceIsRefused) {
  EXPECT_THAT(ParseContentType("a/b; x=1; X=2"),
              FailsSaying(ErrorCode::kInvalidArgument, "two parameters x"));
}

TEST(ContentTypeTest, TooManyParametersAreRefused) {
  std::string text = "a/b";
  for (std::size_t i = 0; i < kContentTypeParametersMax; ++i) {
    text += ";p" + std::to_string(i) + "=1";
  }
  EXPECT_THAT(ParseContentType(text), IsOk());
  EXPECT_THAT(ParseContentType(text + ";last=1"), FailsWith(ErrorCode::kLimitExceeded));
}

TEST(ContentTypeTest, RenderedTypesReadBackTheSame) {
  const ContentType content_type{
      .type = "multipart/mixed",
      .parameters = {{.name = "boundary", .value = "a b\"\\"}, {.name = "x", .value = ""}}};
  EXPECT_EQ(RenderContentType(content_type), R"(multipart/mixed; boundary="a b\"\\"; x="")");
  EXPECT_THAT(ParseContentType(RenderContentType(content_type)), Holds(content_type));
}

}  // namespace
}  // namespace atrium::http
