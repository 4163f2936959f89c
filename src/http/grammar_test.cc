// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/grammar.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace atrium::http {
namespace {

using namespace std::string_view_literals;

TEST(GrammarTest, TokensAreNotEmptyAndHoldNoSeparators) {
  EXPECT_TRUE(IsToken("X-Request-Id"));
  EXPECT_TRUE(IsToken("!#$%&'*+-.^_`|~"));
  EXPECT_FALSE(IsToken(""));
  for (const std::string_view bad : {"a b", "a;b", "a=b", "\"a\"", "a\x7F", "\xC3\xA4", "a/b"}) {
    EXPECT_FALSE(IsToken(bad)) << bad;
  }
}

TEST(GrammarTest, TrimmingTakesSpacesAndTabsOnly) {
  EXPECT_EQ(TrimSpace(" \t a b \t"), "a b");
  EXPECT_EQ(TrimSpace("\r a"), "\r a");
  EXPECT_EQ(TrimSpace(" \t "), "");
}

TEST(GrammarTest, TakeUntilEatsTheSeparatorToo) {
  std::string_view rest = " a , b,";
  EXPECT_EQ(TakeUntil(rest, ','), "a");
  EXPECT_EQ(TakeUntil(rest, ','), "b");
  EXPECT_TRUE(rest.empty());
  EXPECT_EQ(TakeUntil(rest, ','), "");
}

TEST(GrammarTest, QuotedStringsLoseQuotesAndEscapes) {
  std::string_view rest = R"("a\"b\\c\d";x)";
  EXPECT_EQ(TakeQuoted(rest), R"(a"b\cd)");
  EXPECT_EQ(rest, ";x");
}

TEST(GrammarTest, BackslashesOfWindowsPathsStayWhenOnlyQuotesAreEscaped) {
  std::string_view rest = R"("C:\dir\\a\"b.txt")";
  EXPECT_EQ(TakeQuoted(rest, Escapes::kQuoteBackslash), R"(C:\dir\a"b.txt)");
}

TEST(GrammarTest, BrokenQuotedStringsAreNotRead) {
  for (const std::string_view bad :
       {"a"sv, "\"a"sv, "\""sv, R"("a\)"sv, R"("a\")"sv, "\"a\nb\""sv, "\"a\0b\""sv, ""sv}) {
    std::string_view rest = bad;
    EXPECT_EQ(TakeQuoted(rest), std::nullopt) << bad;
  }
}

TEST(GrammarTest, WordsReadBackAsTheyWere) {
  EXPECT_EQ(RenderWord("utf-8"), "utf-8");
  EXPECT_EQ(RenderWord(""), "\"\"");
  const std::string rendered = RenderWord(R"(a "b" \c)");
  std::string_view rest = rendered;
  EXPECT_EQ(TakeQuoted(rest), R"(a "b" \c)");
}

TEST(GrammarTest, NumbersTooLargeBecomeTheLargest) {
  constexpr auto kMax = std::numeric_limits<std::uint64_t>::max();
  EXPECT_EQ(ParseDigits("0"), 0U);
  EXPECT_EQ(ParseDigits("18446744073709551614"), kMax - 1);
  EXPECT_EQ(ParseDigits("18446744073709551615"), kMax);
  EXPECT_EQ(ParseDigits("18446744073709551616"), kMax);
  EXPECT_EQ(ParseDigits("99999999999999999999999999999990"), kMax);
  for (const std::string_view bad : {"", "-1", "+1", " 1", "1a", "0x1"}) {
    EXPECT_EQ(ParseDigits(bad), std::nullopt) << bad;
  }
}

TEST(GrammarTest, TextIsUtf8WithoutNul) {
  EXPECT_TRUE(IsText(""));
  EXPECT_TRUE(IsText("\xC3\xA4\n"));
  EXPECT_FALSE(IsText("a\0b"sv));
  EXPECT_FALSE(IsText("\xC0\x80"));
}

}  // namespace
}  // namespace atrium::http
