// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/fair_queue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace atrium::http {
namespace {

using ::testing::ElementsAre;

constexpr std::uint32_t kFiles = 0;
constexpr std::uint32_t kCalendar = 1;
constexpr WorkOwner kAnn{.person = 1, .room = kFiles};
constexpr WorkOwner kBob{.person = 2, .room = kFiles};

/// Of sixteen threads a person has four, and eight while no more are in use; a room has twelve.
class FairQueueTest : public ::testing::Test {
 protected:
  static constexpr std::size_t kThreads = 16;
  static constexpr std::size_t kWaitingMax = 400;

  bool Add(const WorkOwner& owner, const std::string& name = "") {
    FairQueue::Task task = [this, name] { ran_.push_back(name); };
    return queue_.TryAdd(owner, task);
  }

  void Continue(const WorkOwner& owner, const std::string& name = "") {
    queue_.Continue(owner, [this, name] { ran_.push_back(name); });
  }

  /// Begins as many as may begin; they go on until End().
  std::size_t Begin(Lane lane = Lane::kFront) {
    std::size_t count = 0;
    for (; queue_.HasReady(lane); ++count) {
      FairQueue::Begun begun = queue_.Take(lane);
      begun.task();
      running_.push_back(begun.ticket);
    }
    return count;
  }

  void EndFirst(std::chrono::milliseconds processor = {}) {
    const FairQueue::Ticket ticket = running_.front();
    running_.erase(running_.begin());
    queue_.Done(ticket, {.processor = processor, .at = now_});
  }

  std::vector<std::string> TakeRan() { return std::exchange(ran_, {}); }

  FairQueue queue_{{.threads = kThreads, .waiting_max = kWaitingMax}};
  Exertion::Time now_{std::chrono::hours(1)};
  std::vector<FairQueue::Ticket> running_;
  std::vector<std::string> ran_;
};

TEST_F(FairQueueTest, WithinTheSharesTasksBeginInTheOrderInWhichTheyCame) {
  Add({.person = 1, .room = kFiles}, "a");
  Add({.person = 2, .room = kCalendar}, "b");
  Add({.person = 1, .room = kCalendar}, "c");
  EXPECT_EQ(Begin(), 3U);
  EXPECT_THAT(TakeRan(), ElementsAre("a", "b", "c"));
  EXPECT_EQ(queue_.Waiting(), 0U);
}

TEST_F(FairQueueTest, APersonAloneHasHalfOfTheThreads) {
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(Add({.person = 1, .room = kFiles}));
  }
  EXPECT_EQ(Begin(), 8U);
  EXPECT_EQ(queue_.HeldBack(), 12U);
  EXPECT_EQ(queue_.Waiting(), 12U);
}

TEST_F(FairQueueTest, WhoeverComesLaterPassesWhatIsHeldBack) {
  for (int i = 0; i < 20; ++i) {
    Add({.person = 1, .room = kFiles}, "first");
  }
  Begin();
  TakeRan();
  ASSERT_TRUE(Add({.person = 2, .room = kFiles}, "second"));
  EXPECT_EQ(Begin(), 1U);
  EXPECT_THAT(TakeRan(), ElementsAre("second"));
}

TEST_F(FairQueueTest, BesideOthersAPersonHasAQuarter) {
  for (const std::uint64_t person : {1U, 2U}) {
    for (int i = 0; i < 4; ++i) {
      Add({.person = person, .room = kFiles});
    }
  }
  EXPECT_EQ(Begin(), 8U);
  Add({.person = 1, .room = kCalendar});
  EXPECT_EQ(Begin(), 0U);
  Add({.person = 3, .room = kCalendar});
  EXPECT_EQ(Begin(), 1U);
}

TEST_F(FairQueueTest, WhatIsHeldBackFollowsWhenSomethingOfTheSamePersonHasEnded) {
  for (int i = 0; i < 20; ++i) {
    Add({.person = 1, .room = kFiles}, std::to_string(i));
  }
  Begin();
  TakeRan();
  EndFirst();
  EXPECT_EQ(Begin(), 1U);
  EXPECT_THAT(TakeRan(), ElementsAre("8"));
}

