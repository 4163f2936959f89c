// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/worker_pool.h"

#include <utility>

namespace atrium::http {

WorkerPool::WorkerPool(Options options) : options_(options) {
  threads_.reserve(options_.threads);
  for (std::size_t i = 0; i < options_.threads; ++i) {
    threads_.emplace_back([this] { Work(); });
  }
}

WorkerPool::~WorkerPool() {
  Stop();
}

void WorkerPool::Stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  ready_.notify_all();
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
bool WorkerPool::ShouldWake() {
  if (queue_.empty() || idle_ == 0 || waking_) {
    return false;
  }
  waking_ = true;
  return true;
}

void WorkerPool::Enqueue(Task task, std::unique_lock<std::mutex> lock) {
  queue_.push_back(std::move(task));
  const bool wake = ShouldWake();
  lock.unlock();
  if (wake) {
    ready_.notify_one();
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

void WorkerPool::Work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    while (queue_.empty() && !stopping_) {
      ++idle_;
      ready_.wait(lock);
      --idle_;
      waking_ = false;
    }
    if (queue_.empty()) {
      return;
    }
    Task task = std::move(queue_.front());
    queue_.pop_front();
    ++running_;
    const bool wake = ShouldWake();
    lock.unlock();
    if (wake) {
      ready_.notify_one();
    }
    task();
    task = nullptr;
    lock.lock();
    --running_;
  }
}

}  // namespace atrium::http
