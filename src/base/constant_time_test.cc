// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "base/constant_time.h"

#include <gtest/gtest.h>

#include <string_view>

namespace atrium {
namespace {

TEST(ConstantTimeTest, EqualTextsAreEqual) {
  EXPECT_TRUE(ConstantTimeEqual("secret", "secret"));
  EXPECT_TRUE(ConstantTimeEqual("", ""));
  EXPECT_TRUE(ConstantTimeEqual({}, ""));
}

TEST(ConstantTimeTest, ADifferenceAnywhereCounts) {
  EXPECT_FALSE(ConstantTimeEqual("secret", "Secret"));
  EXPECT_FALSE(ConstantTimeEqual("secret", "secreT"));
  EXPECT_FALSE(ConstantTimeEqual(std::string_view("a\0b", 3), std::string_view("a\0c", 3)));
}

TEST(ConstantTimeTest, AFrontIsNotTheWhole) {
  EXPECT_FALSE(ConstantTimeEqual("secret", "secre"));
  EXPECT_FALSE(ConstantTimeEqual("", "s"));
}

}  // namespace
}  // namespace atrium
