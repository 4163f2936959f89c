// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "base/uuid.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <unordered_set>

#include "base/testing.h"

namespace atrium {
namespace {

// The examples of RFC 9562, appendix A.
constexpr const char* kVersion4 = "919108f7-52d1-4320-9bac-f847db4148a8";
constexpr const char* kVersion7 = "017f22e2-79b0-7cc3-98c4-dc0c0c07398f";

Uuid Parsed(const char* text) {
  return Uuid::Parse(text).value();
}

TEST(UuidTest, RendersWhatItParses) {
  EXPECT_EQ(Parsed(kVersion4).Render(), kVersion4);
  EXPECT_EQ(Parsed(kVersion7).Render(), kVersion7);
  EXPECT_EQ(Parsed("ffffffff-ffff-ffff-ffff-ffffffffffff").Render(),
            "ffffffff-ffff-ffff-ffff-ffffffffffff");
}

TEST(UuidTest, StartsAsTheNilUuid) {
  EXPECT_EQ(Uuid().Render(), "00000000-0000-0000-0000-000000000000");
  EXPECT_EQ(Uuid().Version(), 0);
}

TEST(UuidTest, KnowsItsVersion) {
  EXPECT_EQ(Parsed(kVersion4).Version(), 4);
  EXPECT_EQ(Parsed(kVersion7).Version(), 7);
}

TEST(UuidTest, UpperCaseComesInAndLowerCaseGoesOut) {
  EXPECT_EQ(Parsed("919108F7-52D1-4320-9BAC-F847DB4148A8").Render(), kVersion4);
}

TEST(UuidTest, OrdersAsBytes) {
  EXPECT_LT(Parsed(kVersion7), Parsed(kVersion4));
  EXPECT_LT(Uuid(), Parsed(kVersion7));
  EXPECT_EQ(Parsed(kVersion7), Parsed(kVersion7));
}

TEST(UuidTest, IsHashable) {
  const std::unordered_set<Uuid> set = {Parsed(kVersion4), Parsed(kVersion7), Parsed(kVersion4)};
  EXPECT_THAT(set, ::testing::SizeIs(2));
}

class RefusedUuidTest : public ::testing::TestWithParam<const char*> {};

TEST_P(RefusedUuidTest, IsInvalid) {
  EXPECT_THAT(Uuid::Parse(GetParam()), FailsSaying(ErrorCode::kInvalidArgument, "UUID"));
}

INSTANTIATE_TEST_SUITE_P(UuidTest, RefusedUuidTest,
                         ::testing::Values("", "919108f7", "919108f752d143209bacf847db4148a8",
                                           "{919108f7-52d1-4320-9bac-f847db4148a8}",
                                           "urn:uuid:919108f7-52d1-4320-9bac-f847db4148a8",
                                           "919108f7-52d1-4320-9bac-f847db4148a",
                                           "919108f7-52d1-4320-9bac-f847db4148a8a",
                                           " 919108f7-52d1-4320-9bac-f847db4148a",
                                           "919108f7-52d1-4320-9bac-f847db4148ag",
                                           "919108f75-2d1-4320-9bac-f847db4148a8",
                                           "919108f7-52d1-4320-9bac-f847db41-8a8",
                                           "919108f7-52d1-4320-9bac_f847db4148a8",
                                           "------------------------------------"));

}  // namespace
}  // namespace atrium
