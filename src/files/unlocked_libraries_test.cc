// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/unlocked_libraries.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "files/keys.h"
#include "files/libraries.h"
#include "files/past_testing.h"

namespace atrium::files {
namespace {

class UnlockedLibrariesTest : public testing::PastTest {
 protected:
  Library Load() {
    return store::Load(store_, {}, Libraries(), LibraryRowKey(secret_)).value().record;
  }
  Result<void> Change(const std::string& from, const std::string& to) {
    return unlocked_.ChangePassword({}, ann_, secret_, {.from = from, .to = to});
  }

  LibraryService libraries_{Ground(), heads_, people_};
  UnlockedLibraries unlocked_{Ground(), heads_};
  const LibraryId secret_ =
      libraries_.Create({}, ann_, {.name = "Secret", .password = "sesame"})->record.id;
};

TEST_F(UnlockedLibrariesTest, TheRightPasswordOpensIt) {
  const Result<std::shared_ptr<const LibraryKey>> before = unlocked_.KeyFor(ann_, Load());
  ASSERT_FALSE(before);
  EXPECT_TRUE(MustUnlock(before.error()));
  EXPECT_THAT(unlocked_.Unlock(ann_, Load(), "sesame"), IsOk());
  const auto key = unlocked_.KeyFor(ann_, Load());
  ASSERT_THAT(key, IsOk());
  EXPECT_EQ((*key)->DecryptBlock(UnlockLibrary(*Load().lock, secret_, "sesame")->EncryptBlock("x")),
            "x");
}

TEST_F(UnlockedLibrariesTest, ItIsOpenForOnePersonAlone) {
  ASSERT_THAT(unlocked_.Unlock(ann_, Load(), "sesame"), IsOk());
  EXPECT_TRUE(unlocked_.IsUnlocked(ann_, Load()));
  EXPECT_FALSE(unlocked_.IsUnlocked(bob_, Load()));
}

TEST_F(UnlockedLibrariesTest, ALibraryThatIsNotEncryptedNeedsNoKey) {
  EXPECT_THAT(unlocked_.KeyFor(ann_, Now()), Holds(nullptr));
  EXPECT_THAT(unlocked_.Unlock(ann_, Now(), "x"), FailsWith(ErrorCode::kRefusedByState));
  EXPECT_THAT(unlocked_.CheckMagic(ann_, Now(), "x"), FailsWith(ErrorCode::kRefusedByState));
}

TEST_F(UnlockedLibrariesTest, AKeyThatIsNotUsedGoes) {
  ASSERT_THAT(unlocked_.Unlock(ann_, Load(), "sesame"), IsOk());
  for (int i = 0; i < 3; ++i) {
    clock_.Advance(std::chrono::minutes(50));
    EXPECT_TRUE(unlocked_.IsUnlocked(ann_, Load()));
  }
  clock_.Advance(std::chrono::minutes(61));
  EXPECT_FALSE(unlocked_.IsUnlocked(ann_, Load()));
}

TEST_F(UnlockedLibrariesTest, ItCanBeLockedAgain) {
  ASSERT_THAT(unlocked_.Unlock(ann_, Load(), "sesame"), IsOk());
  unlocked_.Lock(ann_, secret_);
  EXPECT_FALSE(unlocked_.IsUnlocked(ann_, Load()));
}

TEST_F(UnlockedLibrariesTest, GuessingEnds) {
  for (int i = 0; i < kWrongPasswordsMax; ++i) {
    EXPECT_THAT(unlocked_.Unlock(ann_, Load(), "wrong"), FailsWith(ErrorCode::kPermissionDenied));
  }
  const Result<void> next = unlocked_.Unlock(ann_, Load(), "sesame");
  ASSERT_THAT(next, FailsWith(ErrorCode::kRateLimited));
  EXPECT_EQ(next.error().retry_after, std::chrono::seconds(kWrongPasswordWait));
  EXPECT_THAT(unlocked_.CheckMagic(ann_, Load(), Load().lock->magic),
              FailsWith(ErrorCode::kRateLimited));
  // Others are not kept out by it.
  EXPECT_THAT(unlocked_.Unlock(bob_, Load(), "sesame"), IsOk());
  clock_.Advance(kWrongPasswordWait);
  EXPECT_THAT(unlocked_.Unlock(ann_, Load(), "sesame"), IsOk());
}

TEST_F(UnlockedLibrariesTest, TheRightPasswordForgivesWrongOnes) {
  for (int i = 0; i < 3 * kWrongPasswordsMax; ++i) {
    EXPECT_THAT(unlocked_.Unlock(ann_, Load(), "wrong"), FailsWith(ErrorCode::kPermissionDenied));
    EXPECT_THAT(unlocked_.Unlock(ann_, Load(), "sesame"), IsOk());
  }
}

TEST_F(UnlockedLibrariesTest, TheMagicOfThePasswordIsChecked) {
  EXPECT_THAT(unlocked_.CheckMagic(ann_, Load(), Load().lock->magic), IsOk());
  EXPECT_THAT(unlocked_.CheckMagic(ann_, Load(), "0000"), FailsWith(ErrorCode::kPermissionDenied));
  EXPECT_FALSE(unlocked_.IsUnlocked(ann_, Load()));
}

TEST_F(UnlockedLibrariesTest, ANewPasswordLeavesTheContentAsItIs) {
  ASSERT_THAT(unlocked_.Unlock(ann_, Load(), "sesame"), IsOk());
  const std::string block = (*unlocked_.KeyFor(ann_, Load()))->EncryptBlock("text");
  EXPECT_THAT(Change("sesame", "open"), IsOk());
  EXPECT_FALSE(unlocked_.IsUnlocked(ann_, Load()));
  EXPECT_THAT(unlocked_.Unlock(ann_, Load(), "sesame"), FailsWith(ErrorCode::kPermissionDenied));
  ASSERT_THAT(unlocked_.Unlock(ann_, Load(), "open"), IsOk());
  EXPECT_THAT((*unlocked_.KeyFor(ann_, Load()))->DecryptBlock(block), Holds("text"));
}

TEST_F(UnlockedLibrariesTest, ANewPasswordClosesItForOthersToo) {
  Library library = Load();
  ASSERT_THAT(unlocked_.Unlock(bob_, library, "sesame"), IsOk());
  ASSERT_THAT(Change("sesame", "open"), IsOk());
  EXPECT_FALSE(unlocked_.IsUnlocked(bob_, Load()));
}

TEST_F(UnlockedLibrariesTest, ANewPasswordNeedsTheOldOneAndTheOwner) {
  EXPECT_THAT(Change("wrong", "open"), FailsWith(ErrorCode::kPermissionDenied));
  EXPECT_THAT(Change("sesame", ""), FailsWith(ErrorCode::kInvalidArgument));
  EXPECT_THAT(unlocked_.ChangePassword({}, bob_, secret_, {.from = "sesame", .to = "open"}),
              FailsWith(ErrorCode::kNotFound));
  EXPECT_THAT(unlocked_.ChangePassword({}, ann_, id_, {.from = "sesame", .to = "open"}),
              FailsWith(ErrorCode::kRefusedByState));
  EXPECT_THAT(unlocked_.Unlock(ann_, Load(), "sesame"), IsOk());
}

}  // namespace
}  // namespace atrium::files
