// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/exertion.h"

#include <gtest/gtest.h>

#include <chrono>

namespace atrium::http {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

constexpr Exertion::Time kStart{std::chrono::hours(1)};

TEST(ExertionTest, NobodyBeginsWithMuch) {
  EXPECT_FALSE(Exertion().IsMuch(kStart));
}

TEST(ExertionTest, LongTasksAddUp) {
  Exertion exertion;
  exertion.Add(milliseconds(60), kStart);
  EXPECT_FALSE(exertion.IsMuch(kStart));
  exertion.Add(milliseconds(60), kStart);
  EXPECT_TRUE(exertion.IsMuch(kStart));
}

TEST(ExertionTest, ShortTasksDoNotCount) {
  Exertion exertion;
  for (int i = 0; i < 1000; ++i) {
    exertion.Add(microseconds(1999), kStart);
  }
  EXPECT_FALSE(exertion.IsMuch(kStart));
}

TEST(ExertionTest, HalfIsForgottenInTheHalfLife) {
  Exertion exertion;
  exertion.Add(2 * Exertion::kMuch, kStart);
  EXPECT_TRUE(exertion.IsMuch(kStart + Exertion::kHalfLife - milliseconds(1)));
  EXPECT_FALSE(exertion.IsMuch(kStart + Exertion::kHalfLife + milliseconds(1)));
}

TEST(ExertionTest, ATimeFromBeforeForgetsNothing) {
  Exertion exertion;
  exertion.Add(Exertion::kMuch, kStart);
  EXPECT_TRUE(exertion.IsMuch(kStart - milliseconds(1)));
}

}  // namespace
}  // namespace atrium::http
