// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "base/hash.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>

#include "base/bytes.h"
#include "base/hex.h"

namespace atrium {
namespace {

// FIPS 180-4 examples as published by NIST.
constexpr std::string_view kTwoBlocks = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";

std::string Unhex(std::string_view text) {
  return DecodeHex(text).value();
}

TEST(Sha1Test, AgreesWithNist) {
  EXPECT_EQ(EncodeHex(Sha1Of("")), "da39a3ee5e6b4b0d3255bfef95601890afd80709");
  EXPECT_EQ(EncodeHex(Sha1Of("abc")), "a9993e364706816aba3e25717850c26c9cd0d89d");
  EXPECT_EQ(EncodeHex(Sha1Of(kTwoBlocks)), "84983e441c3bd26ebaae4aa1f95129e5e54670f1");
  EXPECT_EQ(EncodeHex(Sha1Of(std::string(1'000'000, 'a'))),
            "34aa973cd4c4daa4f61eeb2bdbad27316534016f");
}

TEST(Sha256Test, AgreesWithNist) {
  EXPECT_EQ(EncodeHex(Sha256Of("")),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(EncodeHex(Sha256Of("abc")),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(EncodeHex(Sha256Of(kTwoBlocks)),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(EncodeHex(Sha256Of(std::string(1'000'000, 'a'))),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256Test, PiecesAddUp) {
  Sha256 hash;
  hash.Update("a");
  hash.Update("");
  hash.Update(AsBytes("bc"));
  EXPECT_EQ(hash.Finish(), Sha256Of("abc"));
}

TEST(Sha1Test, PiecesAddUp) {
  Sha1 hash;
  hash.Update("ab");
  hash.Update(AsBytes("c"));
  EXPECT_EQ(hash.Finish(), Sha1Of("abc"));
}

TEST(Sha256Test, StartsAnewAfterFinish) {
  Sha256 hash;
  hash.Update("something else");
  (void)hash.Finish();
  hash.Update("abc");
  EXPECT_EQ(hash.Finish(), Sha256Of("abc"));
}

TEST(Sha256Test, MovesInTheMiddle) {
  Sha256 hash;
  hash.Update("ab");
  Sha256 moved = std::move(hash);
  moved.Update("c");
  EXPECT_EQ(moved.Finish(), Sha256Of("abc"));
}

std::string Hmac(std::string_view key, std::string_view message) {
  return EncodeHex(HmacSha256(AsBytes(key), message));
}

TEST(HmacSha256Test, AgreesWithRfc4231) {
  EXPECT_EQ(Hmac(std::string(20, '\x0b'), "Hi There"),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
  EXPECT_EQ(Hmac("Jefe", "what do ya want for nothing?"),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  EXPECT_EQ(Hmac(std::string(20, '\xaa'), std::string(50, '\xdd')),
            "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe");
  EXPECT_EQ(
      Hmac(std::string(131, '\xaa'), "Test Using Larger Than Block-Size Key - Hash Key First"),
      "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

TEST(HmacSha256Test, EmptyKeyAndMessageAreAllowed) {
  EXPECT_EQ(Hmac("", ""), "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad");
}

struct HkdfVector {
  std::string secret;
  std::string salt;
  std::string info;
  std::size_t length;
};

std::string Hkdf(const HkdfVector& vector) {
  return EncodeHex(HkdfSha256(
      {.secret = AsBytes(vector.secret), .salt = AsBytes(vector.salt), .info = vector.info},
      vector.length));
}

TEST(HkdfSha256Test, AgreesWithRfc5869) {
  EXPECT_EQ(Hkdf({.secret = std::string(22, '\x0b'),
                  .salt = Unhex("000102030405060708090a0b0c"),
                  .info = Unhex("f0f1f2f3f4f5f6f7f8f9"),
                  .length = 42}),
            "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865");
  EXPECT_EQ(Hkdf({.secret = Unhex("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
                                  "202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f"
                                  "404142434445464748494a4b4c4d4e4f"),
                  .salt = Unhex("606162636465666768696a6b6c6d6e6f707172737475767778797a7b7c7d7e7f"
                                "808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f"
                                "a0a1a2a3a4a5a6a7a8a9aaabacadaeaf"),
                  .info = Unhex("b0b1b2b3b4b5b6b7b8b9babbbcbdbebfc0c1c2c3c4c5c6c7c8c9cacbcccdcecf"
                                "d0d1d2d3d4d5d6d7d8d9dadbdcdddedfe0e1e2e3e4e5e6e7e8e9eaebecedeeef"
                                "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff"),
                  .length = 82}),
            "b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c"
            "59045a99cac7827271cb41c65e590e09da3275600c2f09b8367793a9aca3db71"
            "cc30c58179ec3e87c14c01d5c1f3434f1d87");
  EXPECT_EQ(Hkdf({.secret = std::string(22, '\x0b'), .salt = "", .info = "", .length = 42}),
            "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8");
}

TEST(HkdfSha256Test, AbsentSaltAndInfoAreEmptyOnes) {
  const std::string secret(22, '\x0b');
  EXPECT_EQ(EncodeHex(HkdfSha256({.secret = AsBytes(secret), .salt = {}, .info = {}}, 42)),
            Hkdf({.secret = secret, .salt = "", .info = "", .length = 42}));
}

TEST(HmacSha256Test, AnAbsentKeyIsAnEmptyOne) {
  EXPECT_EQ(HmacSha256({}, {}), HmacSha256(AsBytes(""), ""));
}

TEST(HkdfSha256DeathTest, RefusesMoreThanTheRfcAllows) {
  EXPECT_DEATH(Hkdf({.secret = "s", .salt = "", .info = "", .length = 255 * 32 + 1}), "HKDF");
  EXPECT_DEATH(Hkdf({.secret = "", .salt = "", .info = "", .length = 32}), "secret");
}

}  // namespace
}  // namespace atrium
