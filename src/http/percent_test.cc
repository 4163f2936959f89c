// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/percent.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "base/error.h"
#include "base/testing.h"

namespace atrium::http {
namespace {

TEST(PercentTest, EscapesOfEitherCaseAreRead) {
  EXPECT_THAT(PercentDecode("a%20b%2Fc%c3%A4"), Holds("a b/c\xC3\xA4"));
  EXPECT_THAT(PercentDecode(""), Holds(""));
}

TEST(PercentTest, PlusIsASpaceInFormsOnly) {
  EXPECT_THAT(PercentDecode("a+b"), Holds("a+b"));
  EXPECT_THAT(FormDecode("a+b%2B"), Holds("a b+"));
}

TEST(PercentTest, BrokenEscapesAreRefused) {
  for (const std::string_view bad : {"%", "a%2", "%g0", "%0g", "%%20", "%-1", "% 1", "%u0041"}) {
    EXPECT_THAT(PercentDecode(bad), FailsSaying(ErrorCode::kInvalidArgument, "escape")) << bad;
  }
}

TEST(PercentTest, OnlyUtf8WithoutNulComesOut) {
  for (const std::string_view bad :
       {"%00", "a%00b", "%ff", "%c0%af", "%ed%a0%80", "%e2%82", "\xE4"}) {
    EXPECT_THAT(PercentDecode(bad), FailsSaying(ErrorCode::kInvalidArgument, "UTF-8")) << bad;
    EXPECT_THAT(FormDecode(bad), FailsSaying(ErrorCode::kInvalidArgument, "UTF-8")) << bad;
  }
}

TEST(PercentTest, EncodingLeavesOnlyUnreservedCharacters) {
  EXPECT_EQ(PercentEncode("aZ09-._~"), "aZ09-._~");
  EXPECT_EQ(PercentEncode("a b/c+d&e=\xC3\xA4%"), "a%20b%2Fc%2Bd%26e%3D%C3%A4%25");
}

TEST(PercentTest, EveryAsciiCharacterSurvivesTheRoundTrip) {
  std::string all;
  for (char c = 1; c < 127; ++c) {
    all.push_back(c);
  }
  EXPECT_THAT(PercentDecode(PercentEncode(all)), Holds(all));
  EXPECT_THAT(FormDecode(PercentEncode(all)), Holds(all));
}

}  // namespace
}  // namespace atrium::http
