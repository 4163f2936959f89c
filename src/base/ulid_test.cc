// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "base/ulid.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <unordered_set>

#include "base/hex.h"
#include "base/testing.h"

namespace atrium {
namespace {

constexpr const char* kExample = "01ARZ3NDEKTSV4RRFFQ69G5FAV";

Ulid Parsed(const char* text) {
  return Ulid::Parse(text).value();
}

TEST(UlidTest, RendersWhatItParses) {
  EXPECT_EQ(Parsed(kExample).Render(), kExample);
  EXPECT_EQ(Parsed("7ZZZZZZZZZZZZZZZZZZZZZZZZZ").Render(), "7ZZZZZZZZZZZZZZZZZZZZZZZZZ");
  EXPECT_EQ(Ulid().Render(), "00000000000000000000000000");
}

TEST(UlidTest, IsABigEndianNumberInBase32) {
  EXPECT_EQ(EncodeHex(Parsed("7ZZZZZZZZZZZZZZZZZZZZZZZZZ").bytes),
            "ffffffffffffffffffffffffffffffff");
  EXPECT_EQ(EncodeHex(Parsed("00000000000000000000000010").bytes),
            "00000000000000000000000000000020");
  EXPECT_EQ(EncodeHex(Parsed(kExample).bytes), "01563e3ab5d3d6764c61efb99302bd5b");
}

TEST(UlidTest, TellsWhenItWasMade) {
  // The time part of the ULID specification's own example.
  EXPECT_EQ(Parsed("01ARYZ6S410000000000000000").Time(),
            Instant(std::chrono::milliseconds(1'469'918'176'385)));
}

TEST(UlidTest, LowerCaseComesInAndUpperCaseGoesOut) {
  EXPECT_EQ(Parsed("01arz3ndektsv4rrffq69g5fav").Render(), kExample);
}

TEST(UlidTest, OrdersLikeItsText) {
  EXPECT_LT(Parsed("01ARZ3NDEKTSV4RRFFQ69G5FAV"), Parsed("01ARZ3NDEKTSV4RRFFQ69G5FAW"));
  EXPECT_LT(Parsed("01ARZ3NDEKZZZZZZZZZZZZZZZZ"), Parsed("01ARZ3NDEM0000000000000000"));
}

TEST(UlidTest, IsHashable) {
  const std::unordered_set<Ulid> set = {Parsed(kExample), Ulid(), Parsed(kExample)};
  EXPECT_THAT(set, ::testing::SizeIs(2));
}

class RefusedUlidTest : public ::testing::TestWithParam<const char*> {};

TEST_P(RefusedUlidTest, IsInvalid) {
  EXPECT_THAT(Ulid::Parse(GetParam()), FailsSaying(ErrorCode::kInvalidArgument, "ULID"));
}

INSTANTIATE_TEST_SUITE_P(
    UlidTest, RefusedUlidTest,
    ::testing::Values("", "01ARZ3NDEKTSV4RRFFQ69G5FA", "01ARZ3NDEKTSV4RRFFQ69G5FAVV",
                      "8ZZZZZZZZZZZZZZZZZZZZZZZZZ", "ZZZZZZZZZZZZZZZZZZZZZZZZZZ",
                      "01ARZ3NDEKTSV4RRFFQ69G5FAI", "01ARZ3NDEKTSV4RRFFQ69G5FAL",
                      "01ARZ3NDEKTSV4RRFFQ69G5FAO", "01ARZ3NDEKTSV4RRFFQ69G5FAU",
                      "01arz3ndektsv4rrffq69g5fai", "01arz3ndektsv4rrffq69g5fau",
                      "01ARZ3NDEK-TSV4RRFFQ69G5FA", " 1ARZ3NDEKTSV4RRFFQ69G5FAV",
                      "01ARZ3NDEKTSV4RRFFQ69G5FA\xc3", "/1ARZ3NDEKTSV4RRFFQ69G5FAV"));

}  // namespace
}  // namespace atrium
