// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "base/random.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>

#include "base/base64.h"
#include "base/testing.h"

namespace atrium {
namespace {

using ::testing::SizeIs;

TEST(RandomTest, FillsTheWholeSpan) {
  // A byte that stays zero in 64 draws is a byte nobody writes: chance below 2^-500.
  std::array<std::byte, 100> seen{};
  for (int draw = 0; draw < 64; ++draw) {
    std::array<std::byte, 100> bytes{};
    FillRandom(bytes);
    std::ranges::transform(seen, bytes, seen.begin(), [](auto a, auto b) { return a | b; });
  }
  EXPECT_EQ(std::ranges::count(seen, std::byte{0}), 0);
}

TEST(RandomTest, AnEmptySpanIsFine) {
  FillRandom({});
}

TEST(RandomTest, TokensHaveTheLengthAskedFor) {
  EXPECT_THAT(RandomToken(), SizeIs(43));
  EXPECT_THAT(DecodeBase64Url(RandomToken(16)), Holds(SizeIs(16)));
  EXPECT_EQ(RandomToken(0), "");
}

TEST(RandomTest, TokensDiffer) {
  std::set<std::string> tokens;
  for (int i = 0; i < 100; ++i) {
    tokens.insert(RandomToken());
  }
  EXPECT_THAT(tokens, SizeIs(100));
}

}  // namespace
}  // namespace atrium
