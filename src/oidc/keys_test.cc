// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "oidc/keys.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>

#include "base/error.h"
#include "base/testing.h"
#include "oidc/provider_testing.h"

namespace atrium::oidc {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

std::string SetOf(const std::string& keys) {
  return R"({"keys":[)" + keys + "]}";
}

TEST(KeysTest, OnlyKeysThatCanCheckASignatureAreKept) {
  const TestKey good = TestKey::Ec("good");
  const TestKey other = TestKey::Ec("other");
  const Result<KeySet> set = ParseKeySet(SetOf(
      good.Jwk(R"("use":"sig",)") + "," + other.Jwk(R"("use":"enc",)") + "," +
      other.Jwk(R"("key_ops":["encrypt"],)") +
      R"(,{"kty":"oct","k":"c2VjcmV0"},{"kty":"OKP","crv":"Ed25519","x":"AAAA"},)"
      R"({"kty":"EC","crv":"P-256","x":"AAAA","y":"AAAA"},{"kty":"RSA","n":"!","e":"AQAB"},7,{})"));
  ASSERT_THAT(set, IsOk());
  ASSERT_THAT(set->keys, SizeIs(1));
  EXPECT_EQ(set->keys[0].kid, "good");
}

TEST(KeysTest, ShortRsaKeysAreLeftOut) {
  EXPECT_THAT(ParseKeySet(SetOf(TestKey::Rsa("short", 1024).Jwk())),
              FailsSaying(ErrorCode::kInvalidArgument, "no key"));
}

TEST(KeysTest, NumbersThatAreNoBase64AreLeftOut) {
  // The library that checks signatures would end the process over this one.
  EXPECT_THAT(ParseKeySet(SetOf(R"({"kty":"EC","crv":"P-256",)"
                                R"("x":"uL0UGfyrm9DZ3DxjOCCeNq4UdVgOeVRroxpoQ=ft4oc",)"
                                R"("y":"io8ytfshFQOjfUZ-6qYRzI8c6HFXn3XWQvYhzp85-PA"})")),
              FailsSaying(ErrorCode::kInvalidArgument, "no key"));
}

TEST(KeysTest, PrivateNumbersAreNotKept) {
  const Result<KeySet> set = ParseKeySet(SetOf(TestKey::Ec("a").Jwk(R"("d":"AAAAsecret",)")));
  ASSERT_THAT(set, IsOk());
  EXPECT_THAT(set->keys[0].jwk, Not(HasSubstr("secret")));
}

TEST(KeysTest, CandidatesFitTypeCurveAlgorithmAndId) {
  const TestKey p256 = TestKey::Ec("a");
  const TestKey p384 = TestKey::Ec("b", "P-384");
  const TestKey rsa = TestKey::Rsa("c");
  const Result<KeySet> set =
      ParseKeySet(SetOf(p256.Jwk() + "," + p384.Jwk() + "," + rsa.Jwk(R"("alg":"RS256",)")));
  ASSERT_THAT(set, IsOk());
  EXPECT_THAT(set->Candidates(*FindAlgorithm("ES256"), ""), SizeIs(1));
  EXPECT_THAT(set->Candidates(*FindAlgorithm("ES256"), "b"), SizeIs(0));
  EXPECT_THAT(set->Candidates(*FindAlgorithm("RS256"), "c"), SizeIs(1));
  EXPECT_THAT(set->Candidates(*FindAlgorithm("PS256"), "c"), SizeIs(0));
  EXPECT_TRUE(set->Knows("b"));
  EXPECT_FALSE(set->Knows("d"));
}

TEST(KeysTest, NeitherNoneNorSharedSecretsAreAlgorithms) {
  EXPECT_EQ(FindAlgorithm("none"), nullptr);
  EXPECT_EQ(FindAlgorithm("HS256"), nullptr);
  EXPECT_EQ(FindAlgorithm(""), nullptr);
  EXPECT_NE(FindAlgorithm("PS512"), nullptr);
}

TEST(KeysTest, WhatIsNoKeySetIsRefused) {
  EXPECT_THAT(ParseKeySet("{"), FailsWith(ErrorCode::kInvalidArgument));
  EXPECT_THAT(ParseKeySet("[]"), FailsSaying(ErrorCode::kInvalidArgument, "\"keys\""));
  EXPECT_THAT(ParseKeySet(R"({"keys":{}})"), FailsSaying(ErrorCode::kInvalidArgument, "\"keys\""));
  EXPECT_THAT(ParseKeySet(SetOf("")), FailsSaying(ErrorCode::kInvalidArgument, "no key"));
  std::string many = "1";
  for (std::size_t i = 0; i < kKeysMax; ++i) {
    many += ",1";
  }
  EXPECT_THAT(ParseKeySet(SetOf(many)), FailsWith(ErrorCode::kLimitExceeded));
}

}  // namespace
}  // namespace atrium::oidc
