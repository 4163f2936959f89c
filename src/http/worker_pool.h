// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace atrium::http {

/// Threads for work that waits: commits, outside calls, hashing. The queue is bounded, so that a
/// server with too much to do says so instead of growing.
class WorkerPool {
 public:
  using Task = std::move_only_function<void()>;

  struct Options {
    std::size_t threads = 64;
    std::size_t queue_max = 1024;
  };

  explicit WorkerPool(Options options);
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  /// False when the queue is full or the pool is stopping; the task is then destroyed unrun.
  [[nodiscard]] bool Submit(Task task);
  /// Adds a task beyond the bound: for the next step of an exchange that was already admitted.
  void Continue(Task task);

  /// Finishes what was submitted and takes no more.
  void Stop();

  /// Tasks that wait for a thread.
  std::size_t Depth() const;
  std::size_t Running() const;

 private:
  /// Where a thread rests until it is called.
  struct Seat {
    std::condition_variable called{};
    bool is_called = false;
  };

  /// With mutex_ held: the thread to be woken for what waits, if any.
  Seat* Call();
  void Rest(std::unique_lock<std::mutex>& lock, Seat& seat);
  void Enqueue(Task task, std::unique_lock<std::mutex> lock);
  void Work(Seat& seat);

  const Options options_;
  /// One for each thread.
  std::deque<Seat> seats_;
  mutable std::mutex mutex_;
  // Guarded by mutex_.
  std::deque<Task> queue_;
  /// Those at rest. The one that came last is called first: what it needs is still in the caches.
  std::vector<Seat*> resting_;
  /// A thread was woken and has not looked at the queue yet.
  bool waking_ = false;
  std::size_t running_ = 0;
  bool stopping_ = false;

  std::vector<std::jthread> threads_;
};

}  // namespace atrium::http
