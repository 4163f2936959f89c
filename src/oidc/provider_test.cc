// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "oidc/provider.h"

#include <gtest/gtest.h>

#include <string>

#include "base/error.h"
#include "base/testing.h"

namespace atrium::oidc {
namespace {

Provider Complete() {
  return {.issuer = "https://id.example", .client_id = "atrium"};
}

TEST(ProviderTest, AnHttpsIssuerAndAClientIdAreEnough) {
  EXPECT_THAT(Validate(Complete()), IsOk());
}

TEST(ProviderTest, PlainHttpIsForLoopbackAddressesOnly) {
  EXPECT_THAT(ValidateIssuer("http://127.0.0.1:3000"), IsOk());
  EXPECT_THAT(ValidateIssuer("http://127.8.8.8"), IsOk());
  EXPECT_THAT(ValidateIssuer("http://[::1]:3000/tenant"), IsOk());
  EXPECT_THAT(ValidateIssuer("http://id.example"),
              FailsSaying(ErrorCode::kInvalidArgument, "https"));
  EXPECT_THAT(ValidateIssuer("http://localhost:3000"),
              FailsSaying(ErrorCode::kInvalidArgument, "https"));
  EXPECT_THAT(ValidateIssuer("http://10.0.0.1"), FailsSaying(ErrorCode::kInvalidArgument, "https"));
}

TEST(ProviderTest, AnIssuerIsAPlainUrl) {
  EXPECT_THAT(ValidateIssuer(""), FailsWith(ErrorCode::kInvalidArgument));
  EXPECT_THAT(ValidateIssuer("id.example"), FailsWith(ErrorCode::kInvalidArgument));
  EXPECT_THAT(ValidateIssuer("https://id.example?a=b"),
              FailsSaying(ErrorCode::kInvalidArgument, "query"));
  EXPECT_THAT(ValidateIssuer("https://id.example#a"),
              FailsSaying(ErrorCode::kInvalidArgument, "fragment"));
  EXPECT_THAT(ValidateIssuer("https://" + std::string(3000, 'a')),
              FailsSaying(ErrorCode::kInvalidArgument, "too long"));
}

TEST(ProviderTest, AClientIdIsNeeded) {
  Provider provider = Complete();
  provider.client_id.clear();
  EXPECT_THAT(Validate(provider), FailsSaying(ErrorCode::kInvalidArgument, "client id"));
}

TEST(ProviderTest, ScopesAreWordsAndOneIsOpenid) {
  Provider provider = Complete();
  provider.scopes = {"email"};
  EXPECT_THAT(Validate(provider), FailsSaying(ErrorCode::kInvalidArgument, "openid"));
  provider.scopes = {"openid", "two words"};
  EXPECT_THAT(Validate(provider), FailsSaying(ErrorCode::kInvalidArgument, "scope"));
}

}  // namespace
}  // namespace atrium::oidc
