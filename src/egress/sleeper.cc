// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "egress/sleeper.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>

namespace atrium::egress {

void ThreadSleeper::Sleep(std::chrono::milliseconds wait, const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any stopped;
  std::unique_lock lock(mutex);
  // Nothing but the stop request ever wakes it, so the predicate is false and the time runs out.
  stopped.wait_for(lock, stop, wait, [] { return false; });
}

}  // namespace atrium::egress
