// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/worker_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <latch>
#include <memory>
#include <set>
#include <thread>

namespace atrium::http {
namespace {

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
    ASSERT_TRUE(pool.Submit([&] { done.count_down(); }));
  }
  done.wait();
}

TEST(WorkerPoolTest, RefusesWhatDoesNotFitTheQueue) {
  std::latch started(1);
  std::latch release(1);
  WorkerPool pool({.threads = 1, .queue_max = 2});
  ASSERT_TRUE(pool.Submit([&] {
    started.count_down();
    release.wait();
  }));
  started.wait();
  EXPECT_TRUE(pool.Submit([] {}));
  EXPECT_TRUE(pool.Submit([] {}));
  EXPECT_EQ(pool.Depth(), 2U);
  EXPECT_EQ(pool.Running(), 1U);
  EXPECT_FALSE(pool.Submit([] {}));
  pool.Continue([] {});
  EXPECT_EQ(pool.Depth(), 3U);
  release.count_down();
}

TEST(WorkerPoolTest, ShortTasksAreDoneByOneThread) {
  constexpr std::ptrdiff_t kThreads = 8;
  WorkerPool pool({.threads = kThreads, .queue_max = 100});
  std::latch all_are_up(kThreads);
  for (std::ptrdiff_t i = 0; i < kThreads; ++i) {
    ASSERT_TRUE(pool.Submit([&] { all_are_up.arrive_and_wait(); }));
  }
  AwaitRest(pool);
  std::set<std::thread::id> threads;
  for (int i = 0; i < 100; ++i) {
    ASSERT_TRUE(pool.Submit([&] { threads.insert(std::this_thread::get_id()); }));
    AwaitRest(pool);
  }
  EXPECT_EQ(threads.size(), 1U);
}

TEST(WorkerPoolTest, StopFinishesWhatWasSubmittedAndTakesNoMore) {
  std::atomic<int> ran{0};
  WorkerPool pool({.threads = 2, .queue_max = 1000});
  for (int i = 0; i < 500; ++i) {
    ASSERT_TRUE(pool.Submit([&] { ++ran; }));
  }
  pool.Stop();
  EXPECT_EQ(ran, 500);
  EXPECT_FALSE(pool.Submit([] {}));
}

TEST(WorkerPoolTest, TasksAreDestroyedOnTheThreadThatRanThem) {
  std::latch destroyed(1);
  std::shared_ptr<std::latch> guard(&destroyed, [](std::latch* latch) { latch->count_down(); });
  WorkerPool pool({.threads = 1, .queue_max = 1});
  ASSERT_TRUE(pool.Submit([held = guard] {}));
  guard.reset();
  destroyed.wait();
}

}  // namespace
}  // namespace atrium::http
