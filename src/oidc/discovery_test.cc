// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "oidc/discovery.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "base/error.h"
#include "base/testing.h"
#include "oidc/provider_testing.h"

namespace atrium::oidc {
namespace {

using ::testing::ElementsAre;

std::string Replaced(std::string_view what, std::string_view by) {
  std::string document = TestDiscovery();
  document.replace(document.find(what), what.size(), by);
  return document;
}

TEST(DiscoveryTest, TheDocumentOfTheIssuerIsRead) {
  const Result<Discovery> discovery = ParseDiscovery(TestDiscovery(), kTestIssuer);
  ASSERT_THAT(discovery, IsOk());
  EXPECT_EQ(discovery->authorization_endpoint, "https://id.example/auth");
  EXPECT_EQ(discovery->userinfo_endpoint, "https://id.example/me");
  EXPECT_THAT(discovery->token_endpoint_auth_methods_supported, ElementsAre("client_secret_basic"));
}

TEST(DiscoveryTest, AnotherIssuerIsRefused) {
  EXPECT_THAT(ParseDiscovery(TestDiscovery(), "https://id.example/"),
              FailsSaying(ErrorCode::kPermissionDenied, "another issuer"));
  EXPECT_THAT(ParseDiscovery(Replaced("https://id.example", "https://evil.example"), kTestIssuer),
              FailsSaying(ErrorCode::kPermissionDenied, "another issuer"));
}

TEST(DiscoveryTest, EndpointsAreHttps) {
  EXPECT_THAT(
      ParseDiscovery(Replaced("https://id.example/token", "http://id.example/token"), kTestIssuer),
      FailsSaying(ErrorCode::kInvalidArgument, "token_endpoint"));
  EXPECT_THAT(
      ParseDiscovery(Replaced("https://id.example/jwks", "file:///etc/passwd"), kTestIssuer),
      FailsWith(ErrorCode::kInvalidArgument));
}

TEST(DiscoveryTest, EndpointsMustBeThereButUserInfoNeedNot) {
  EXPECT_THAT(ParseDiscovery(Replaced("jwks_uri", "other"), kTestIssuer),
              FailsWith(ErrorCode::kInvalidArgument));
  EXPECT_THAT(ParseDiscovery(Replaced("userinfo_endpoint", "other"), kTestIssuer), IsOk());
}

TEST(DiscoveryTest, WhatIsNoDocumentIsRefused) {
  EXPECT_THAT(ParseDiscovery("<html>", kTestIssuer), FailsWith(ErrorCode::kInvalidArgument));
  EXPECT_THAT(ParseDiscovery("[]", kTestIssuer), FailsWith(ErrorCode::kInvalidArgument));
}

TEST(DiscoveryTest, TheUrlIsBelowTheIssuerWithOneSlash) {
  EXPECT_EQ(DiscoveryUrl("https://a.example/t"),
            "https://a.example/t/.well-known/openid-configuration");
  EXPECT_EQ(DiscoveryUrl("https://a.example/"),
            "https://a.example/.well-known/openid-configuration");
}

}  // namespace
}  // namespace atrium::oidc
