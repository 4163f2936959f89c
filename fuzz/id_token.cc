// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "oidc/id_token.h"

#include <chrono>
#include <string>
#include <string_view>

#include "base/check.h"
#include "base/instant.h"
#include "base/result.h"
#include "fuzz/fuzzing.h"
#include "oidc/claims.h"
#include "oidc/discovery.h"
#include "oidc/keys.h"
#include "oidc/provider.h"

namespace atrium::fuzz {
namespace {

constexpr std::string_view kIssuer = "https://id.example";
// Whom the seeds were issued to, by keys whose private halves no longer exist.
constexpr std::string_view kSubject = "248289761001";
constexpr std::string_view kKeys =
    R"json({"keys":[{"kid":"rsa","use":"sig","kty":"RSA","n":"rsgtoGZmvS28Nk72ax9Dssklk)json"
    R"json(33uRBZ3cFvX0NczMwKb8M3nLsCgB8Loqtb-dud-XD7o7R5_DDpTAA_CAYqIymUWLSIU1L8hEZldU)json"
    R"json(Eub3EaV3DlV5eaNnVmdUdXgux1Htb7J1A6hALhYPbFoZiDYfA-VoFgQod_63Wq2UwRfAbx6gLCIL)json"
    R"json(WKO3jGhe4l5jI4f3p0s5cB1DDB5RuPPSFcx9WPLt1dqvz8nsOXGy52y5FEyn9a1kaZD3h18RTZT8)json"
    R"json(zOCGecDUWMzMLI1ttzAa8SERrszgjCh0xvtLoDWoPGBPEq4lErtI699uSL0Yxx4s2e3veTUE2kwR)json"
    R"json(V9pAg7_t-Wohw","e":"AQAB"},{"kid":"ec","kty":"EC","x":"uLpUGfyrm9DZ3DxjOCCeN)json"
    R"json(q4UdVgOeVRroxpoQ6ft4oc","y":"io8ytfshFQOjfUZ-6qYRzI8c6HFXn3XWQvYhzp85-PA","c)json"
    R"json(rv":"P-256"}]})json";

oidc::Expected Wanted() {
  constexpr std::chrono::seconds kSeedsWereIssued{1'794'744'000};
  return {.issuer = std::string(kIssuer),
          .client_id = "atrium",
          .nonce = "n-0S6",
          .now = Instant(kSeedsWereIssued)};
}

void CheckClaims(const oidc::Claims& claims) {
  Check(claims.issuer == kIssuer, "the issuer is the expected one");
  Check(!claims.subject.empty() && claims.subject.size() <= oidc::kSubjectBytesMax,
        "there is a subject");
  Check(!claims.email_verified || !claims.email.empty(), "what is verified is there");
}

void TryToken(std::string_view input) {
  static const Result<oidc::KeySet> keys = oidc::ParseKeySet(kKeys);
  Check(keys.has_value(), "the keys of the seeds are read");
  const Result<oidc::Claims> claims = oidc::VerifyIdToken(input, *keys, Wanted());
  if (claims) {
    Check(oidc::ReadTokenHeader(input).has_value(), "what is verified has a header");
    Check(claims->subject == kSubject, "only what was signed is accepted");
  }
}

void TryDocuments(std::string_view input) {
  if (const Result<oidc::KeySet> keys = oidc::ParseKeySet(input)) {
    Check(!keys->keys.empty() && keys->keys.size() <= oidc::kKeysMax, "keys are bounded");
    for (const oidc::Key& key : keys->keys) {
      Check(keys->Knows(key.kid), "keys are found by their id");
      Check(oidc::ParseKeySet(R"({"keys":[)" + key.jwk + "]}").has_value(), "keys read back");
    }
  }
  if (const Result<oidc::Discovery> discovery = oidc::ParseDiscovery(input, kIssuer)) {
    Check(discovery->issuer == kIssuer, "the issuer is the expected one");
    Check(oidc::ValidateEndpoint("token", discovery->token_endpoint).has_value(),
          "endpoints may be called");
  }
}

}  // namespace

/// The input is taken for each of the things a provider sends: a token, its claims, user info, keys
/// and the discovery document.
void TryInput(std::string_view input) {
  TryToken(input);
  TryDocuments(input);
  if (const Result<oidc::Claims> claims = oidc::ReadIdClaims(input, Wanted())) {
    CheckClaims(*claims);
  }
  const oidc::Claims known{.issuer = std::string(kIssuer), .subject = std::string(kSubject)};
  if (const Result<oidc::Claims> claims = oidc::ReadUserInfo(input, known)) {
    CheckClaims(*claims);
    Check(claims->subject == kSubject, "user info is about the same subject");
  }
}

}  // namespace atrium::fuzz
