// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "base/memory_budget.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <thread>
#include <utility>
#include <vector>

namespace atrium {
namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20;
constexpr std::size_t kMax = 256 * kMiB;

SteadyInstant Never() {
  return SteadyInstant::max();
}

SteadyInstant AtOnce() {
  return {};
}

TEST(MemoryBudgetTest, ALeaseIsGivenBackWhenItGoes) {
  MemoryBudget budget(kMax);
  {
    MemoryLease lease;
    ASSERT_TRUE(budget.TryGrow(lease, 10 * kMiB));
    ASSERT_TRUE(budget.TryGrow(lease, 5 * kMiB));
    EXPECT_EQ(lease.size(), 15 * kMiB);
    EXPECT_EQ(budget.Used(), 15 * kMiB);
    MemoryLease moved = std::move(lease);
    EXPECT_EQ(moved.size(), 15 * kMiB);
    EXPECT_EQ(budget.Used(), 15 * kMiB);
    moved = MemoryLease();
    EXPECT_EQ(budget.Used(), 0U);
  }
  EXPECT_EQ(budget.Used(), 0U);
  EXPECT_EQ(budget.Refusals(), 0U);
}

TEST(MemoryBudgetTest, WhatArrivesLeavesHalfForDecodingIt) {
  MemoryBudget budget(kMax);
  MemoryLease body;
  ASSERT_TRUE(budget.TryGrow(body, 96 * kMiB));
  MemoryLease other;
  EXPECT_FALSE(budget.TryGrow(other, kMiB));
  EXPECT_EQ(other.size(), 0U);
  EXPECT_EQ(budget.Refusals(), 1U);
  EXPECT_TRUE(budget.Take(128 * kMiB, AtOnce()));
}

TEST(MemoryBudgetTest, SmallBodiesPassWhileLargeOnesAreRefused) {
  MemoryBudget budget(kMax);
  MemoryLease body;
  ASSERT_TRUE(budget.TryGrow(body, 96 * kMiB));
  const Result<MemoryLease> decoded = budget.Take(128 * kMiB, AtOnce());
  ASSERT_TRUE(decoded);
  EXPECT_EQ(budget.Take(kMiB, AtOnce()).error().code, ErrorCode::kUnavailable);
  std::vector<MemoryLease> small(128);
  for (MemoryLease& lease : small) {
    EXPECT_TRUE(budget.TryGrow(lease, MemoryBudget::kSmallBytes));
  }
  EXPECT_EQ(budget.Used(), kMax);
  MemoryLease one_more;
  EXPECT_FALSE(budget.TryGrow(one_more, 1));
}

TEST(MemoryBudgetTest, SmallStepsOfALargeBodyCountAsLarge) {
  MemoryBudget budget(kMax);
  MemoryLease body;
  ASSERT_TRUE(budget.TryGrow(body, 96 * kMiB));
  EXPECT_FALSE(budget.TryGrow(body, 1));
}

TEST(MemoryBudgetTest, SmallBodiesLeaveHalfForDecoding) {
  MemoryBudget budget(kMax);
  std::vector<MemoryLease> small(1024);
  for (MemoryLease& lease : small) {
    (void)budget.TryGrow(lease, MemoryBudget::kSmallBytes);
  }
  EXPECT_EQ(budget.Used(), kMax / 2);
  EXPECT_TRUE(budget.Take(128 * kMiB, AtOnce()));
}

TEST(MemoryBudgetTest, ABodyThatGrowsIsSmallNoLonger) {
  MemoryBudget budget(kMax);
  std::vector<MemoryLease> bodies(400);
  for (MemoryLease& lease : bodies) {
    ASSERT_TRUE(budget.TryGrow(lease, MemoryBudget::kSmallBytes));
  }
  MemoryLease large;
  ASSERT_TRUE(budget.TryGrow(large, 28 * kMiB));
  EXPECT_FALSE(budget.TryGrow(bodies[0], 1));
  large.Release();
  EXPECT_TRUE(budget.TryGrow(bodies[0], 1));
}

TEST(MemoryBudgetTest, LargeBodiesOfOnePersonLeaveRoomForThoseOfOthers) {
  MemoryBudget budget(kMax);
  MemoryBudget ann(budget, 1);
  MemoryBudget ben(budget, 2);
  MemoryLease first;
  ASSERT_TRUE(ann.TryGrow(first, 40 * kMiB));
  MemoryLease second;
  EXPECT_FALSE(ann.TryGrow(second, 25 * kMiB));
  EXPECT_TRUE(ann.TryGrow(second, 24 * kMiB));
  MemoryLease other;
  EXPECT_TRUE(ben.TryGrow(other, 32 * kMiB));
}

TEST(MemoryBudgetTest, TheLongestBodyIsWithinAShare) {
  MemoryBudget budget(kMax);
  MemoryBudget ann(budget, 1);
  MemoryLease body;
  for (std::size_t bytes = 16 << 10; bytes <= 64 * kMiB; bytes *= 2) {
    ASSERT_TRUE(ann.TryGrow(body, bytes - body.size()));
  }
  EXPECT_EQ(body.size(), 64 * kMiB);
  MemoryLease small;
  EXPECT_TRUE(ann.TryGrow(small, MemoryBudget::kSmallBytes));
}

TEST(MemoryBudgetTest, AShareIsFreeAgainWhenItsBodiesAreGivenBack) {
  MemoryBudget budget(kMax);
  MemoryLease body;
  {
    MemoryBudget ann(budget, 1);
    ASSERT_TRUE(ann.TryGrow(body, 64 * kMiB));
  }
  MemoryBudget ann(budget, 1);
  MemoryLease next;
  EXPECT_FALSE(ann.TryGrow(next, kMiB));
  body = MemoryLease();
  EXPECT_TRUE(ann.TryGrow(next, kMiB));
}

std::size_t FillWithSmallBodies(MemoryBudget& budget, std::vector<MemoryLease>& bodies) {
  const std::size_t before = budget.Used();
  for (;;) {
    MemoryLease lease;
    if (!budget.TryGrow(lease, MemoryBudget::kSmallBytes)) {
      return budget.Used() - before;
    }
    bodies.push_back(std::move(lease));
  }
}

TEST(MemoryBudgetTest, HoweverManyFillItWithSmallBodiesTheNextHasSome) {
  MemoryBudget budget(kMax);
  std::vector<MemoryLease> bodies;
  MemoryBudget ann(budget, 1);
  EXPECT_EQ(FillWithSmallBodies(ann, bodies), 64 * kMiB);
  MemoryBudget ben(budget, 2);
  EXPECT_EQ(FillWithSmallBodies(ben, bodies), 32 * kMiB);
  MemoryBudget cleo(budget, 3);
  EXPECT_EQ(FillWithSmallBodies(cleo, bodies), 16 * kMiB);
  MemoryBudget dan(budget, 4);
  MemoryLease body;
  EXPECT_TRUE(dan.TryGrow(body, MemoryBudget::kSmallBytes));
}

TEST(MemoryBudgetTest, ARefusalSaysWhenToTryAgain) {
  MemoryBudget budget(kMax);
  const Result<MemoryLease> first = budget.Take(128 * kMiB, AtOnce());
  ASSERT_TRUE(first);
  const Result<MemoryLease> second = budget.Take(128 * kMiB, AtOnce());
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::kUnavailable);
  EXPECT_GT(second.error().retry_after.count(), 0);
}

