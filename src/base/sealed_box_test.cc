// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "base/sealed_box.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/base64.h"
#include "base/hex.h"
#include "base/testing.h"

namespace atrium {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::StartsWith;

constexpr std::string_view kSecret = "0123456789abcdef0123456789abcdef";

SealingKey Key(const std::string& id) {
  return {.id = id, .bytes = DeriveKey(kSecret, id).value()};
}

SealedBox Box(std::vector<SealingKey> keys) {
  return SealedBox(KeyRing::Make(std::move(keys)).value());
}

class SealedBoxTest : public ::testing::Test {
 protected:
  SealedBox box_ = Box({Key("2026-11")});
};

TEST_F(SealedBoxTest, OpensWhatItSealed) {
  for (const std::string& plain :
       {std::string(), std::string("token"), std::string(100'000, '\xff')}) {
    const std::string sealed = box_.Seal(plain, "user/1").value();
    EXPECT_THAT(box_.Open(sealed, "user/1"), Holds(plain));
  }
}

TEST_F(SealedBoxTest, AbsentTextsAreEmptyOnes) {
  EXPECT_THAT(box_.Open(box_.Seal({}, {}).value(), ""), Holds(std::string()));
}

TEST_F(SealedBoxTest, TheTextFormNamesVersionAndKey) {
  const std::string sealed = box_.Seal("token", "user/1").value();
  EXPECT_THAT(sealed, StartsWith("v1.2026-11."));
  const auto payload = DecodeBase64Url(sealed.substr(std::string_view("v1.2026-11.").size()));
  EXPECT_THAT(payload, Holds(SizeIs(12 + 5 + 16)));
}

TEST_F(SealedBoxTest, TheSamePlainTextNeverSealsAlike) {
  EXPECT_NE(box_.Seal("token", "").value(), box_.Seal("token", "").value());
}

TEST_F(SealedBoxTest, EveryAlteredCharacterIsNoticed) {
  const std::string sealed = box_.Seal("token", "user/1").value();
  for (std::size_t at = 0; at < sealed.size(); ++at) {
    std::string altered = sealed;
    altered[at] = altered[at] == 'A' ? 'B' : 'A';
    EXPECT_THAT(box_.Open(altered, "user/1"), FailsWith(ErrorCode::kCorrupt)) << at;
  }
}

TEST_F(SealedBoxTest, EveryCutIsNoticed) {
  const std::string sealed = box_.Seal("token", "user/1").value();
  for (std::size_t size = 0; size < sealed.size(); ++size) {
    EXPECT_THAT(box_.Open(sealed.substr(0, size), "user/1"), FailsWith(ErrorCode::kCorrupt));
  }
  EXPECT_THAT(box_.Open(sealed + "A", "user/1"), FailsWith(ErrorCode::kCorrupt));
}

TEST_F(SealedBoxTest, AnotherOwnersTextDoesNotOpen) {
  const std::string sealed = box_.Seal("token", "user/1").value();
  EXPECT_THAT(box_.Open(sealed, "user/2"), FailsWith(ErrorCode::kCorrupt));
  EXPECT_THAT(box_.Open(sealed, ""), FailsWith(ErrorCode::kCorrupt));
}

TEST_F(SealedBoxTest, FailuresTellTheClientNothing) {
  const Result<std::string> opened = box_.Open("v1.gone.AAAA", "");
  ASSERT_THAT(opened, FailsWith(ErrorCode::kCorrupt));
  EXPECT_EQ(opened.error().client_message, "");
}

TEST_F(SealedBoxTest, AnUnknownKeyIsNamedInTheLog) {
  const std::string sealed = Box({Key("2025-01")}).Seal("token", "").value();
  const Result<std::string> opened = box_.Open(sealed, "");
  ASSERT_THAT(opened, FailsWith(ErrorCode::kCorrupt));
  EXPECT_THAT(opened.error().detail, HasSubstr("unknown key 2025-01"));
}

TEST_F(SealedBoxTest, TheKeyIdIsPartOfWhatIsSealed) {
  const SealedBox twins =
      Box({{.id = "a", .bytes = Key("x").bytes}, {.id = "b", .bytes = Key("x").bytes}});
  std::string sealed = twins.Seal("token", "").value();
  sealed[3] = 'b';
  EXPECT_THAT(twins.Open(sealed, ""), FailsWith(ErrorCode::kCorrupt));
}

TEST_F(SealedBoxTest, OldKeysOpenAndTheNewestSeals) {
  const SealedBox before = Box({Key("2025-01")});
  const SealedBox after = Box({Key("2026-11"), Key("2025-01")});
  const std::string old_text = before.Seal("token", "user/1").value();
  EXPECT_THAT(after.Open(old_text, "user/1"), Holds(std::string("token")));
  EXPECT_TRUE(after.NeedsResealing(old_text));
  const std::string new_text = after.Seal("token", "user/1").value();
  EXPECT_THAT(new_text, StartsWith("v1.2026-11."));
  EXPECT_FALSE(after.NeedsResealing(new_text));
}

TEST_F(SealedBoxTest, WhatIsNoSealedTextNeedsResealing) {
  EXPECT_TRUE(box_.NeedsResealing("plain token"));
  EXPECT_TRUE(box_.NeedsResealing("v1.2026-1"));
}

TEST_F(SealedBoxTest, TextsOfAnEarlierReleaseStillOpen) {
  // Golden bytes: never edit. The key is DeriveKey(kSecret, "2026-11").
  EXPECT_THAT(box_.Open("v1.2026-11.AAECAwQFBgcICQoLYrNaAX59rPKWhmn-FtZTMkhqJZ3C", "user/1"),
              Holds(std::string("token")));
}

TEST_F(SealedBoxTest, RefusesToSealWhatIsTooLong) {
  EXPECT_THAT(box_.Seal(std::string(SealedBox::kPlainBytesMax + 1, 'a'), ""),
              FailsWith(ErrorCode::kLimitExceeded));
}

class RefusedSealedTextTest : public ::testing::TestWithParam<const char*> {};

TEST_P(RefusedSealedTextTest, IsCorrupt) {
  EXPECT_THAT(Box({Key("k")}).Open(GetParam(), ""), FailsWith(ErrorCode::kCorrupt));
}

INSTANTIATE_TEST_SUITE_P(SealedBoxTest, RefusedSealedTextTest,
                         ::testing::Values("", ".", "..", "v1", "v1.k", "v1.k.", "v1..AAAA",
                                           "v2.k.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                                           "v1.k.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                                           "v1.k.AAA.AAA", "v1.k.A===", "v1.K.AAAA"));

TEST(KeyRingTest, RefusesNoKeys) {
  EXPECT_THAT(KeyRing::Make({}), FailsSaying(ErrorCode::kInvalidArgument, "needs a key"));
}

TEST(KeyRingTest, RefusesMalformedIds) {
  for (const char* id : {"", "A", "a.b", "a_b", "a b", "123456789012345678901234567890123"}) {
    EXPECT_THAT(KeyRing::Make({{.id = id, .bytes = {}}}),
                FailsSaying(ErrorCode::kInvalidArgument, "key id"))
        << id;
  }
  EXPECT_THAT(KeyRing::Make({Key("12345678901234567890123456789-az")}), IsOk());
}

TEST(KeyRingTest, RefusesTwoKeysOfOneId) {
  EXPECT_THAT(KeyRing::Make({Key("a"), Key("b"), Key("a")}),
              FailsSaying(ErrorCode::kInvalidArgument, "two keys have the id a"));
}

TEST(KeyRingTest, FindsKeysById) {
  const KeyRing ring = KeyRing::Make({Key("new"), Key("old")}).value();
  EXPECT_EQ(ring.Newest().id, "new");
  ASSERT_NE(ring.Find("old"), nullptr);
  EXPECT_EQ(ring.Find("old")->bytes, Key("old").bytes);
  EXPECT_EQ(ring.Find("other"), nullptr);
}

TEST(DeriveKeyTest, PurposesAndSecretsGiveDifferentKeys) {
  const SecretKey key = DeriveKey(kSecret, "cookies").value();
  EXPECT_EQ(key, DeriveKey(kSecret, "cookies").value());
  EXPECT_NE(key, DeriveKey(kSecret, "tokens").value());
  EXPECT_NE(key, DeriveKey("0123456789abcdef0123456789abcdeF", "cookies").value());
}

TEST(DeriveKeyTest, IsPlainHkdf) {
  EXPECT_EQ(EncodeHex(DeriveKey(kSecret, "cookies").value()),
            "b51e806d8eee46c8342b2010ba6332b358a1e1046f9377d47ab93fc054dad825");
}

TEST(DeriveKeyTest, RefusesShortSecrets) {
  EXPECT_THAT(DeriveKey("too short", "cookies"),
              FailsSaying(ErrorCode::kInvalidArgument, "32 bytes"));
}

}  // namespace
}  // namespace atrium
