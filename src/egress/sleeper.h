// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <stop_token>

namespace atrium::egress {

/// Waits between retries. Comes in from outside, so that tests do not wait. Any thread.
class Sleeper {
 public:
  Sleeper() = default;
  Sleeper(const Sleeper&) = delete;
  Sleeper& operator=(const Sleeper&) = delete;
  virtual ~Sleeper() = default;

  /// Returns after `wait`, or as soon as `stop` is requested.
  virtual void Sleep(std::chrono::milliseconds wait, const std::stop_token& stop) = 0;
};

/// Blocks the calling thread.
class ThreadSleeper final : public Sleeper {
 public:
  void Sleep(std::chrono::milliseconds wait, const std::stop_token& stop) override;
};

}  // namespace atrium::egress
