// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

#include "engines/rocksdb/writer.h"

namespace atrium::rocks {

/// Has the log synced once a second. For stores of relaxed durability.
class LogSyncer {
 public:
  /// `writer` outlives it.
  explicit LogSyncer(Writer& writer)
      : writer_(writer), thread_([this](const std::stop_token& stop) { Run(stop); }) {}

 private:
  void Run(const std::stop_token& stop);

  Writer& writer_;
  std::mutex mutex_;
  std::condition_variable_any woken_;
  // Ends before what it uses is gone.
  std::jthread thread_;
};

}  // namespace atrium::rocks
