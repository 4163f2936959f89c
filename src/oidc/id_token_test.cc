// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "oidc/id_token.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/base64.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/instant.h"
#include "base/testing.h"
#include "oidc/claims.h"
#include "oidc/keys.h"
#include "oidc/provider_testing.h"

namespace atrium::oidc {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;

// 2026-11-15T12:00:00Z.
constexpr std::int64_t kNow = 1'794'744'000;

const TestKey& RsaKey() {
  static const TestKey key = TestKey::Rsa("rsa");
  return key;
}

const TestKey& EcKey() {
  static const TestKey key = TestKey::Ec("ec");
  return key;
}

KeySet Keys(const std::vector<const TestKey*>& keys) {
  std::string list;
  for (const TestKey* key : keys) {
    list += (list.empty() ? "" : ",") + key->Jwk();
  }
  return *ParseKeySet(R"({"keys":[)" + list + "]}");
}

Expected Wanted() {
  return {.issuer = std::string(kTestIssuer),
          .client_id = "atrium",
          .nonce = "n-0S6",
          .now = Instant(seconds(kNow))};
}

/// Claims that hold, with one of them written anew, or taken out when `value` is empty.
std::string Payload(std::string_view name = "", std::string_view value = "") {
  std::map<std::string, std::string, std::less<>> claims{
      {"iss", R"("https://id.example")"},  {"sub", R"("248289761001")"},  {"aud", R"("atrium")"},
      {"exp", std::to_string(kNow + 300)}, {"iat", std::to_string(kNow)}, {"nonce", R"("n-0S6")"}};
  if (value.empty()) {
    claims.erase(std::string(name));
  } else {
    claims[std::string(name)] = value;
  }
  std::string text;
  for (const auto& [claim, json] : claims) {
    text += (text.empty() ? "{\"" : ",\"") + claim + "\":" + json;
  }
  return text + "}";
}

Result<Claims> VerifyPayload(const std::string& payload) {
  return VerifyIdToken(EcKey().Sign("ES256", payload), Keys({&EcKey()}), Wanted());
}

Result<Claims> VerifyClaim(std::string_view name, std::string_view value) {
  return VerifyPayload(Payload(name, value));
}

std::string After(seconds delay) {
  return std::to_string(kNow + delay.count());
}

TestKey KeyFor(std::string_view algorithm) {
  if (!algorithm.starts_with("ES")) {
    return RsaKey();
  }
  return algorithm == "ES256" ? EcKey()
                              : TestKey::Ec("k", algorithm == "ES384" ? "P-384" : "P-521");
}

class AlgorithmTest : public ::testing::TestWithParam<const char*> {};

TEST_P(AlgorithmTest, ATokenSignedByTheProviderIsAccepted) {
  const std::string algorithm = GetParam();
  const TestKey key = KeyFor(algorithm);
  const Result<Claims> claims =
      VerifyIdToken(key.Sign(algorithm, Payload()), Keys({&key}), Wanted());
  ASSERT_THAT(claims, IsOk());
  EXPECT_EQ(claims->subject, "248289761001");
  EXPECT_EQ(claims->issuer, kTestIssuer);
}

TEST_P(AlgorithmTest, ATokenThatWasAlteredIsRefused) {
  const std::string algorithm = GetParam();
  const TestKey key = KeyFor(algorithm);
  const std::string token = key.Sign(algorithm, Payload());
  const std::string head = token.substr(0, token.find('.'));
  const std::string signature = token.substr(token.rfind('.'));
  const std::string forged = head + "." + EncodeBase64Url(Payload("sub", "\"admin\"")) + signature;
  EXPECT_THAT(VerifyIdToken(forged, Keys({&key}), Wanted()),
              FailsSaying(ErrorCode::kPermissionDenied, "signature"));
}

INSTANTIATE_TEST_SUITE_P(All, AlgorithmTest,
                         ::testing::Values("RS256", "RS384", "RS512", "PS256", "PS384", "PS512",
                                           "ES256", "ES384", "ES512"));

TEST(IdTokenTest, ATokenWithoutSignatureIsRefused) {
  const std::string payload = "." + EncodeBase64Url(Payload()) + ".";
  for (const std::string_view alg : {"none", "None", "NONE", ""}) {
    const std::string header = R"({"alg":")" + std::string(alg) + R"("})";
    EXPECT_THAT(VerifyIdToken(EncodeBase64Url(header) + payload, Keys({&RsaKey()}), Wanted()),
                FailsSaying(ErrorCode::kPermissionDenied, "algorithm"));
  }
  EXPECT_THAT(
      VerifyIdToken(EncodeBase64Url(R"({"alg":"RS256"})") + payload, Keys({&RsaKey()}), Wanted()),
      FailsWith(ErrorCode::kInvalidArgument));
}

TEST(IdTokenTest, ThePublicKeyIsNoSharedSecret) {
  const std::string public_key = Keys({&RsaKey()}).keys[0].jwk;
  const std::string input =
      EncodeBase64Url(R"({"alg":"HS256","kid":"rsa"})") + "." + EncodeBase64Url(Payload());
  const std::string mac = EncodeBase64Url(HmacSha256(std::as_bytes(std::span(public_key)), input));
  EXPECT_THAT(VerifyIdToken(input + "." + mac, Keys({&RsaKey()}), Wanted()),
              FailsSaying(ErrorCode::kPermissionDenied, "algorithm"));
}

TEST(IdTokenTest, AKeyThatTheProviderDoesNotPublishIsRefused) {
  const TestKey stranger = TestKey::Ec("stranger");
  EXPECT_THAT(VerifyIdToken(stranger.Sign("ES256", Payload()), Keys({&EcKey()}), Wanted()),
              FailsSaying(ErrorCode::kPermissionDenied, "unknown key"));
  const TestKey impostor = TestKey::Ec("ec");
  EXPECT_THAT(VerifyIdToken(impostor.Sign("ES256", Payload()), Keys({&EcKey()}), Wanted()),
              FailsSaying(ErrorCode::kPermissionDenied, "signature"));
}

TEST(IdTokenTest, WithoutAKeyIdEachKeyThatFitsIsTried) {
  const TestKey nameless = TestKey::Ec("");
  const std::string token = nameless.Sign("ES256", Payload());
  EXPECT_THAT(VerifyIdToken(token, Keys({&EcKey(), &RsaKey(), &nameless}), Wanted()), IsOk());
  EXPECT_THAT(VerifyIdToken(token, Keys({&EcKey(), &RsaKey()}), Wanted()),
              FailsSaying(ErrorCode::kPermissionDenied, "signature"));
}

TEST(IdTokenTest, AKeyIdIsBindingEvenIfAnotherKeyWouldFit) {
  const TestKey nameless = TestKey::Ec("");
  const std::string token = nameless.SignWith(R"({"alg":"ES256","kid":"ec"})", "ES256", Payload());
  EXPECT_THAT(VerifyIdToken(token, Keys({&EcKey(), &nameless}), Wanted()),
              FailsSaying(ErrorCode::kPermissionDenied, "signature"));
}

TEST(IdTokenTest, TheAlgorithmMustBeThatOfTheKey) {
  const std::string token = RsaKey().SignWith(R"({"alg":"ES256","kid":"rsa"})", "RS256", Payload());
  EXPECT_THAT(VerifyIdToken(token, Keys({&RsaKey()}), Wanted()),
              FailsSaying(ErrorCode::kPermissionDenied, "unknown key"));
}

TEST(IdTokenTest, CriticalExtensionsAreRefused) {
  const std::string token = EcKey().SignWith(
      R"({"alg":"ES256","kid":"ec","crit":["b64"],"b64":true})", "ES256", Payload());
  EXPECT_THAT(VerifyIdToken(token, Keys({&EcKey()}), Wanted()),
              FailsSaying(ErrorCode::kPermissionDenied, "critical"));
}

TEST(IdTokenTest, TwoAlgorithmsInOneHeaderAreRefused) {
  const std::string token =
      EcKey().SignWith(R"({"alg":"ES256","kid":"ec","alg":"none"})", "ES256", Payload());
  EXPECT_THAT(VerifyIdToken(token, Keys({&EcKey()}), Wanted()),
              FailsSaying(ErrorCode::kInvalidArgument, "header"));
}

TEST(IdTokenTest, WhatIsNoTokenIsRefused) {
  const std::string good = EcKey().Sign("ES256", Payload());
  for (const std::string& text :
       {std::string(), std::string("."), std::string(".."), std::string("a.b.c"), good + ".",
        good + "=", "=" + good, good.substr(0, good.rfind('.')), std::string("e30.e30.e30"),
        "W10" + good.substr(good.find('.')), std::string(kTokenBytesMax + 1, 'a')}) {
    EXPECT_THAT(VerifyIdToken(text, Keys({&EcKey()}), Wanted()),
                FailsWith(ErrorCode::kInvalidArgument))
        << text.substr(0, 80);
  }
}

TEST(IdTokenTest, ASignedTokenMustStillHoldAnObject) {
  EXPECT_THAT(VerifyPayload("[]"), FailsWith(ErrorCode::kInvalidArgument));
  EXPECT_THAT(VerifyPayload("no json"), FailsWith(ErrorCode::kInvalidArgument));
}

TEST(IdTokenTest, AnotherIssuerIsRefused) {
  EXPECT_THAT(VerifyClaim("iss", R"("https://id.example/")"),
              FailsSaying(ErrorCode::kPermissionDenied, "iss"));
  EXPECT_THAT(VerifyClaim("iss", ""), FailsSaying(ErrorCode::kPermissionDenied, "iss"));
}

TEST(IdTokenTest, GoogleMayLeaveOutTheSchemeOfItsName) {
  Expected google = Wanted();
  google.issuer = "https://accounts.google.com";
  const Result<Claims> claims = ReadIdClaims(Payload("iss", R"("accounts.google.com")"), google);
  ASSERT_THAT(claims, IsOk());
  EXPECT_EQ(claims->issuer, "https://accounts.google.com");
  EXPECT_THAT(ReadIdClaims(Payload("iss", R"("id.example")"), Wanted()),
              FailsSaying(ErrorCode::kPermissionDenied, "iss"));
}

TEST(IdTokenTest, AnotherAudienceIsRefused) {
  for (const std::string_view audience : {R"("other")", R"(["other"])", "[]", "7", "[7]", ""}) {
    EXPECT_THAT(VerifyClaim("aud", audience), FailsSaying(ErrorCode::kPermissionDenied, "aud"))
        << audience;
  }
  EXPECT_THAT(VerifyClaim("aud", R"(["atrium"])"), IsOk());
}

TEST(IdTokenTest, SeveralAudiencesNeedUsAsTheAuthorizedParty) {
  EXPECT_THAT(VerifyClaim("aud", R"(["atrium","other"])"),
              FailsSaying(ErrorCode::kPermissionDenied, "azp"));
  EXPECT_THAT(VerifyClaim("aud", R"(["atrium","other"],"azp":"other")"),
              FailsSaying(ErrorCode::kPermissionDenied, "azp"));
  EXPECT_THAT(VerifyClaim("aud", R"(["atrium","other"],"azp":"atrium")"), IsOk());
  EXPECT_THAT(VerifyClaim("azp", R"("other")"), FailsSaying(ErrorCode::kPermissionDenied, "azp"));
}

TEST(IdTokenTest, AnExpiredTokenIsRefusedOnceTheLeewayIsOver) {
  EXPECT_THAT(VerifyClaim("exp", After(seconds(-59))), IsOk());
  EXPECT_THAT(VerifyClaim("exp", After(seconds(-60))),
              FailsSaying(ErrorCode::kPermissionDenied, "expired"));
}

TEST(IdTokenTest, ATokenFromTheFutureIsRefusedBeyondTheLeeway) {
  EXPECT_THAT(VerifyClaim("iat", After(seconds(60))), IsOk());
  EXPECT_THAT(VerifyClaim("iat", After(seconds(61))),
              FailsSaying(ErrorCode::kPermissionDenied, "future"));
}

TEST(IdTokenTest, AnOldTokenIsRefusedThoughItHasNotExpired) {
  EXPECT_THAT(VerifyClaim("iat", After(-minutes(11))), IsOk());
  EXPECT_THAT(VerifyClaim("iat", After(-minutes(11) - seconds(1))),
              FailsSaying(ErrorCode::kPermissionDenied, "too long ago"));
}

TEST(IdTokenTest, ATokenThatIsNotValidYetIsRefused) {
  EXPECT_THAT(VerifyClaim("nbf", After(seconds(60))), IsOk());
  EXPECT_THAT(VerifyClaim("nbf", After(seconds(61))),
              FailsSaying(ErrorCode::kPermissionDenied, "not valid yet"));
}

TEST(IdTokenTest, DatesAreNumbersAndMustBeThere) {
  for (const std::string_view date : {"", R"("1794744000")", "-1", "1e300", "null", "{}"}) {
    EXPECT_THAT(VerifyClaim("exp", date), FailsSaying(ErrorCode::kInvalidArgument, "exp")) << date;
    EXPECT_THAT(VerifyClaim("iat", date), FailsSaying(ErrorCode::kInvalidArgument, "iat")) << date;
  }
  EXPECT_THAT(VerifyClaim("iat", std::to_string(kNow) + ".25"), IsOk());
}

TEST(IdTokenTest, TheNonceMustBeTheOneThatWasSent) {
  for (const std::string_view nonce : {"", R"("")", R"("n-0S7")", R"("n-0S66")", "7"}) {
    EXPECT_THAT(VerifyClaim("nonce", nonce), FailsSaying(ErrorCode::kPermissionDenied, "nonce"))
        << nonce;
  }
}

TEST(IdTokenTest, AFlowWithoutNonceAcceptsNothing) {
  Expected careless = Wanted();
  careless.nonce.clear();
  EXPECT_THAT(ReadIdClaims(Payload("nonce", R"("")"), careless),
              FailsSaying(ErrorCode::kPermissionDenied, "nonce"));
}

TEST(IdTokenTest, TheSubjectIsAShortText) {
  const std::string longest(kSubjectBytesMax, 's');
  EXPECT_THAT(VerifyClaim("sub", "\"" + longest + "\""), IsOk());
  for (const std::string& subject : {std::string(), std::string(R"("")"), "\"" + longest + "s\"",
                                     std::string("7"), std::string(R"("a\u0000b")")}) {
    EXPECT_THAT(VerifyClaim("sub", subject), FailsSaying(ErrorCode::kInvalidArgument, "sub"))
        << subject;
  }
}

TEST(IdTokenTest, ClaimsAboutThePersonAreRead) {
  const Result<Claims> claims = VerifyClaim(
      "email", R"("ann@example.org","email_verified":true,"name":"Ann","picture":"https://p",)"
               R"("locale":"de","hd":"example.org")");
  EXPECT_THAT(claims, Holds(Claims{.issuer = std::string(kTestIssuer),
                                   .subject = "248289761001",
                                   .email = "ann@example.org",
                                   .email_verified = true,
                                   .name = "Ann",
                                   .picture = "https://p",
                                   .locale = "de",
                                   .hosted_domain = "example.org"}));
}

TEST(IdTokenTest, AVerifiedAddressIsOneThatTheProviderSaysIsVerified) {
  const auto verified = [](const std::string& claim) {
    const Result<Claims> claims =
        VerifyClaim("email", R"("ann@example.org","email_verified":)" + claim);
    return claims.has_value() && claims->email_verified;
  };
  EXPECT_TRUE(verified("true"));
  EXPECT_TRUE(verified(R"("true")"));
  for (const char* const other : {"false", R"("false")", R"("yes")", "1", "null"}) {
    EXPECT_FALSE(verified(other)) << other;
  }
  EXPECT_FALSE(VerifyClaim("email_verified", "true")->email_verified);
}

TEST(IdTokenTest, OddClaimsAboutThePersonCountAsNotSaid) {
  const Result<Claims> claims = VerifyClaim(
      "email",
      R"("a\u0000@example.org","email_verified":true,"locale":{"language":"de"},"name":")" +
          std::string(3000, 'n') + "\"");
  ASSERT_THAT(claims, IsOk());
  EXPECT_EQ(claims->email, "");
  EXPECT_FALSE(claims->email_verified);
  EXPECT_EQ(claims->locale, "");
  EXPECT_EQ(claims->name, "");
}

}  // namespace
}  // namespace atrium::oidc
