// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "base/utf8.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace atrium {
namespace {

/// The bytes UTF-8 would use for `code`, whether or not it is allowed to.
std::string Spell(std::uint32_t code) {
  const auto tail = [&](unsigned shift) {
    return static_cast<char>(0x80 | ((code >> shift) & 0x3f));
  };
  if (code < 0x80) {
    return {static_cast<char>(code)};
  }
  if (code < 0x800) {
    return {static_cast<char>(0xc0 | (code >> 6)), tail(0)};
  }
  if (code < 0x10000) {
    return {static_cast<char>(0xe0 | (code >> 12)), tail(6), tail(0)};
  }
  return {static_cast<char>(0xf0 | (code >> 18)), tail(12), tail(6), tail(0)};
}

TEST(Utf8Test, EveryCodePointButSurrogatesIsValid) {
  for (std::uint32_t code = 0; code < 0x110000; ++code) {
    const bool surrogate = code >= 0xd800 && code <= 0xdfff;
    ASSERT_EQ(IsValidUtf8(Spell(code)), !surrogate) << std::hex << code;
  }
}

TEST(Utf8Test, NothingAboveTheLastCodePointIsValid) {
  EXPECT_FALSE(IsValidUtf8(Spell(0x110000)));
  EXPECT_FALSE(IsValidUtf8("\xf5\x80\x80\x80"));
  EXPECT_FALSE(IsValidUtf8("\xff"));
}

TEST(Utf8Test, OverlongFormsAreRefused) {
  EXPECT_FALSE(IsValidUtf8("\xc0\xaf"));
  EXPECT_FALSE(IsValidUtf8("\xc1\xbf"));
  EXPECT_FALSE(IsValidUtf8("\xe0\x9f\xbf"));
  EXPECT_FALSE(IsValidUtf8("\xf0\x8f\xbf\xbf"));
}

TEST(Utf8Test, CutCharactersAreRefused) {
  const std::string text = "gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x93\x85";
  EXPECT_TRUE(IsValidUtf8(text));
  EXPECT_FALSE(IsValidUtf8(std::string_view(text).substr(0, text.size() - 1)));
  EXPECT_FALSE(IsValidUtf8("\xc3"));
  EXPECT_FALSE(IsValidUtf8("\xbc"));
  EXPECT_FALSE(IsValidUtf8("\xc3 "));
}

TEST(Utf8Test, AFaultIsFoundAtEveryPlaceInALongText) {
  for (std::size_t at = 0; at < 40; ++at) {
    std::string text(40, 'a');
    EXPECT_TRUE(IsValidUtf8(text));
    text[at] = '\x80';
    EXPECT_FALSE(IsValidUtf8(text)) << at;
  }
}

TEST(Utf8Test, EmptyTextAndNulAreValid) {
  EXPECT_TRUE(IsValidUtf8(""));
  EXPECT_TRUE(IsValidUtf8(std::string_view("a\0b", 3)));
}

TEST(Utf8Test, AnIllFormedFrontIsAMaximalSubpart) {
  // The example of Unicode §3.9, table 3-11: 61 | F1 80 80 | E1 80 | C2 | 62.
  std::string_view text = "\x61\xf1\x80\x80\xe1\x80\xc2\x62";
  std::string steps;
  while (!text.empty()) {
    const Utf8Step step = NextUtf8(text);
    steps += std::to_string(step.bytes) + (step.valid ? "+" : "-");
    text.remove_prefix(step.bytes);
  }
  EXPECT_EQ(steps, "1+3-2-1-1+");
}

TEST(Utf8Test, TruncateKeepsCharactersWhole) {
  const std::string_view text = "a\xe2\x82\xac";
  EXPECT_EQ(TruncateUtf8(text, 9), text);
  EXPECT_EQ(TruncateUtf8(text, 4), text);
  EXPECT_EQ(TruncateUtf8(text, 3), "a");
  EXPECT_EQ(TruncateUtf8(text, 2), "a");
  EXPECT_EQ(TruncateUtf8(text, 1), "a");
  EXPECT_EQ(TruncateUtf8(text, 0), "");
  EXPECT_EQ(TruncateUtf8("\xe2\x82\xac", 2), "");
}

}  // namespace
}  // namespace atrium
