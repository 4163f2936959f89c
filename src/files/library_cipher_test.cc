// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/library_cipher.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/hex.h"
#include "base/result.h"
#include "base/testing.h"

namespace atrium::files {
namespace {

constexpr std::string_view kPassword = "pässword";

LibraryId Library() {
  return LibraryId::Parse("5f1e2d3c-4b5a-4978-8695-a4b3c2d1e0ff").value();
}

LibraryId OtherLibrary() {
  return LibraryId::Parse("5f1e2d3c-4b5a-4978-8695-a4b3c2d1e0fe").value();
}

/// 00 01 02 ... 1f.
SecretKey KnownSecret() {
  SecretKey secret{};
  for (std::size_t i = 0; i < secret.size(); ++i) {
    secret[i] = static_cast<std::byte>(i);
  }
  return secret;
}

LibraryLock KnownLock() {
  return MakeLibraryLock(Library(), kPassword, KnownSecret()).value();
}

// The values in these two were made with another implementation: hashlib of Python and the command
// openssl.
TEST(LibraryCipherTest, ALockHoldsWhatClientsDerive) {
  const LibraryLock lock = KnownLock();
  EXPECT_EQ(lock.version, 2);
  EXPECT_EQ(lock.magic, "ea7932cc0d233e95912029b199b72878dc6e39832421c438efd78e1abe612275");
  EXPECT_EQ(lock.random_key,
            "7ea7f5b6f380292d910c9edac11bf2ed4bd9b9dfd7b4d1b2c0a667719109ab24"
            "8ee90621bebffe8ce77c01fb05c34cc9");
  EXPECT_EQ(lock.salt, "");
  EXPECT_THAT(CheckLibraryLock(lock), IsOk());
}

TEST(LibraryCipherTest, BlocksAreEncryptedAsClientsDo) {
  const LibraryKey key(KnownSecret());
  EXPECT_EQ(EncodeHex(key.EncryptBlock("hello world")), "67dda42af2e728593860d2d364855a54");
  EXPECT_EQ(EncodeHex(key.EncryptBlock("")), "d842f67f8ab75c5687b13ab726c8e9a1");
  EXPECT_EQ(EncodeHex(key.EncryptBlock(std::string(16, '\0'))),
            "2cf695f5a59afc63dbb4ea0ee609fe9556b831e88d7df4d0b00fb93034967f04");
}

TEST(LibraryCipherTest, TheRightPasswordOpensWhatWasEncrypted) {
  const Result<LibraryKey> key = UnlockLibrary(KnownLock(), Library(), kPassword);
  ASSERT_THAT(key, IsOk());
  for (const std::size_t size : {0UZ, 1UZ, 15UZ, 16UZ, 17UZ, 100'000UZ}) {
    const std::string plain(size, 'x');
    const std::string encrypted = LibraryKey(KnownSecret()).EncryptBlock(plain);
    EXPECT_EQ(encrypted.size(), size / 16 * 16 + 16);
    EXPECT_THAT(key->DecryptBlock(encrypted), Holds(plain));
  }
}

TEST(LibraryCipherTest, AnotherPasswordOrLibraryDoesNotOpen) {
  const LibraryLock lock = KnownLock();
  for (const std::string_view password : {"", "password", "pässword ", "PÄSSWORD"}) {
    EXPECT_THAT(UnlockLibrary(lock, Library(), password),
                FailsSaying(ErrorCode::kPermissionDenied, "password: "));
  }
  EXPECT_THAT(UnlockLibrary(lock, OtherLibrary(), kPassword),
              FailsWith(ErrorCode::kPermissionDenied));
}

TEST(LibraryCipherTest, EachNewLibraryHasASecretOfItsOwn) {
  const Result<LibraryLock> one = MakeLibraryLock(Library(), kPassword);
  const Result<LibraryLock> other = MakeLibraryLock(Library(), kPassword);
  ASSERT_THAT(one, IsOk());
  ASSERT_THAT(other, IsOk());
  EXPECT_EQ(one->magic, other->magic);
  EXPECT_NE(one->random_key, other->random_key);
  EXPECT_THAT(UnlockLibrary(*one, Library(), kPassword), IsOk());
  EXPECT_THAT(MakeLibraryLock(Library(), ""), FailsWith(ErrorCode::kInvalidArgument));
}

TEST(LibraryCipherTest, AChangeOfPasswordLeavesBlocksAsTheyAre) {
  const Result<LibraryLock> changed =
      ChangeLibraryPassword(KnownLock(), Library(), {.from = kPassword, .to = "new"});
  ASSERT_THAT(changed, IsOk());
  EXPECT_THAT(UnlockLibrary(*changed, Library(), kPassword),
              FailsWith(ErrorCode::kPermissionDenied));
  const Result<LibraryKey> key = UnlockLibrary(*changed, Library(), "new");
  ASSERT_THAT(key, IsOk());
  EXPECT_EQ(key->EncryptBlock("same"), LibraryKey(KnownSecret()).EncryptBlock("same"));
  EXPECT_THAT(ChangeLibraryPassword(KnownLock(), Library(), {.from = "no", .to = "new"}),
              FailsWith(ErrorCode::kPermissionDenied));
  EXPECT_THAT(ChangeLibraryPassword(KnownLock(), Library(), {.from = kPassword, .to = ""}),
              FailsWith(ErrorCode::kInvalidArgument));
}

TEST(LibraryCipherTest, LocksOfOtherVersionsAreNotOpened) {
  LibraryLock lock = KnownLock();
  lock.salt = std::string(64, '5');
  for (const int version : {3, 4}) {
    lock.version = version;
    EXPECT_THAT(CheckLibraryLock(lock), IsOk());
    EXPECT_THAT(UnlockLibrary(lock, Library(), kPassword),
                FailsSaying(ErrorCode::kInvalidArgument, "enc_version"));
  }
}

TEST(LibraryCipherTest, ALockWhoseSecretWasDamagedIsCorrupt) {
  LibraryLock lock = KnownLock();
  lock.random_key = std::string(96, '0');
  EXPECT_THAT(UnlockLibrary(lock, Library(), kPassword), FailsWith(ErrorCode::kCorrupt));
}

TEST(LibraryCipherTest, WhatIsNoBlockDoesNotDecrypt) {
  const LibraryKey key(KnownSecret());
  for (const std::string& bytes : {std::string(), std::string("short"), std::string(32, 'x')}) {
    EXPECT_THAT(key.DecryptBlock(bytes), FailsWith(ErrorCode::kCorrupt));
  }
}

TEST(LibraryCipherTest, AKeyIsMovedAndNotCopied) {
  LibraryKey key(KnownSecret());
  const std::string encrypted = key.EncryptBlock("x");
  LibraryKey moved(std::move(key));
  EXPECT_EQ(moved.EncryptBlock("x"), encrypted);
  LibraryKey assigned(SecretKey{});
  assigned = std::move(moved);
  EXPECT_EQ(assigned.EncryptBlock("x"), encrypted);
}

}  // namespace
}  // namespace atrium::files
