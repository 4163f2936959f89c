// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/id_filter.h"

#include <gtest/gtest.h>

#include <string>

#include "base/bytes.h"
#include "base/hash.h"

namespace atrium::files {
namespace {

std::string IdOf(int number) {
  const Sha1Digest digest = Sha1Of(std::to_string(number));
  return std::string(AsChars(digest));
}

TEST(IdFilterTest, HasEverythingThatWasAddedAndLittleElse) {
  // Ten bits for each.
  constexpr int kIds = 13'000;
  IdFilter filter(Uuid{}, std::size_t{1} << 14);
  for (int i = 0; i < kIds; ++i) {
    filter.Add(IdOf(i));
  }
  int wrong = 0;
  for (int i = 0; i < kIds; ++i) {
    ASSERT_TRUE(filter.MayHave(IdOf(i)));
    wrong += filter.MayHave(IdOf(kIds + i)) ? 1 : 0;
  }
  EXPECT_LT(wrong, kIds / 50);
}

TEST(IdFilterTest, AnotherSeedIsWrongAboutOthers) {
  IdFilter first(Uuid{}, 64);
  IdFilter second(Uuid{.bytes = {std::byte{1}, std::byte{2}}}, 64);
  for (int i = 0; i < 40; ++i) {
    first.Add(IdOf(i));
    second.Add(IdOf(i));
  }
  int differ = 0;
  for (int i = 1000; i < 2000; ++i) {
    differ += first.MayHave(IdOf(i)) != second.MayHave(IdOf(i)) ? 1 : 0;
  }
  EXPECT_GT(differ, 0);
}

TEST(IdFilterTest, AnEmptyOneHasNothing) {
  const IdFilter filter(Uuid{}, 64);
  EXPECT_FALSE(filter.MayHave(IdOf(1)));
}

}  // namespace
}  // namespace atrium::files
