// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "http/fair_queue.h"

namespace atrium::http {

/// Threads for work that waits: commits, outside calls, hashing. The queue is bounded, so that a
/// server with too much to do says so instead of growing, and fair: neither one person nor one room
/// can have all threads (fair_queue.h). Tasks of people who compute much run on threads of their
/// own, which leave processors to the others. What a task throws is logged, and ends nothing else.
class WorkerPool {
 public:
  using Task = FairQueue::Task;

  struct Options {
    std::size_t threads = 64;
    std::size_t queue_max = 1024;
  };

  explicit WorkerPool(Options options);
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  /// False when the queue is full, for this owner or for everybody, or the pool is stopping; the
  /// task is then destroyed unrun.
  [[nodiscard]] bool Submit(const WorkOwner& owner, Task task);
  /// Adds a task beyond the bound: for the next step of an exchange that was already admitted.
  void Continue(const WorkOwner& owner, Task task);

  /// Finishes what was submitted and takes no more.
  void Stop();

  /// Tasks that wait for a thread.
  std::size_t Depth() const;
  /// Those of them that wait because their person or their room has its share.
  std::size_t HeldBack() const;
  std::size_t Running() const;

 private:
  /// Where a thread rests until it is called.
  struct Seat {
    std::condition_variable called{};
    bool is_called = false;
  };

  /// The threads of one lane.
  struct Crew {
    Lane lane = Lane::kFront;
    /// One for each thread.
    std::deque<Seat> seats{};
    /// Those at rest. The one that came last is called first: what it needs is still in the caches.
    std::vector<Seat*> resting{};
    /// A thread was woken and has not looked at the queue yet.
    bool waking = false;
  };

  // With mutex_ held.
  /// The thread of this crew to be woken for what waits, if any.
  Seat* Call(Crew& crew);
  void Rest(std::unique_lock<std::mutex>& lock, Crew& crew, Seat& seat);
  /// The lane from which a thread of this crew takes next; nullopt when there is nothing for it.
  std::optional<Lane> NextFor(const Crew& crew) const;
  /// Unlocks, and wakes whoever is needed for what waits.
  void WakeFor(std::unique_lock<std::mutex>& lock);
  void WakeOthers(const Crew& crew);

  void Recruit(Crew& crew, std::size_t threads);
  void Work(Crew& crew, Seat& seat);
  void RunNext(std::unique_lock<std::mutex>& lock, Lane lane);

  const Options options_;
  mutable std::mutex mutex_;
  // Guarded by mutex_.
  FairQueue queue_;
  Crew front_{.lane = Lane::kFront};
  Crew back_{.lane = Lane::kBack};
  std::size_t running_ = 0;
  bool stopping_ = false;

  std::vector<std::jthread> threads_;
};

}  // namespace atrium::http
