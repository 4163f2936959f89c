// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/head_queue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "base/id_source.h"
#include "base/testing.h"

namespace atrium::files {
namespace {

using testing::ElementsAre;

class HeadQueueTest : public testing::Test {
 protected:
  /// A thread that waits for its turn; it does when this returns.
  std::jthread Waiter(int number) {
    const std::size_t before = queue_.Waiting(one_);
    std::jthread waiter([this, number] {
      const auto turn = queue_.Await({}, one_);
      EXPECT_THAT(turn, IsOk());
      const std::scoped_lock lock(mutex_);
      served_.push_back(number);
    });
    while (queue_.Waiting(one_) == before) {
      std::this_thread::yield();
    }
    return waiter;
  }

  FixedIdSource ids_;
  const LibraryId one_{ids_.NewUuid()};
  const LibraryId other_{ids_.NewUuid()};
  HeadQueue queue_{{.waiting = 2, .patience = std::chrono::hours(1)}};
  std::mutex mutex_;
  std::vector<int> served_;
};

TEST_F(HeadQueueTest, WhoComesFirstIsServedFirst) {
  std::optional<HeadQueue::Turn> turn(queue_.AwaitPatiently(one_));
  {
    const std::jthread first = Waiter(1);
    const std::jthread second = Waiter(2);
    turn.reset();
  }
  EXPECT_THAT(served_, ElementsAre(1, 2));
  EXPECT_EQ(queue_.Waiting(one_), 0U);
}

TEST_F(HeadQueueTest, NoMoreThanAFewWaitAndOtherLibrariesDoNotNotice) {
  std::optional<HeadQueue::Turn> turn(queue_.AwaitPatiently(one_));
  const std::jthread first = Waiter(1);
  const std::jthread second = Waiter(2);
  const auto third = queue_.Await({}, one_);
  ASSERT_THAT(third, FailsWith(ErrorCode::kUnavailable));
  EXPECT_GT(third.error().retry_after, std::chrono::seconds(0));
  EXPECT_THAT(queue_.Await({}, other_), IsOk());
  turn.reset();
}

TEST_F(HeadQueueTest, WhoseTimeIsUpGoesAndTheNextIsServed) {
  std::optional<HeadQueue::Turn> turn(queue_.AwaitPatiently(one_));
  const std::jthread first = Waiter(1);
  EXPECT_THAT(queue_.Await({.deadline = std::chrono::steady_clock::now()}, one_),
              FailsWith(ErrorCode::kDeadlineExceeded));
  EXPECT_EQ(queue_.Waiting(one_), 1U);
  const std::jthread last = Waiter(2);
  turn.reset();
}

TEST_F(HeadQueueTest, PatienceEnds) {
  HeadQueue queue({.waiting = 2, .patience = std::chrono::milliseconds(0)});
  const HeadQueue::Turn turn = queue.AwaitPatiently(one_);
  EXPECT_THAT(queue.Await({}, one_), FailsWith(ErrorCode::kUnavailable));
}

}  // namespace
}  // namespace atrium::files
