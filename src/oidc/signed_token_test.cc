// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "oidc/signed_token.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <string>

#include "base/base64.h"
#include "base/testing.h"

namespace atrium::oidc {
namespace {

constexpr SecretKey kKey{std::byte{1}, std::byte{2}};

TEST(SignedTokenTest, WhatWasSignedCanBeOpened) {
  const auto token = SignToken(R"({"library":"x"})", kKey);
  ASSERT_THAT(token, IsOk());
  const auto claims = OpenSignedToken(*token, kKey);
  ASSERT_THAT(claims, IsOk());
  EXPECT_EQ(*claims, R"({"library":"x"})");
  EXPECT_EQ(DecodeBase64Url(token->substr(0, token->find('.'))).value(), R"({"alg":"HS256"})");
}

TEST(SignedTokenTest, NothingElseIsOpened) {
  const std::string token = SignToken(R"({"library":"x"})", kKey).value();
  EXPECT_THAT(OpenSignedToken(token, SecretKey{}), FailsWith(ErrorCode::kPermissionDenied));
  for (std::size_t i = 0; i < token.size(); ++i) {
    std::string changed = token;
    changed[i] = changed[i] == 'A' ? 'B' : 'A';
    EXPECT_THAT(OpenSignedToken(changed, kKey), FailsWith(ErrorCode::kPermissionDenied)) << i;
    EXPECT_THAT(OpenSignedToken(token.substr(0, i), kKey), FailsWith(ErrorCode::kPermissionDenied));
  }
  const std::string none =
      EncodeBase64Url(R"({"alg":"none"})") + "." + EncodeBase64Url(R"({"library":"x"})") + ".";
  for (const std::string& bad : {none, std::string("..") + token, token + ".", token + "AA",
                                 std::string(5000, 'a') + ".a.a"}) {
    EXPECT_THAT(OpenSignedToken(bad, kKey), FailsWith(ErrorCode::kPermissionDenied)) << bad;
  }
}

}  // namespace
}  // namespace atrium::oidc
