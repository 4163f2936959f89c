// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/object_id.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <type_traits>
#include <unordered_set>

#include "base/error.h"
#include "base/result.h"
#include "base/testing.h"

namespace atrium::files {
namespace {

TEST(ObjectIdTest, ABlockIsNamedByTheSha1OfItsBytes) {
  EXPECT_EQ(BlockIdOf("hello world").Render(), "2aae6c35c94fcfb415dbe95f408b9ce91ee846ed");
}

TEST(ObjectIdTest, WhatIsRenderedReadsBack) {
  const Result<ObjectId> id = ObjectId::Parse("0123456789abcdef0123456789abcdef01234567");
  ASSERT_THAT(id, IsOk());
  EXPECT_EQ(id->Render(), "0123456789abcdef0123456789abcdef01234567");
  std::string text = "id ";
  id->value().AppendTo(text);
  EXPECT_EQ(text, "id 0123456789abcdef0123456789abcdef01234567");
}

TEST(ObjectIdTest, OnlyFortyLowerCaseDigitsAreAnId) {
  for (const std::string& text :
       {std::string(), std::string("2aae"), std::string(39, 'a'), std::string(41, 'a'),
        std::string(40, 'A'), std::string(40, 'g'), std::string(39, 'a') + "\0",
        std::string(39, '0') + " ", std::string(39, '0') + "\xff", "0x" + std::string(38, '0'),
        std::string(20, '\0') + std::string(20, '0')}) {
    EXPECT_THAT(ObjectId::Parse(text), FailsWith(ErrorCode::kInvalidArgument)) << text;
  }
}

TEST(ObjectIdTest, AnIdStartsAsTheZeroId) {
  EXPECT_TRUE(IsZero(ObjectId()));
  EXPECT_EQ(ObjectId().Render(), std::string(40, '0'));
  EXPECT_FALSE(IsZero(ObjectIdOf("")));
}

TEST(ObjectIdTest, IdsAreOrderedAsTheirTexts) {
  const Result<BlockId> low = BlockId::Parse("0f" + std::string(38, 'f'));
  const Result<BlockId> high = BlockId::Parse("f0" + std::string(38, '0'));
  ASSERT_THAT(low, IsOk());
  ASSERT_THAT(high, IsOk());
  EXPECT_LT(*low, *high);
}

TEST(ObjectIdTest, IdsOfDifferentKindsAreDifferentTypes) {
  EXPECT_FALSE((std::is_convertible_v<BlockId, ObjectId>));
  EXPECT_FALSE((std::is_convertible_v<ObjectId, CommitId>));
}

TEST(ObjectIdTest, IdsAreKeysOfHashTables) {
  const std::unordered_set<ObjectId> ids = {ObjectIdOf("a"), ObjectIdOf("b"), ObjectIdOf("a")};
  EXPECT_EQ(ids.size(), 2U);
}

}  // namespace
}  // namespace atrium::files
