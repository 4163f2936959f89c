// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "store/giving_way.h"

#include <gtest/gtest.h>

#include <chrono>

#include "base/clock.h"

namespace atrium::store {
namespace {

using std::chrono::milliseconds;

class GivingWayTest : public ::testing::Test {
 protected:
  FixedClock clock_{Instant()};
  /// How many more times the store says that it is at it.
  int tidies_for_ = 0;
  int asked_ = 0;
  GivingWay way_{clock_, [this] { return ++asked_ <= tidies_for_; }};
};

TEST_F(GivingWayTest, GoesOnWhenTheStoreIsTidy) {
  clock_.Advance(milliseconds(100));
  way_.Rest();
  EXPECT_EQ(asked_, 1);
}

TEST_F(GivingWayTest, RestsUntilTheStoreIsTidy) {
  tidies_for_ = 3;
  clock_.Advance(milliseconds(100));
  way_.Rest();
  EXPECT_EQ(asked_, 4);
}

TEST_F(GivingWayTest, RestsNoLongerThanItHasWorked) {
  tidies_for_ = 1'000'000;
  clock_.Advance(milliseconds(20));
  way_.Rest();
  EXPECT_EQ(asked_, 10);
  way_.Rest();
  EXPECT_EQ(asked_, 10);
  clock_.Advance(milliseconds(4));
  way_.Rest();
  EXPECT_EQ(asked_, 12);
}

TEST_F(GivingWayTest, RestsForAMomentAtATime) {
  tidies_for_ = 1'000'000;
  clock_.Advance(std::chrono::minutes(5));
  way_.Rest();
  EXPECT_EQ(asked_, 50);
  way_.Rest();
  EXPECT_EQ(asked_, 100);
}

}  // namespace
}  // namespace atrium::store
