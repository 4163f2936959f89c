// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "base/json_text.h"

#include <gtest/gtest.h>

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace atrium {
namespace {

std::string Quoted(std::string_view text) {
  std::string out;
  AppendJsonString(out, text);
  return out;
}

std::string Number(auto number) {
  std::string out;
  AppendJsonNumber(out, number);
  return out;
}

TEST(JsonTextTest, PlainTextIsOnlyQuoted) {
  EXPECT_EQ(Quoted(""), "\"\"");
  EXPECT_EQ(Quoted("a/b <c> 'd' \x7f"), "\"a/b <c> 'd' \x7f\"");
}

TEST(JsonTextTest, AppendsBehindWhatIsThere) {
  std::string out = "[";
  AppendJsonString(out, "a");
  AppendJsonNumber(out, 1);
  EXPECT_EQ(out, "[\"a\"1");
}

TEST(JsonTextTest, QuotesBackslashesAndControlsAreEscaped) {
  EXPECT_EQ(Quoted("\"\\\b\f\n\r\t"), R"("\"\\\b\f\n\r\t")");
  EXPECT_EQ(Quoted(std::string_view("\0\x01\x1f", 3)), R"("\u0000\u0001\u001f")");
}

TEST(JsonTextTest, ValidUtf8PassesThrough) {
  EXPECT_EQ(Quoted("gr\xc3\xbc\xc3\x9f \xf0\x9f\x93\x85"),
            "\"gr\xc3\xbc\xc3\x9f \xf0\x9f\x93\x85\"");
}

TEST(JsonTextTest, EachIllFormedPieceBecomesOneReplacementCharacter) {
  EXPECT_EQ(Quoted("a\xff\xe2\x82z"), "\"a\xef\xbf\xbd\xef\xbf\xbdz\"");
  EXPECT_EQ(Quoted("\xc3"), "\"\xef\xbf\xbd\"");
}

TEST(JsonTextTest, EveryPairOfBytesGivesValidJson) {
  for (int first = 0; first < 256; ++first) {
    for (int second = 0; second < 256; ++second) {
      const std::string text = {static_cast<char>(first), static_cast<char>(second)};
      boost::system::error_code failed;
      (void)boost::json::parse(Quoted(text), failed);
      ASSERT_FALSE(failed) << first << ' ' << second;
    }
  }
}

TEST(JsonTextTest, IntegersKeepTheirRange) {
  EXPECT_EQ(Number(0), "0");
  EXPECT_EQ(Number(std::numeric_limits<std::int64_t>::min()), "-9223372036854775808");
  EXPECT_EQ(Number(std::numeric_limits<std::uint64_t>::max()), "18446744073709551615");
  EXPECT_EQ(Number(std::uint8_t{65}), "65");
}

TEST(JsonTextTest, DoublesAreShortAndExact) {
  EXPECT_EQ(Number(0.1), "0.1");
  EXPECT_EQ(Number(1.0), "1");
  EXPECT_EQ(Number(-2.5), "-2.5");
  EXPECT_EQ(std::stod(Number(1.0 / 3)), 1.0 / 3);
  EXPECT_EQ(std::stod(Number(std::numeric_limits<double>::max())),
            std::numeric_limits<double>::max());
}

TEST(JsonTextTest, WhatIsNotFiniteIsNull) {
  EXPECT_EQ(Number(std::numeric_limits<double>::infinity()), "null");
  EXPECT_EQ(Number(std::numeric_limits<double>::quiet_NaN()), "null");
}

}  // namespace
}  // namespace atrium
