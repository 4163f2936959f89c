// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "identity/totp.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/instant.h"

namespace atrium::identity {
namespace {

using std::chrono::seconds;
using ::testing::Each;
using ::testing::Eq;
using ::testing::MatchesRegex;
using ::testing::Optional;
using ::testing::SizeIs;

constexpr std::string_view kSecret = "12345678901234567890";
constexpr Instant kNow{seconds(1'111'111'109)};
constexpr std::uint64_t kNowStep = 37'037'036;

TEST(TotpTest, CodesAreThoseOfTheStandard) {
  // RFC 6238 appendix B, the last six of its eight digits.
  constexpr std::array<std::pair<std::int64_t, std::string_view>, 6> kVectors{{
      {59, "287082"},
      {1'111'111'109, "081804"},
      {1'111'111'111, "050471"},
      {1'234'567'890, "005924"},
      {2'000'000'000, "279037"},
      {20'000'000'000, "353130"},
  }};
  for (const auto& [time, code] : kVectors) {
    EXPECT_EQ(TotpCode(kSecret, TotpStep(Instant(seconds(time)))), code) << time;
  }
}

TEST(TotpTest, CodesOfTheCounterAreThoseOfTheirStandard) {
  // RFC 4226 appendix D.
  constexpr std::array<std::string_view, 10> kCounterCodes{"755224", "287082", "359152", "969429",
                                                           "338314", "254676", "287922", "162583",
                                                           "399871", "520489"};
  std::uint64_t step = 0;
  for (const std::string_view code : kCounterCodes) {
    EXPECT_EQ(TotpCode(kSecret, step), code) << step;
    ++step;
  }
}

TEST(TotpTest, AStepIsThirtySeconds) {
  EXPECT_EQ(TotpStep(Instant(seconds(29))), 0U);
  EXPECT_EQ(TotpStep(Instant(seconds(30))), 1U);
  EXPECT_EQ(TotpStep(kNow), kNowStep);
  EXPECT_EQ(TotpStep(Instant(seconds(-100))), 0U);
}

TEST(TotpTest, TheCurrentCodeMatches) {
  EXPECT_THAT(MatchTotp(kSecret, "081804", kNow, 0), Optional(kNowStep));
}

TEST(TotpTest, OneStepEitherWayMatches) {
  EXPECT_THAT(MatchTotp(kSecret, "081804", kNow + seconds(30), 0), Optional(kNowStep));
  EXPECT_THAT(MatchTotp(kSecret, "081804", kNow - seconds(30), 0), Optional(kNowStep));
}

TEST(TotpTest, TwoStepsEitherWayDoNot) {
  EXPECT_EQ(MatchTotp(kSecret, "081804", kNow + seconds(60), 0), std::nullopt);
  EXPECT_EQ(MatchTotp(kSecret, "081804", kNow - seconds(60), 0), std::nullopt);
}

TEST(TotpTest, ACodeIsGoodOnce) {
  EXPECT_EQ(MatchTotp(kSecret, "081804", kNow, kNowStep), std::nullopt);
}

TEST(TotpTest, AnEarlierCodeIsNotGoodAfterALaterOne) {
  const std::string earlier = TotpCode(kSecret, kNowStep - 1);
  EXPECT_THAT(MatchTotp(kSecret, earlier, kNow, kNowStep - 2), Optional(kNowStep - 1));
  EXPECT_EQ(MatchTotp(kSecret, earlier, kNow, kNowStep), std::nullopt);
}

TEST(TotpTest, TheNextCodeIsGoodAfterTheCurrentOne) {
  const std::string next = TotpCode(kSecret, kNowStep + 1);
  EXPECT_THAT(MatchTotp(kSecret, next, kNow, kNowStep), Optional(kNowStep + 1));
}

TEST(TotpTest, SpacesInTheCodeDoNotMatter) {
  EXPECT_THAT(MatchTotp(kSecret, " 081 804 ", kNow, 0), Optional(kNowStep));
}

TEST(TotpTest, WhatIsNoCodeDoesNotMatch) {
  for (const char* code : {"", "81804", "0081804", "08180", "+81804", "abcdef", "081804x"}) {
    EXPECT_EQ(MatchTotp(kSecret, code, kNow, 0), std::nullopt) << code;
  }
}

TEST(TotpTest, AnotherSecretHasOtherCodes) {
  EXPECT_EQ(MatchTotp("another secret of 20", "081804", kNow, 0), std::nullopt);
}

TEST(TotpTest, BeforeTheEpochNothingBreaks) {
  EXPECT_THAT(MatchTotp(kSecret, TotpCode(kSecret, 1), Instant(seconds(-100)), 0),
              Optional(Eq(1U)));
}

TEST(TotpTest, SecretsAreTwentyBytesAndDiffer) {
  EXPECT_EQ(NewTotpSecret().size(), 20U);
  EXPECT_NE(NewTotpSecret(), NewTotpSecret());
}

TEST(TotpTest, TheUriNamesEverythingAnAppNeeds) {
  EXPECT_EQ(TotpUri("Our house", "ann+home@example.org", kSecret),
            "otpauth://totp/Our%20house:ann%2Bhome%40example.org"
            "?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Our%20house"
            "&algorithm=SHA1&digits=6&period=30");
}

TEST(TotpTest, TheUriEncodesBytesOutsideAscii) {
  EXPECT_THAT(TotpUri("Höfe", "a:b/c?d", "x"),
              ::testing::StartsWith("otpauth://totp/H%C3%B6fe:a%3Ab%2Fc%3Fd?secret="));
}

TEST(RecoveryCodeTest, ThereAreTenOfTwoGroups) {
  const std::vector<std::string> codes = NewRecoveryCodes();
  EXPECT_THAT(codes, SizeIs(10));
  EXPECT_THAT(codes, Each(MatchesRegex("[0-9a-hjkmnp-tv-z]{5}-[0-9a-hjkmnp-tv-z]{5}")));
  EXPECT_THAT(std::set<std::string>(codes.begin(), codes.end()), SizeIs(10));
}

TEST(RecoveryCodeTest, CaseSpacesAndHyphensDoNotMatter) {
  const std::string hash = RecoveryCodeHash("ab0de-fgh1k");
  EXPECT_EQ(hash.size(), 64U);
  EXPECT_EQ(RecoveryCodeHash("AB0DEFGH1K"), hash);
  EXPECT_EQ(RecoveryCodeHash(" abOde fghlk "), hash);
}

TEST(RecoveryCodeTest, DifferentCodesHaveDifferentHashes) {
  EXPECT_NE(RecoveryCodeHash("abcde-fghjk"), RecoveryCodeHash("abcde-fghjm"));
}

}  // namespace
}  // namespace atrium::identity
