// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "base/base64.h"
#include "base/bytes.h"
#include "base/hex.h"
#include "base/testing.h"

namespace atrium {
namespace {

std::string AllBytes() {
  std::string bytes;
  for (int i = 0; i < 256; ++i) {
    bytes += static_cast<char>(i);
  }
  return bytes;
}

TEST(BytesTest, CastsShareTheMemory) {
  const std::string_view text = "a\xff";
  EXPECT_EQ(AsBytes(text).size(), 2);
  EXPECT_EQ(AsBytes(text)[1], std::byte{0xff});
  EXPECT_EQ(AsChars(AsBytes(text)).data(), text.data());
  EXPECT_EQ(AsChars(AsBytes("")), "");
}

TEST(HexTest, EncodesInLowerCase) {
  EXPECT_EQ(EncodeHex(""), "");
  EXPECT_EQ(EncodeHex(std::string_view("\x00\xab\x7f", 3)), "00ab7f");
  EXPECT_EQ(EncodeHex(std::array{std::byte{0xde}, std::byte{0xad}}), "dead");
}

TEST(HexTest, DecodesBothCases) {
  EXPECT_THAT(DecodeHex("DEadBeef"), Holds(std::string("\xde\xad\xbe\xef")));
  EXPECT_THAT(DecodeHex(""), Holds(std::string()));
}

TEST(HexTest, EveryByteComesBack) {
  EXPECT_THAT(DecodeHex(EncodeHex(AllBytes())), Holds(AllBytes()));
}

TEST(HexTest, RefusesOddLengths) {
  EXPECT_THAT(DecodeHex("abc"), FailsSaying(ErrorCode::kInvalidArgument, "odd length"));
}

TEST(HexTest, RefusesOtherCharacters) {
  for (const char* text : {"0g", "g0", "0 ", " 0", "0x", "-1", "@0", "`0", "/0", ":0", "G0"}) {
    EXPECT_THAT(DecodeHex(text), FailsSaying(ErrorCode::kInvalidArgument, "digit")) << text;
  }
}

TEST(Base64Test, AgreesWithTheVectorsOfRfc4648) {
  const std::array<std::pair<std::string, std::string>, 7> vectors = {{{"", ""},
                                                                       {"f", "Zg=="},
                                                                       {"fo", "Zm8="},
                                                                       {"foo", "Zm9v"},
                                                                       {"foob", "Zm9vYg=="},
                                                                       {"fooba", "Zm9vYmE="},
                                                                       {"foobar", "Zm9vYmFy"}}};
  for (const auto& [plain, padded] : vectors) {
    const std::string bare = padded.substr(0, padded.find('='));
    EXPECT_EQ(EncodeBase64(plain), padded);
    EXPECT_THAT(DecodeBase64(padded), Holds(plain));
    EXPECT_EQ(EncodeBase64Url(plain), bare);
    EXPECT_THAT(DecodeBase64Url(bare), Holds(plain));
  }
}

TEST(Base64Test, TheAlphabetsDifferInTwoLetters) {
  EXPECT_EQ(EncodeBase64("\xfb\xff"), "+/8=");
  EXPECT_EQ(EncodeBase64Url("\xfb\xff"), "-_8");
  EXPECT_THAT(DecodeBase64("-_8="), FailsSaying(ErrorCode::kInvalidArgument, "stray"));
  EXPECT_THAT(DecodeBase64Url("+/8"), FailsSaying(ErrorCode::kInvalidArgument, "stray"));
}

TEST(Base64Test, EveryByteComesBack) {
  EXPECT_THAT(DecodeBase64(EncodeBase64(AllBytes())), Holds(AllBytes()));
  EXPECT_THAT(DecodeBase64Url(EncodeBase64Url(AllBytes())), Holds(AllBytes()));
}

TEST(Base64Test, RefusesWrongPadding) {
  for (const char* text : {"Zg", "Zg=", "Zg===", "Zm8", "Zm9v=", "=", "Z"}) {
    EXPECT_THAT(DecodeBase64(text), FailsSaying(ErrorCode::kInvalidArgument, "padded")) << text;
  }
  for (const char* text : {"Z===", "====", "Zg==Zg==", "Z=g=", "=Zg="}) {
    EXPECT_THAT(DecodeBase64(text), FailsWith(ErrorCode::kInvalidArgument)) << text;
  }
}

TEST(Base64Test, UrlFormTakesNoPadding) {
  EXPECT_THAT(DecodeBase64Url("Zg=="), FailsSaying(ErrorCode::kInvalidArgument, "stray"));
  EXPECT_THAT(DecodeBase64Url("Z"), FailsSaying(ErrorCode::kInvalidArgument, "length"));
}

TEST(Base64Test, RefusesBitsAfterTheLastByte) {
  EXPECT_THAT(DecodeBase64("Zh=="), FailsSaying(ErrorCode::kInvalidArgument, "bits"));
  EXPECT_THAT(DecodeBase64("Zm9="), FailsSaying(ErrorCode::kInvalidArgument, "bits"));
  EXPECT_THAT(DecodeBase64Url("Zh"), FailsSaying(ErrorCode::kInvalidArgument, "bits"));
}

TEST(Base64Test, RefusesStrayCharacters) {
  for (const char* text : {"Zm9\n", "Zm 9", "Zm9\xc3", "Zm9.", "\r\nZm"}) {
    EXPECT_THAT(DecodeBase64(text), FailsSaying(ErrorCode::kInvalidArgument, "stray")) << text;
  }
  EXPECT_THAT(DecodeBase64Url(std::string_view("Zm9\0", 4)),
              FailsSaying(ErrorCode::kInvalidArgument, "stray"));
}

}  // namespace
}  // namespace atrium