TEST_F(FairQueueTest, ARoomLeavesThreadsForOthers) {
  for (std::uint64_t person = 0; person < 40; ++person) {
    Add({.person = person, .room = kFiles});
  }
  EXPECT_EQ(Begin(), 12U);
  Add({.person = 100, .room = kFiles});
  EXPECT_EQ(Begin(), 0U);
  Add({.person = 100, .room = kCalendar});
  EXPECT_EQ(Begin(), 1U);
}

TEST_F(FairQueueTest, PeopleWhoWaitForARoomTakeTurns) {
  for (std::uint64_t person = 0; person < 12; ++person) {
    Add({.person = 100 + person, .room = kFiles});
  }
  Begin();
  TakeRan();
  for (const char* name : {"a1", "a2", "a3"}) {
    Add({.person = 1, .room = kFiles}, name);
  }
  Add({.person = 2, .room = kFiles}, "b1");
  for (int i = 0; i < 4; ++i) {
    EndFirst();
    EXPECT_EQ(Begin(), 1U);
  }
  EXPECT_THAT(TakeRan(), ElementsAre("a1", "b1", "a2", "a3"));
}

TEST_F(FairQueueTest, AContinuationIsLetInBeyondTheShareOneAtATime) {
  const WorkOwner owner{.person = 1, .room = kFiles};
  for (int i = 0; i < 20; ++i) {
    Add(owner, "task");
  }
  Begin();
  TakeRan();
  Continue(owner, "step 1");
  Continue(owner, "step 2");
  EXPECT_EQ(Begin(), 1U);
  EXPECT_THAT(TakeRan(), ElementsAre("step 1"));
  const FairQueue::Ticket step = running_.back();
  running_.pop_back();
  queue_.Done(step, {});
  EXPECT_EQ(Begin(), 1U);
  EXPECT_THAT(TakeRan(), ElementsAre("step 2"));
}

TEST_F(FairQueueTest, AContinuationGetsIntoARoomThatIsFull) {
  for (std::uint64_t person = 0; person < 40; ++person) {
    Add({.person = person, .room = kFiles}, "task");
  }
  Begin();
  TakeRan();
  Continue({.person = 3, .room = kFiles}, "step");
  EXPECT_EQ(Begin(), 1U);
  EXPECT_THAT(TakeRan(), ElementsAre("step"));
}

TEST_F(FairQueueTest, OnePersonCannotFillTheQueue) {
  std::size_t taken = 0;
  while (Add({.person = 1, .room = kFiles})) {
    ++taken;
  }
  EXPECT_EQ(taken, kWaitingMax / 4);
  EXPECT_TRUE(Add({.person = 2, .room = kFiles}));
}

TEST_F(FairQueueTest, OneRoomCannotFillTheQueue) {
  std::uint64_t person = 0;
  while (Add({.person = person, .room = kFiles})) {
    ++person;
  }
  EXPECT_EQ(person, kWaitingMax / 4 * 3);
  EXPECT_TRUE(Add({.person = 1, .room = kCalendar}));
}

TEST_F(FairQueueTest, TheQueueIsBoundedInAll) {
  std::uint64_t person = 0;
  while (Add({.person = person, .room = static_cast<std::uint32_t>(person % 2)})) {
    ++person;
  }
  EXPECT_EQ(person, kWaitingMax);
  Continue({.person = 1, .room = kFiles});
  EXPECT_EQ(queue_.Waiting(), kWaitingMax + 1);
}

TEST_F(FairQueueTest, ContinuationsTakeNoPlaceOfTasksInTheQueue) {
  for (std::size_t i = 0; i < 2 * kWaitingMax; ++i) {
    Continue({.person = 1, .room = kFiles});
  }
  EXPECT_TRUE(Add({.person = 1, .room = kFiles}));
  EXPECT_TRUE(Add({.person = 2, .room = kFiles}));
}

