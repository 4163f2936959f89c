// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "identity/password_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "base/error.h"
#include "base/testing.h"

namespace atrium::identity {
namespace {

constexpr PasswordContext kAnn{.email = "ann.schmidt7@example.org", .name = "Ann Marie Schmidt"};

auto Refused(std::string_view why) {
  return FailsSaying(ErrorCode::kInvalidArgument, std::string(why));
}

TEST(PasswordRulesTest, OrdinaryLongPasswordsAreTaken) {
  for (const char* password :
       {"tangerine fog", "hV8#k2pQ!z", "four small ducks on tour", "пароль на сегодня",
        "12 green bottles", "schmidt rides a bike", "ann.schmidt likes tea", "qwertyuiop is a row",
        "2026-11-15 lunch", "aaaabaaaab!", "abcdefghijz"}) {
    EXPECT_THAT(CheckNewPassword(password, kAnn), IsOk()) << password;
  }
}

TEST(PasswordRulesTest, NoKindOfCharacterIsDemanded) {
  EXPECT_THAT(CheckNewPassword("lettersalone", kAnn), IsOk());
  EXPECT_THAT(CheckNewPassword("8301746295", kAnn), IsOk());
}

TEST(PasswordRulesTest, ShortOnesAreRefused) {
  EXPECT_THAT(CheckNewPassword("", kAnn), Refused("shorter than 10"));
  EXPECT_THAT(CheckNewPassword("hV8#k2pQ!", kAnn), Refused("shorter than 10"));
}

TEST(PasswordRulesTest, CharactersAreCountedNotBytes) {
  EXPECT_THAT(CheckNewPassword("öäüßéèçñå", kAnn), Refused("shorter than 10"));
  EXPECT_THAT(CheckNewPassword("öäüßéèçñåø", kAnn), IsOk());
}

TEST(PasswordRulesTest, TheLengthIsBounded) {
  std::string password;
  for (int i = 0; password.size() < kPasswordBytesMax; ++i) {
    password += std::to_string(i * i);
  }
  password.resize(kPasswordBytesMax);
  EXPECT_THAT(CheckNewPassword(password, kAnn), IsOk());
  EXPECT_THAT(CheckNewPassword(password + "x", kAnn), Refused("longer than 1024"));
}

TEST(PasswordRulesTest, BrokenUtf8IsRefused) {
  EXPECT_THAT(CheckNewPassword("tangerine \xC3\x28", kAnn), Refused("UTF-8"));
}

TEST(PasswordRulesTest, TheAddressIsRefusedInAnyDisguise) {
  for (const char* password :
       {"ann.schmidt7@example.org", "ANN.SCHMIDT7@EXAMPLE.ORG", "ann.schmidt7", "annschmidt",
        "Ann-Schmidt", "annschmidt1", "ann.schmidt2026!", "ann schmidt 123"}) {
    EXPECT_THAT(CheckNewPassword(password, kAnn), Refused("e-mail address")) << password;
  }
}

TEST(PasswordRulesTest, TheNameIsRefusedInAnyDisguise) {
  for (const char* password :
       {"Ann Marie Schmidt", "annmarieschmidt", "ann_marie_schmidt", "AnnMarieSchmidt99"}) {
    EXPECT_THAT(CheckNewPassword(password, kAnn), Refused("the name")) << password;
  }
}

TEST(PasswordRulesTest, NamesOutsideAsciiAreRefusedToo) {
  EXPECT_THAT(CheckNewPassword("Jörg Müller 1", {.name = "Jörg Müller"}), Refused("the name"));
}

TEST(PasswordRulesTest, NothingIsKnownOfNobody) {
  EXPECT_THAT(CheckNewPassword("tangerine fog", {}), IsOk());
  EXPECT_THAT(CheckNewPassword("8301746295", {}), IsOk());
  EXPECT_THAT(CheckNewPassword("!?!:;-)(&%$/", {.email = "", .name = "..."}), IsOk());
}

TEST(PasswordRulesTest, AnAddressOfDigitsDoesNotForbidAllDigits) {
  EXPECT_THAT(CheckNewPassword("8301746295", {.email = "12345@example.org"}), IsOk());
}

TEST(PasswordRulesTest, RepetitionIsRefused) {
  for (const char* password :
       {"aaaaaaaaaa", "aAaAaAaAaAa", "1111111111111", "ababababab", "abcabcabcabc", "passpasspass",
        "1212121212121", "öööööööööö", "12345123451", "qwertyqwerty", "          "}) {
    EXPECT_THAT(CheckNewPassword(password, kAnn), Refused("sequence")) << password;
  }
}

TEST(PasswordRulesTest, SequencesAreRefused) {
  for (const char* password :
       {"1234567890", "0123456789", "9876543210", "12345678901234", "3456789012", "abcdefghij",
        "AbCdEfGhIjK", "zyxwvutsrq", "vwxyzabcde", "qwertyuiop", "poiuytrewq", "qwertzuiop",
        "azertyuiop", "asdfghjklz", "1qaz2wsx3edc", "qazwsxedcrfv"}) {
    EXPECT_THAT(CheckNewPassword(password, kAnn), Refused("sequence")) << password;
  }
}

TEST(PasswordRulesTest, CommonOnesAreRefusedInAnyCase) {
  for (const char* password :
       {"password123", "Password123!", "1q2w3e4r5t", "iloveyou123", "Welcome2026", "administrator",
        "zxcvbnm,./", "correct horse battery staple", "Contrasena123", "contraseña1"}) {
    EXPECT_THAT(CheckNewPassword(password, kAnn), Refused("everybody tries")) << password;
  }
}

}  // namespace
}  // namespace atrium::identity
