// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/worker_pool.h"

#include <utility>

namespace atrium::http {

WorkerPool::WorkerPool(Options options) : options_(options), seats_(options.threads) {
  threads_.reserve(options_.threads);
  for (Seat& seat : seats_) {
    threads_.emplace_back([this, &seat] { Work(seat); });
  }
}

WorkerPool::~WorkerPool() {
  Stop();
}

void WorkerPool::Stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    for (Seat* const seat : resting_) {
      seat->is_called = true;
      seat->called.notify_one();
    }
    resting_.clear();
  }
  threads_.clear();
}

bool WorkerPool::Submit(Task task) {
  std::unique_lock lock(mutex_);
  if (stopping_ || queue_.size() >= options_.queue_max) {
    return false;
  }
  Enqueue(std::move(task), std::move(lock));
  return true;
}

void WorkerPool::Continue(Task task) {
  Enqueue(std::move(task), std::unique_lock(mutex_));
}

/// One thread at a time: it wakes the next when it finds more than it can take. Short tasks are
/// then done by a few warm threads, and long ones still by as many as there are.
WorkerPool::Seat* WorkerPool::Call() {
  if (queue_.empty() || resting_.empty() || waking_) {
    return nullptr;
  }
  waking_ = true;
  Seat* const seat = resting_.back();
  resting_.pop_back();
  seat->is_called = true;
  return seat;
}

void WorkerPool::Rest(std::unique_lock<std::mutex>& lock, Seat& seat) {
  resting_.push_back(&seat);
  seat.called.wait(lock, [&] { return seat.is_called; });
  seat.is_called = false;
  waking_ = false;
}

void WorkerPool::Enqueue(Task task, std::unique_lock<std::mutex> lock) {
  queue_.push_back(std::move(task));
  Seat* const seat = Call();
  lock.unlock();
  if (seat != nullptr) {
    seat->called.notify_one();
  }
}

std::size_t WorkerPool::Depth() const {
  const std::lock_guard lock(mutex_);
  return queue_.size();
}

std::size_t WorkerPool::Running() const {
  const std::lock_guard lock(mutex_);
  return running_;
}

void WorkerPool::Work(Seat& seat) {
  std::unique_lock lock(mutex_);
  for (;;) {
    while (queue_.empty() && !stopping_) {
      Rest(lock, seat);
    }
    if (queue_.empty()) {
      return;
    }
    Task task = std::move(queue_.front());
    queue_.pop_front();
    ++running_;
    Seat* const next = Call();
    lock.unlock();
    if (next != nullptr) {
      next->called.notify_one();
    }
    task();
    task = nullptr;
    lock.lock();
    --running_;
  }
}

}  // namespace atrium::http