TEST_F(FairQueueTest, EverythingIsDoneInTheEnd) {
  std::size_t added = 0;
  for (std::uint64_t i = 0; i < 300; ++i) {
    const WorkOwner owner{.person = i % 7, .room = static_cast<std::uint32_t>(i % 3)};
    if (i % 5 == 0) {
      Continue(owner);
      ++added;
    } else if (Add(owner)) {
      ++added;
    }
  }
  std::size_t begun = Begin();
  while (!running_.empty()) {
    EndFirst();
    begun += Begin();
  }
  EXPECT_EQ(begun, added);
  EXPECT_EQ(queue_.Waiting(), 0U);
}

TEST_F(FairQueueTest, WhatOthersLeaveIsTakenAtOnce) {
  ASSERT_TRUE(Add({.person = 2, .room = kCalendar}));
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(Add({.person = 1, .room = kFiles}));
  }
  EXPECT_EQ(Begin(), 8U);
  EndFirst();
  EXPECT_EQ(Begin(), 1U);
  EXPECT_EQ(queue_.HeldBack(), 12U);
}

TEST_F(FairQueueTest, PeopleAreForgotten) {
  for (std::uint64_t person = 0; person < 100'000; ++person) {
    ASSERT_TRUE(Add({.person = person, .room = kFiles}));
    Begin();
    EndFirst();
  }
  EXPECT_LT(queue_.PeopleKnown(), 5'000U);
}

TEST_F(FairQueueTest, WhoeverComputesMuchStepsBehindTheOthers) {
  ASSERT_TRUE(Add(kAnn, "much"));
  Begin();
  EndFirst(Exertion::kMuch);
  ASSERT_TRUE(Add(kAnn, "behind"));
  Continue(kAnn, "behind, too");
  ASSERT_TRUE(Add(kBob, "before"));
  EXPECT_EQ(Begin(Lane::kFront), 1U);
  EXPECT_EQ(Begin(Lane::kBack), 2U);
  EXPECT_THAT(TakeRan(), ElementsAre("much", "before", "behind", "behind, too"));
}

TEST_F(FairQueueTest, WhatIsHeldBackFollowsInTheLaneItsPersonHasThen) {
  for (int i = 0; i < 9; ++i) {
    ASSERT_TRUE(Add(kAnn));
  }
  EXPECT_EQ(Begin(), 8U);
  EndFirst(Exertion::kMuch);
  EXPECT_EQ(Begin(Lane::kFront), 0U);
  EXPECT_EQ(Begin(Lane::kBack), 1U);
}

TEST_F(FairQueueTest, NobodyStaysBehindForLong) {
  ASSERT_TRUE(Add(kAnn));
  Begin();
  EndFirst(Exertion::kMuch);
  now_ += std::chrono::seconds(1);
  ASSERT_TRUE(Add(kBob));
  Begin();
  EndFirst();
  ASSERT_TRUE(Add(kAnn));
  EXPECT_EQ(Begin(Lane::kFront), 1U);
}

TEST_F(FairQueueTest, WhoeverComputesMuchIsNotForgotten) {
  ASSERT_TRUE(Add(kAnn));
  Begin();
  EndFirst(10 * Exertion::kMuch);
  for (std::uint64_t person = 100; person < 10'000; ++person) {
    ASSERT_TRUE(Add({.person = person, .room = kFiles}));
    Begin();
    EndFirst();
  }
  ASSERT_TRUE(Add(kAnn));
  EXPECT_EQ(Begin(Lane::kBack), 1U);
}

TEST(SmallFairQueueTest, OneThreadIsSharedInTurn) {
  FairQueue queue({.threads = 1, .waiting_max = 10});
  std::vector<int> ran;
  for (const int person : {1, 1, 2}) {
    FairQueue::Task task = [&ran, person] { ran.push_back(person); };
    ASSERT_TRUE(queue.TryAdd({.person = static_cast<std::uint64_t>(person)}, task));
  }
  while (queue.HasReady(Lane::kFront)) {
    FairQueue::Begun begun = queue.Take(Lane::kFront);
    begun.task();
    queue.Done(begun.ticket, {});
  }
  EXPECT_THAT(ran, ElementsAre(1, 2, 1));
}

}  // namespace
}  // namespace atrium::http
