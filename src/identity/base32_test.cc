// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "identity/base32.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/testing.h"

namespace atrium::identity {
namespace {

// RFC 4648 §10, without the padding.
constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kVectors{{
    {"", ""},
    {"f", "MY"},
    {"fo", "MZXQ"},
    {"foo", "MZXW6"},
    {"foob", "MZXW6YQ"},
    {"fooba", "MZXW6YTB"},
    {"foobar", "MZXW6YTBOI"},
}};

TEST(Base32Test, EncodesTheVectorsOfTheStandardWithoutPadding) {
  for (const auto& [bytes, text] : kVectors) {
    EXPECT_EQ(EncodeBase32(bytes), text);
  }
}

TEST(Base32Test, DecodesTheVectorsOfTheStandard) {
  for (const auto& [bytes, text] : kVectors) {
    EXPECT_THAT(DecodeBase32(text), Holds(std::string(bytes))) << text;
  }
}

TEST(Base32Test, EveryByteSurvivesTheWayThereAndBack) {
  std::string bytes;
  for (int value = 255; value >= 0; --value) {
    bytes += static_cast<char>(value);
    EXPECT_THAT(DecodeBase32(EncodeBase32(bytes)), Holds(bytes));
  }
}

TEST(Base32Test, CaseSpacesHyphensAndPaddingDoNotMatter) {
  EXPECT_THAT(DecodeBase32("mzxw 6ytb-OI======"), Holds(std::string("foobar")));
  EXPECT_THAT(DecodeBase32(" MZXW6=== "), Holds(std::string("foo")));
}

TEST(Base32Test, RefusesOtherCharacters) {
  for (const char* text : {"MZXW0", "MZXW1", "MZ8W6", "MZ=XW6", "MZXW6\n", "MZXWé"}) {
    EXPECT_THAT(DecodeBase32(text), FailsWith(ErrorCode::kInvalidArgument)) << text;
  }
}

TEST(Base32Test, RefusesLengthsThatNoEncoderProduces) {
  for (const char* text : {"A", "AAA", "AAAAAA"}) {
    EXPECT_THAT(DecodeBase32(text), FailsWith(ErrorCode::kInvalidArgument)) << text;
  }
}

TEST(Base32Test, RefusesBitsAfterTheLastByte) {
  EXPECT_THAT(DecodeBase32("MZ"), FailsWith(ErrorCode::kInvalidArgument));
}

TEST(TypableTest, IsAsLongAsAskedAndHasNoAmbiguousCharacters) {
  const std::string text = RandomTypable(4000);
  EXPECT_EQ(text.size(), 4000U);
  EXPECT_TRUE(IsTypable(text));
  EXPECT_EQ(text.find_first_of("ilou"), std::string::npos);
}

TEST(TypableTest, UsesTheWholeAlphabet) {
  const std::string text = RandomTypable(4000);
  EXPECT_EQ(std::set<char>(text.begin(), text.end()).size(), 32U);
}

TEST(TypableTest, IsNeverTheSame) {
  EXPECT_NE(RandomTypable(20), RandomTypable(20));
}

TEST(TypableTest, GroupsHaveFiveCharacters) {
  EXPECT_EQ(GroupTypable(""), "");
  EXPECT_EQ(GroupTypable("abcde"), "abcde");
  EXPECT_EQ(GroupTypable("abcdefghjkm"), "abcde-fghjk-m");
}

TEST(TypableTest, NormalisingForgivesWhatPeopleDoToCodes) {
  EXPECT_EQ(NormaliseTypable(" ABCDE-fghjk "), "abcdefghjk");
  EXPECT_EQ(NormaliseTypable("OoIiLl"), "001111");
}

TEST(TypableTest, OtherCharactersStayAndAreNotTypable) {
  EXPECT_EQ(NormaliseTypable("u_é"), "u_é");
  EXPECT_FALSE(IsTypable("u"));
  EXPECT_FALSE(IsTypable("abc_"));
}

}  // namespace
}  // namespace atrium::identity
