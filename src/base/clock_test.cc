// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "base/clock.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>
#include <vector>

namespace atrium {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr Instant kStart(milliseconds(1'000'000));

TEST(ClockTest, SystemClockIsInThisCentury) {
  const SystemClock clock;
  EXPECT_GT(clock.Now(), Instant(std::chrono::sys_days(std::chrono::year(2020) / 1 / 1)));
  EXPECT_LT(clock.Now(), Instant(std::chrono::sys_days(std::chrono::year(2101) / 1 / 1)));
}

TEST(ClockTest, SystemClockIsSteadyWhereItPromisesToBe) {
  const SystemClock clock;
  const SteadyInstant before = clock.Steady();
  EXPECT_LE(before, clock.Steady());
}

TEST(ClockTest, FixedClockStandsStill) {
  const FixedClock clock(kStart);
  EXPECT_EQ(clock.Now(), kStart);
  EXPECT_EQ(clock.Now(), kStart);
}

TEST(ClockTest, AdvanceMovesBothScales) {
  FixedClock clock(kStart);
  const SteadyInstant before = clock.Steady();
  clock.Advance(seconds(5));
  EXPECT_EQ(clock.Now(), kStart + seconds(5));
  EXPECT_EQ(clock.Steady() - before, seconds(5));
}

TEST(ClockTest, SetMovesOnlyTheCalendar) {
  FixedClock clock(kStart);
  const SteadyInstant before = clock.Steady();
  clock.Set(kStart - seconds(30));
  EXPECT_EQ(clock.Now(), kStart - seconds(30));
  EXPECT_EQ(clock.Steady(), before);
}

TEST(ClockTest, FixedClockMayBeMovedFromManyThreads) {
  FixedClock clock(kStart);
  std::vector<std::jthread> threads;
  threads.reserve(4);
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&clock] {
      for (int step = 0; step < 100; ++step) {
        clock.Advance(milliseconds(1));
      }
    });
  }
  threads.clear();
  EXPECT_EQ(clock.Now(), kStart + milliseconds(400));
}

TEST(ClockDeathTest, TimeDoesNotPassBackwards) {
  FixedClock clock(kStart);
  EXPECT_DEATH(clock.Advance(milliseconds(-1)), "backwards");
}

}  // namespace
}  // namespace atrium
