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

void WorkerPool::Enqueue(Task task, std::unique_lock<std::mutex> lock) {
  queue_.push_back(std::move(task));
  // A busy thread looks at the queue before it sleeps; waking another would only cost a switch.
  const bool wake = idle_ > 0;
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
    }
    if (queue_.empty()) {
      return;
    }
    Task task = std::move(queue_.front());
    queue_.pop_front();
    ++running_;
    lock.unlock();
    task();
    task = nullptr;
    lock.lock();
    --running_;
  }
}

}  // namespace atrium::http
