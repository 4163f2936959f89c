// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/worker_pool.h"

#include <gtest/gtest.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <future>
#include <latch>
#include <memory>
#include <new>
#include <set>
#include <stdexcept>
#include <thread>

namespace atrium::http {
namespace {

/// Somebody new each time: shares are the concern of fair_queue_test.cc.
WorkOwner Owner() {
  static std::atomic<std::uint64_t> person{0};
  return {.person = ++person, .room = static_cast<std::uint32_t>(person % 4)};
}

/// Until every thread that had something to do is at rest again.
void AwaitRest(const WorkerPool& pool) {
  while (pool.Depth() > 0 || pool.Running() > 0) {
    std::this_thread::yield();
  }
}

TEST(WorkerPoolTest, RunsWhatIsSubmitted) {
  std::latch done(100);
  WorkerPool pool({.threads = 4, .queue_max = 100});
  for (int i = 0; i < 100; ++i) {
    ASSERT_TRUE(pool.Submit(Owner(), [&] { done.count_down(); }));
  }
  done.wait();
}

TEST(WorkerPoolTest, RefusesWhatDoesNotFitTheQueue) {
  std::latch started(1);
  std::latch release(1);
  WorkerPool pool({.threads = 1, .queue_max = 2});
  ASSERT_TRUE(pool.Submit(Owner(), [&] {
    started.count_down();
    release.wait();
  }));
  started.wait();
  EXPECT_TRUE(pool.Submit(Owner(), [] {}));
  EXPECT_TRUE(pool.Submit(Owner(), [] {}));
  EXPECT_EQ(pool.Depth(), 2U);
  EXPECT_EQ(pool.Running(), 1U);
  EXPECT_FALSE(pool.Submit(Owner(), [] {}));
  pool.Continue(Owner(), [] {});
  EXPECT_EQ(pool.Depth(), 3U);
  release.count_down();
}

TEST(WorkerPoolTest, ShortTasksAreDoneByOneThread) {
  constexpr std::ptrdiff_t kThreads = 8;
  WorkerPool pool({.threads = kThreads, .queue_max = 100});
  std::latch all_are_up(kThreads);
  for (std::ptrdiff_t i = 0; i < kThreads; ++i) {
    ASSERT_TRUE(pool.Submit(Owner(), [&] { all_are_up.arrive_and_wait(); }));
  }
  AwaitRest(pool);
  std::set<std::thread::id> threads;
  for (int i = 0; i < 100; ++i) {
    ASSERT_TRUE(pool.Submit(Owner(), [&] { threads.insert(std::this_thread::get_id()); }));
    AwaitRest(pool);
  }
  EXPECT_EQ(threads.size(), 1U);
}

TEST(WorkerPoolTest, StopFinishesWhatWasSubmittedAndTakesNoMore) {
  std::atomic<int> ran{0};
  WorkerPool pool({.threads = 2, .queue_max = 1000});
  for (int i = 0; i < 500; ++i) {
    ASSERT_TRUE(pool.Submit(Owner(), [&] { ++ran; }));
  }
  pool.Stop();
  EXPECT_EQ(ran, 500);
  EXPECT_FALSE(pool.Submit(Owner(), [] {}));
}

TEST(WorkerPoolTest, WhatATaskThrowsEndsNothingElse) {
  std::latch done(1);
  WorkerPool pool({.threads = 1, .queue_max = 10});
  ASSERT_TRUE(pool.Submit(Owner(), [] { throw std::runtime_error("a bug"); }));
  ASSERT_TRUE(pool.Submit(Owner(), [] { throw std::bad_alloc(); }));
  ASSERT_TRUE(pool.Submit(Owner(), [] { throw 42; }));
  pool.Continue(Owner(), [&] { done.count_down(); });
  done.wait();
  AwaitRest(pool);
}

TEST(WorkerPoolTest, WhatIsHeldBackIsDoneBeforeThePoolStops) {
  std::atomic<int> ran{0};
  WorkerPool pool({.threads = 4, .queue_max = 1000});
  for (int i = 0; i < 200; ++i) {
    ASSERT_TRUE(pool.Submit({.person = 1, .room = 0}, [&] { ++ran; }));
  }
  pool.Stop();
  EXPECT_EQ(ran, 200);
}

TEST(WorkerPoolTest, SlowTasksOfOnePersonLeaveThreadsForOthers) {
  std::latch release(1);
  WorkerPool pool({.threads = 8, .queue_max = 100});
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(pool.Submit({.person = 1, .room = 0}, [&] { release.wait(); }));
  }
  std::latch done(1);
  ASSERT_TRUE(pool.Submit({.person = 2, .room = 0}, [&] { done.count_down(); }));
  done.wait();
  EXPECT_GE(pool.HeldBack(), 16U);
  release.count_down();
}

std::chrono::nanoseconds ProcessorTime() {
  timespec used{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  return std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec);
}

void Compute(std::chrono::nanoseconds processor) {
  const std::chrono::nanoseconds until = ProcessorTime() + processor;
  while (ProcessorTime() < until) {
  }
}

int Processors() {
  cpu_set_t processors;
  EXPECT_EQ(::sched_getaffinity(0, sizeof processors, &processors), 0);
  return CPU_COUNT(&processors);
}

/// On how many processors a task of this owner may run, when everything before has ended.
int ProcessorsFor(WorkerPool& pool, const WorkOwner& owner) {
  AwaitRest(pool);
  std::promise<int> processors;
  EXPECT_TRUE(pool.Submit(owner, [&] { processors.set_value(Processors()); }));
  return processors.get_future().get();
}

TEST(WorkerPoolTest, WhoeverComputesMuchLeavesProcessorsToOthers) {
  constexpr WorkOwner kBusy{.person = 1, .room = 0};
  const int all = Processors();
  const int left = all == 1 ? 1 : all - std::max(1, all / 4);
  WorkerPool pool({.threads = 1, .queue_max = 10});
  EXPECT_EQ(ProcessorsFor(pool, kBusy), all);
  ASSERT_TRUE(pool.Submit(kBusy, [] { Compute(2 * Exertion::kMuch); }));
  EXPECT_EQ(ProcessorsFor(pool, kBusy), left);
  EXPECT_EQ(ProcessorsFor(pool, {.person = 2, .room = 0}), all);
}

TEST(WorkerPoolTest, WhatIsLetInForTheOtherThreadsWakesThem) {
  constexpr WorkOwner kBusy{.person = 1, .room = 0};
  std::atomic<int> ran = 0;
  WorkerPool pool({.threads = 1, .queue_max = 100});
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(pool.Submit(kBusy, [&] {
      Compute(2 * Exertion::kMuch);
      ++ran;
    }));
  }
  AwaitRest(pool);
  EXPECT_EQ(ran, 3);
}

TEST(WorkerPoolTest, StoppingLosesNothingOfEitherLane) {
  constexpr WorkOwner kBusy{.person = 1, .room = 0};
  std::atomic<int> ran = 0;
  WorkerPool pool({.threads = 2, .queue_max = 100});
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(pool.Submit(i % 2 == 0 ? kBusy : Owner(), [&, i] {
      if (i == 0) {
        Compute(2 * Exertion::kMuch);
      }
      ++ran;
    }));
  }
  pool.Stop();
  EXPECT_EQ(ran, 20);
}

TEST(WorkerPoolTest, TasksAreDestroyedOnTheThreadThatRanThem) {
  std::latch destroyed(1);
  std::shared_ptr<std::latch> guard(&destroyed, [](std::latch* latch) { latch->count_down(); });
  WorkerPool pool({.threads = 1, .queue_max = 1});
  ASSERT_TRUE(pool.Submit(Owner(), [held = guard] {}));
  guard.reset();
  destroyed.wait();
}

}  // namespace
}  // namespace atrium::http
