// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "oidc/flow.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "base/base64.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/testing.h"
#include "oidc/discovery.h"
#include "oidc/provider.h"
#include "oidc/provider_testing.h"

namespace atrium::oidc {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

constexpr std::string_view kToken = "https://id.example/token";
constexpr std::string_view kUserInfo = "https://id.example/me";

class FlowTest : public ::testing::Test {
 protected:
  Result<Tokens> Trade() {
    return Exchange(provider_, discovery_, client_,
                    {.code = "c0de", .redirect_uri = "https://a/cb", .code_verifier = "v3rifier"});
  }

  void Answer(std::string body, int status = 200) {
    provider_.Put(std::string(kToken), std::move(body), status);
  }

  std::string SentBody() const { return provider_.RequestsTo(kToken).back().body; }

  FakeProvider provider_;
  Discovery discovery_ = *ParseDiscovery(TestDiscovery(), kTestIssuer);
  Provider client_{
      .issuer = std::string(kTestIssuer), .client_id = "a b", .client_secret = "s3cret:&"};
};

TEST_F(FlowTest, EveryFlowHasThreeSecretsOfItsOwn) {
  const Flow one = NewFlow();
  const Flow other = NewFlow();
  const std::set<std::string> all{one.state,   one.nonce,   one.code_verifier,
                                  other.state, other.nonce, other.code_verifier};
  EXPECT_THAT(all, SizeIs(6));
  for (const std::string& secret : all) {
    EXPECT_THAT(DecodeBase64Url(secret), Holds(SizeIs(32)));
  }
}

TEST_F(FlowTest, TheBrowserIsSentWithACodeChallenge) {
  const Flow flow{.state = "st", .nonce = "no", .code_verifier = "ve"};
  const std::string url = AuthorizationUrl(discovery_, client_, flow, "https://a/cb?x=1",
                                           {.login_hint = "ann@b.c", .prompt = "login"});
  EXPECT_EQ(url,
            "https://id.example/auth?response_type=code&client_id=a%20b"
            "&redirect_uri=https%3A%2F%2Fa%2Fcb%3Fx%3D1&scope=openid%20email%20profile"
            "&state=st&nonce=no&code_challenge=" +
                EncodeBase64Url(Sha256Of("ve")) +
                "&code_challenge_method=S256&login_hint=ann%40b.c&prompt=login");
}

TEST_F(FlowTest, AQueryOfTheEndpointStays) {
  discovery_.authorization_endpoint += "?tenant=1";
  EXPECT_THAT(AuthorizationUrl(discovery_, client_, {}, "https://a/cb"),
              StartsWith("https://id.example/auth?tenant=1&response_type=code&"));
}

TEST_F(FlowTest, TheSecretGoesInAHeaderWhereThatIsPossible) {
  Answer(R"({"id_token":"i","access_token":"a","token_type":"Bearer"})");
  const Result<Tokens> tokens = Trade();
  ASSERT_THAT(tokens, IsOk());
  EXPECT_EQ(tokens->id_token, "i");
  EXPECT_EQ(tokens->access_token, "a");
  const auto request = provider_.RequestsTo(kToken).back();
  ASSERT_THAT(request.secret_headers, SizeIs(1));
  EXPECT_EQ(request.secret_headers[0].value, "Basic " + EncodeBase64("a%20b:s3cret%3A%26"));
  EXPECT_EQ(request.body,
            "grant_type=authorization_code&code=c0de&redirect_uri=https%3A%2F%2Fa%2Fcb"
            "&code_verifier=v3rifier");
  EXPECT_EQ(request.retry.repeat, egress::Repeat::kNever);
}

TEST_F(FlowTest, TheSecretGoesInTheFormWhereTheProviderWantsItThere) {
  Answer(R"({"id_token":"i"})");
  discovery_.token_endpoint_auth_methods_supported = {"private_key_jwt", "client_secret_post"};
  ASSERT_THAT(Trade(), IsOk());
  EXPECT_THAT(SentBody(), HasSubstr("&client_id=a%20b&client_secret=s3cret%3A%26"));
  EXPECT_THAT(provider_.RequestsTo(kToken).back().secret_headers, SizeIs(0));
}

TEST_F(FlowTest, APublicClientSendsItsIdAlone) {
  Answer(R"({"id_token":"i"})");
  client_.client_secret.clear();
  ASSERT_THAT(Trade(), IsOk());
  EXPECT_THAT(SentBody(), HasSubstr("&client_id=a%20b"));
  EXPECT_THAT(SentBody(), Not(HasSubstr("client_secret")));
  EXPECT_THAT(provider_.RequestsTo(kToken).back().secret_headers, SizeIs(0));
}

TEST_F(FlowTest, AProviderThatAcceptsNoSecretIsNotAsked) {
  discovery_.token_endpoint_auth_methods_supported = {"private_key_jwt"};
  EXPECT_THAT(Trade(), FailsSaying(ErrorCode::kInvalidArgument, "client_secret_basic"));
  EXPECT_THAT(provider_.RequestsTo(kToken), SizeIs(0));
}

TEST_F(FlowTest, ARefusalNamesTheProvidersReasonAndNoSecret) {
  Answer(R"({"error":"invalid_grant","error_description":"code c0de was used"})", 400);
  const Result<Tokens> tokens = Trade();
  ASSERT_THAT(tokens, FailsSaying(ErrorCode::kPermissionDenied, "invalid_grant"));
  for (const char* const secret : {"c0de", "s3cret", "v3rifier"}) {
    EXPECT_THAT(Describe(tokens.error()), Not(HasSubstr(secret)));
  }
}

TEST_F(FlowTest, AReasonThatIsNoWordIsNotRepeated) {
  Answer(R"({"error":"<script>\nc0de"})", 401);
  EXPECT_THAT(Trade(), FailsSaying(ErrorCode::kPermissionDenied, "no reason given"));
}

TEST_F(FlowTest, AProviderThatFailsIsUnavailable) {
  for (const int status : {429, 500, 503}) {
    Answer("", status);
    EXPECT_THAT(Trade(), FailsWith(ErrorCode::kUnavailable));
  }
  Answer("<html>");
  EXPECT_THAT(Trade(), FailsWith(ErrorCode::kUnavailable));
  provider_.GoDown();
  EXPECT_THAT(Trade(), FailsWith(ErrorCode::kUnavailable));
}

TEST_F(FlowTest, AnAnswerWithoutIdTokenIsRefused) {
  Answer(R"({"access_token":"a"})");
  EXPECT_THAT(Trade(), FailsSaying(ErrorCode::kPermissionDenied, "no ID token"));
}

TEST_F(FlowTest, UserInfoFillsWhatIsMissing) {
  provider_.Put(std::string(kUserInfo),
                R"({"sub":"7","email":"ann@b.c","email_verified":true,"name":"Ann"})");
  const Result<Claims> claims =
      FetchUserInfo(provider_, discovery_, "t0ken", {.subject = "7", .name = "Annie"});
  EXPECT_THAT(
      claims,
      Holds(Claims{.subject = "7", .email = "ann@b.c", .email_verified = true, .name = "Annie"}));
  EXPECT_EQ(provider_.RequestsTo(kUserInfo).back().secret_headers.at(0).value, "Bearer t0ken");
}

TEST_F(FlowTest, UserInfoDoesNotVerifyAnAddressFromElsewhere) {
  provider_.Put(std::string(kUserInfo),
                R"({"sub":"7","email":"bob@b.c","email_verified":true,"name":"Ann"})");
  const Result<Claims> claims =
      FetchUserInfo(provider_, discovery_, "t0ken", {.subject = "7", .email = "ann@b.c"});
  EXPECT_THAT(claims, Holds(Claims{.subject = "7", .email = "ann@b.c", .name = "Ann"}));
}

TEST_F(FlowTest, UserInfoAboutSomebodyElseIsRefused) {
  provider_.Put(std::string(kUserInfo), R"({"sub":"8","email":"bob@b.c"})");
  EXPECT_THAT(FetchUserInfo(provider_, discovery_, "t0ken", {.subject = "7"}),
              FailsSaying(ErrorCode::kPermissionDenied, "another subject"));
}

TEST_F(FlowTest, UserInfoThatIsNotToBeHadIsAFailure) {
  const auto fetch = [&](std::string body, int status) {
    provider_.Put(std::string(kUserInfo), std::move(body), status);
    return FetchUserInfo(provider_, discovery_, "t0ken", {.subject = "7"});
  };
  EXPECT_THAT(fetch("", 401), FailsWith(ErrorCode::kPermissionDenied));
  EXPECT_THAT(fetch("", 500), FailsWith(ErrorCode::kUnavailable));
  EXPECT_THAT(fetch("eyJ", 200), FailsWith(ErrorCode::kUnavailable));
  EXPECT_THAT(fetch("{}", 200), FailsWith(ErrorCode::kUnavailable));
}

}  // namespace
}  // namespace atrium::oidc
