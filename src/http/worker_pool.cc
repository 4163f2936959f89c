// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/worker_pool.h"

#include <sched.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <ctime>
#include <utility>

#include "base/log.h"
#include "http/guarded.h"

namespace atrium::http {
namespace {

/// The last guard: what calls code of rooms on a worker has its own, which also answers the client.
void RunGuarded(WorkerPool::Task& task) {
  try {
    task();
  } catch (...) {
    log::Error("a task on a worker ended by an exception", {{"error", Describe(CaughtError())}});
  }
  task = nullptr;
}

std::chrono::nanoseconds ProcessorTimeOfThread() {
  timespec used{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  return std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec);
}

/// Measures the processor time of tasks, on one thread. Asking the kernel takes as long as a short
/// task, so this is done once a millisecond at most, with an error of that much; tasks that end
/// sooner than a long one can count as nothing.
class TaskMeter {
 public:
  void Begin() {
    begun_ = std::chrono::steady_clock::now();
    if (begun_ - asked_ >= std::chrono::milliseconds(1)) {
      Ask(begun_);
    }
  }

  FairQueue::Spent End() {
    const auto now = std::chrono::steady_clock::now();
    if (now - begun_ < Exertion::kLong) {
      return {.at = now};
    }
    const std::chrono::nanoseconds before = used_;
    Ask(now);
    return {.processor = used_ - before, .at = now};
  }

 private:
  void Ask(Exertion::Time now) {
    used_ = ProcessorTimeOfThread();
    asked_ = now;
  }

  Exertion::Time begun_{};
  Exertion::Time asked_{};
  std::chrono::nanoseconds used_{};
};

/// Keeps this thread off a quarter of the processors, one at least, if there are several.
void LeaveProcessorsToOthers() {
  cpu_set_t processors;
  CPU_ZERO(&processors);
  if (::sched_getaffinity(0, sizeof processors, &processors) != 0) {
    return;  // More processors than the set has bits: there is room for everybody.
  }
  const int count = CPU_COUNT(&processors);
  int leave = count > 1 ? std::max(1, count / 4) : 0;
  for (std::size_t i = 0; leave > 0; ++i) {
    if (CPU_ISSET(i, &processors)) {
      CPU_CLR(i, &processors);
      --leave;
    }
  }
  if (::sched_setaffinity(0, sizeof processors, &processors) != 0) {
    log::Warn("a worker thread may run on every processor", {{"errno", errno}});
  }
}

}  // namespace

WorkerPool::WorkerPool(Options options)
    : options_(options), queue_({.threads = options.threads, .waiting_max = options.queue_max}) {
  // Half: no person can use more, and what computes gains nothing from many threads.
  const std::size_t back_threads = std::max<std::size_t>(1, options_.threads / 2);
  threads_.reserve(options_.threads + back_threads);
  Recruit(front_, options_.threads);
  Recruit(back_, back_threads);
}

WorkerPool::~WorkerPool() {
  Stop();
}

void WorkerPool::Recruit(Crew& crew, std::size_t threads) {
  crew.seats.resize(threads);
  for (Seat& seat : crew.seats) {
    threads_.emplace_back([this, &crew, &seat] { Work(crew, seat); });
  }
}

void WorkerPool::Stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    for (Crew* const crew : {&front_, &back_}) {
      for (Seat* const seat : crew->resting) {
        seat->is_called = true;
        seat->called.notify_one();
      }
      crew->resting.clear();
    }
  }
  threads_.clear();
}

bool WorkerPool::Submit(const WorkOwner& owner, Task task) {
  std::unique_lock lock(mutex_);
  if (stopping_ || !queue_.TryAdd(owner, task)) {
    return false;
  }
  WakeFor(lock);
  return true;
}

void WorkerPool::Continue(const WorkOwner& owner, Task task) {
  std::unique_lock lock(mutex_);
  queue_.Continue(owner, std::move(task));
  WakeFor(lock);
}

/// One thread at a time: it wakes the next when it finds more than it can take. Short tasks are
/// then done by a few warm threads, and long ones still by as many as there are.
WorkerPool::Seat* WorkerPool::Call(Crew& crew) {
  if (!queue_.HasReady(crew.lane) || crew.resting.empty() || crew.waking) {
    return nullptr;
  }
  crew.waking = true;
  Seat* const seat = crew.resting.back();
  crew.resting.pop_back();
  seat->is_called = true;
  return seat;
}

void WorkerPool::Rest(std::unique_lock<std::mutex>& lock, Crew& crew, Seat& seat) {
  crew.resting.push_back(&seat);
  seat.called.wait(lock, [&] { return seat.is_called; });
  seat.is_called = false;
  crew.waking = false;
}

void WorkerPool::WakeFor(std::unique_lock<std::mutex>& lock) {
  Seat* const front = Call(front_);
  Seat* const back = Call(back_);
  lock.unlock();
  for (Seat* const seat : {front, back}) {
    if (seat != nullptr) {
      seat->called.notify_one();
    }
  }
}

std::size_t WorkerPool::Depth() const {
  const std::lock_guard lock(mutex_);
  return queue_.Waiting();
}

std::size_t WorkerPool::HeldBack() const {
  const std::lock_guard lock(mutex_);
  return queue_.HeldBack();
}

std::size_t WorkerPool::Running() const {
  const std::lock_guard lock(mutex_);
  return running_;
}

/// At the end everybody takes everything: what a task lets in may be for a crew that has gone.
std::optional<Lane> WorkerPool::NextFor(const Crew& crew) const {
  for (const Lane lane : {crew.lane, Lane::kFront, Lane::kBack}) {
    if (queue_.HasReady(lane) && (lane == crew.lane || stopping_)) {
      return lane;
    }
  }
  return std::nullopt;
}

void WorkerPool::Work(Crew& crew, Seat& seat) {
  if (crew.lane == Lane::kBack) {
    LeaveProcessorsToOthers();
  }
  std::unique_lock lock(mutex_);
  for (;;) {
    std::optional<Lane> lane = NextFor(crew);
    while (!lane && !stopping_) {
      Rest(lock, crew, seat);
      lane = NextFor(crew);
    }
    if (!lane) {
      return;  // What is held back follows something that runs, on the thread that runs it.
    }
    RunNext(lock, *lane);
    WakeOthers(crew);
  }
}

/// What has ended may have let in something for the other crew; this thread looks after its own.
void WorkerPool::WakeOthers(const Crew& crew) {
  if (Seat* const seat = Call(&crew == &front_ ? back_ : front_); seat != nullptr) {
    seat->called.notify_one();
  }
}

void WorkerPool::RunNext(std::unique_lock<std::mutex>& lock, Lane lane) {
  FairQueue::Begun begun = queue_.Take(lane);
  ++running_;
  WakeFor(lock);
  static thread_local TaskMeter meter;
  meter.Begin();
  RunGuarded(begun.task);
  const FairQueue::Spent spent = meter.End();
  lock.lock();
  --running_;
  queue_.Done(begun.ticket, spent);
}

}  // namespace atrium::http
