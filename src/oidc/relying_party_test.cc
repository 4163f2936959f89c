// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "oidc/relying_party.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "base/clock.h"
#include "base/error.h"
#include "base/instant.h"
#include "base/testing.h"
#include "oidc/provider_testing.h"

namespace atrium::oidc {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::StartsWith;

constexpr std::int64_t kNow = 1'794'744'000;

class RelyingPartyTest : public ::testing::Test {
 protected:
  RelyingPartyTest() { provider_.PutKeys({&key_}); }

  /// Lays out the answer to the next exchange.
  void Issue(const TestKey& key, const std::string& nonce, const std::string& more = "") {
    const std::string payload = R"({"iss":"https://id.example","sub":"7","aud":"atrium","exp":)" +
                                std::to_string(kNow + 300) + R"(,"iat":)" + std::to_string(kNow) +
                                R"(,"nonce":")" + nonce + "\"" + more + "}";
    provider_.Put("https://id.example/token",
                  R"({"access_token":"t","id_token":")" + key.Sign("ES256", payload) + R"("})");
  }

  Result<Claims> Finish(const Flow& flow) {
    return party_.Finish(client_, "https://a/cb", flow, "c0de");
  }

  TestKey key_ = TestKey::Ec("one");
  FakeProvider provider_;
  FixedClock clock_{Instant(std::chrono::seconds(kNow))};
  RelyingParty party_{provider_, clock_};
  Provider client_{.issuer = std::string(kTestIssuer), .client_id = "atrium", .client_secret = "s"};
  const std::string complete_ = R"(,"email":"ann@b.c","email_verified":true,"name":"Ann")";
};

TEST_F(RelyingPartyTest, APersonSignsIn) {
  const Result<Started> started = party_.Begin(client_, "https://a/cb");
  ASSERT_THAT(started, IsOk());
  EXPECT_THAT(started->url, StartsWith("https://id.example/auth?"));
  EXPECT_THAT(started->url, HasSubstr("state=" + started->flow.state));
  Issue(key_, started->flow.nonce, complete_);
  const Result<Claims> claims = Finish(started->flow);
  ASSERT_THAT(claims, IsOk());
  EXPECT_EQ(claims->subject, "7");
  EXPECT_EQ(claims->email, "ann@b.c");
  EXPECT_TRUE(claims->email_verified);
  EXPECT_THAT(provider_.RequestsTo("https://id.example/me"), SizeIs(0));
}

TEST_F(RelyingPartyTest, TheAddressComesFromUserInfoWhenTheTokenHasNone) {
  const Flow flow = NewFlow();
  Issue(key_, flow.nonce);
  provider_.Put("https://id.example/me", R"({"sub":"7","email":"ann@b.c"})");
  const Result<Claims> claims = Finish(flow);
  ASSERT_THAT(claims, IsOk());
  EXPECT_EQ(claims->email, "ann@b.c");
}

TEST_F(RelyingPartyTest, AnotherFlowsTokenIsRefused) {
  Issue(key_, NewFlow().nonce, complete_);
  EXPECT_THAT(Finish(NewFlow()), FailsSaying(ErrorCode::kPermissionDenied, "nonce"));
}

TEST_F(RelyingPartyTest, KeysMayRotateBetweenTwoSignIns) {
  const Flow flow = NewFlow();
  Issue(key_, flow.nonce, complete_);
  ASSERT_THAT(Finish(flow), IsOk());
  const TestKey next = TestKey::Ec("two");
  provider_.PutKeys({&next});
  Issue(next, flow.nonce, complete_);
  EXPECT_THAT(Finish(flow), IsOk());
  const TestKey stranger = TestKey::Ec("three");
  Issue(stranger, flow.nonce, complete_);
  EXPECT_THAT(Finish(flow), FailsSaying(ErrorCode::kPermissionDenied, "unknown key"));
}

TEST_F(RelyingPartyTest, WhatCannotSucceedIsNotBegun) {
  client_.client_id.clear();
  EXPECT_THAT(party_.Begin(client_, "https://a/cb"), FailsWith(ErrorCode::kInvalidArgument));
  EXPECT_THAT(Finish(NewFlow()), FailsWith(ErrorCode::kInvalidArgument));
}

TEST_F(RelyingPartyTest, AMissingCodeIsRefused) {
  EXPECT_THAT(party_.Finish(client_, "https://a/cb", NewFlow(), ""),
              FailsSaying(ErrorCode::kInvalidArgument, "code"));
}

}  // namespace
}  // namespace atrium::oidc