TEST(MemoryBudgetTest, WhatCanNeverBeFreeIsRefusedForGood) {
  MemoryBudget budget(kMax);
  EXPECT_EQ(budget.Take(kMax / 2 + 1, Never()).error().code, ErrorCode::kLimitExceeded);
  EXPECT_EQ(budget.Used(), 0U);
}

TEST(MemoryBudgetTest, TakingWaitsUntilOthersGiveBack) {
  MemoryBudget budget(kMax);
  Result<MemoryLease> first = budget.Take(128 * kMiB, AtOnce());
  ASSERT_TRUE(first);
  Result<MemoryLease> second = Fail(ErrorCode::kInternal, "not asked yet");
  {
    const std::jthread waiter([&] { second = budget.Take(128 * kMiB, Never()); });
    first->Release();
  }
  ASSERT_TRUE(second);
  EXPECT_EQ(budget.Used(), 128 * kMiB);
}

TEST(MemoryBudgetTest, ManyThreadsNeverHoldMoreThanThereIs) {
  MemoryBudget budget(kMax);
  std::vector<std::jthread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round < 200; ++round) {
        const Result<MemoryLease> lease = budget.Take(64 * kMiB, Never());
        EXPECT_TRUE(lease);
        EXPECT_LE(budget.Used(), kMax / 8 * 7);
      }
    });
  }
  threads.clear();
  EXPECT_EQ(budget.Used(), 0U);
}

}  // namespace
}  // namespace atrium
