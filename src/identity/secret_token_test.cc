// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "identity/secret_token.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace atrium::identity {
namespace {

using ::testing::MatchesRegex;
using ::testing::Optional;
using ::testing::StartsWith;

constexpr std::array kKinds{
    TokenKind::kSession,       TokenKind::kGuestSession, TokenKind::kApi,
    TokenKind::kPersonal,      TokenKind::kAppPassword,  TokenKind::kMagicLink,
    TokenKind::kPasswordReset, TokenKind::kEmailChange,  TokenKind::kEmailUndo,
    TokenKind::kSetup,         TokenKind::kInvitation};

TEST(SecretTokenTest, EveryKindIsKnownByItsForm) {
  for (const TokenKind kind : kKinds) {
    const std::string text = MakeSecret(kind).text;
    EXPECT_THAT(KindOf(text), Optional(kind)) << text;
  }
}

TEST(SecretTokenTest, NoTwoAreAlike) {
  std::set<std::string> hashes;
  for (const TokenKind kind : kKinds) {
    hashes.insert(MakeSecret(kind).hash);
    hashes.insert(MakeSecret(kind).hash);
  }
  EXPECT_EQ(hashes.size(), 2 * kKinds.size());
}

TEST(SecretTokenTest, TheHashIsThatOfTheText) {
  for (const TokenKind kind : kKinds) {
    const NewSecret secret = MakeSecret(kind);
    EXPECT_EQ(secret.hash, HashSecret(secret.text));
    EXPECT_THAT(secret.hash, MatchesRegex("[0-9a-f]{64}"));
  }
}

TEST(SecretTokenTest, TheHashIsStableForEver) {
  // Stored hashes are compared with these: a change here ends every session and token.
  EXPECT_EQ(HashSecret("ats_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"),
            "4df213d1882b9956c82480cc57d55dccb32ea1608cb40ed37efa45f92f3bbed6");
  EXPECT_EQ(HashSecret("0123456789abcdef0123456789abcdef01234567"),
            "deb87fabd17715bb31ad4cf4ffb9494eeb15f8d33d85b031a301c64ab3417eaa");
  EXPECT_EQ(HashSecret("abcde-fghjk-mnpqr-stvwx"),
            "4366b1861b81164a45e2bb8543fc031ceb4302ba495590a4e4e18a40724dcdef");
}

TEST(SecretTokenTest, SessionsAndPersonalTokensSayWhatTheyAre) {
  EXPECT_THAT(MakeSecret(TokenKind::kSession).text, MatchesRegex("ats_[A-Za-z0-9_-]{43}"));
  EXPECT_THAT(MakeSecret(TokenKind::kPersonal).text, StartsWith("atp_"));
  EXPECT_THAT(MakeSecret(TokenKind::kMagicLink).text, StartsWith("atm_"));
}

TEST(SecretTokenTest, ApiTokensAreFortyLowerCaseHexadecimalDigits) {
  EXPECT_THAT(MakeSecret(TokenKind::kApi).text, MatchesRegex("[0-9a-f]{40}"));
}

TEST(SecretTokenTest, AppPasswordsAreFourGroupsOfFive) {
  EXPECT_THAT(MakeSecret(TokenKind::kAppPassword).text,
              MatchesRegex("[0-9a-hjkmnp-tv-z]{5}(-[0-9a-hjkmnp-tv-z]{5}){3}"));
}

TEST(SecretTokenTest, AppPasswordsMayBeTypedInAnyCaseWithAnySeparators) {
  const std::string hash = HashSecret("abcd0-fghj1-mnpqr-stvwx");
  EXPECT_EQ(HashSecret("ABCD0FGHJ1MNPQRSTVWX"), hash);
  EXPECT_EQ(HashSecret(" abcd0 fghj1 mnpqr stvwx "), hash);
  EXPECT_EQ(HashSecret("abcdO-fghjl-mnpqr-stvwx"), hash);
}

TEST(SecretTokenTest, OtherSecretsAreComparedToTheLetter) {
  const std::string text = "atp_" + std::string(43, 'a');
  EXPECT_NE(HashSecret(text), HashSecret("atp_" + std::string(43, 'A')));
  EXPECT_NE(HashSecret(text), HashSecret(text + " "));
}

TEST(SecretTokenTest, OtherTextsAreOfNoKind) {
  const std::array<std::string, 9> texts{
      "",
      "ats_",
      "ats_" + std::string(42, 'a'),
      "ats_" + std::string(44, 'a'),
      "ats_" + std::string(42, 'a') + "!",
      "atx_" + std::string(43, 'a'),
      std::string(40, 'A'),
      std::string(39, 'a'),
      "correct horse battery",
  };
  for (const std::string& text : texts) {
    EXPECT_EQ(KindOf(text), std::nullopt) << text;
  }
}

TEST(SecretTokenTest, AnyTextCanBeHashed) {
  EXPECT_EQ(HashSecret(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

}  // namespace
}  // namespace atrium::identity
