// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

#include "engines/rocksdb/engine.h"
#include "engines/rocksdb/writer.h"

namespace atrium::rocks {

/// What a store does by itself, once a second: looks whether its disk can be written, so that one
/// that could not be goes on without being asked; and has the log synced where durability is
/// relaxed.
class Pulse {
 public:
  /// `writer` outlives it.
  Pulse(Writer& writer, const RocksOptions& options)
      : writer_(writer),
        options_(options),
        thread_([this](const std::stop_token& stop) { Run(stop); }) {}

 private:
  void Run(const std::stop_token& stop);
  void Beat();

  Writer& writer_;
  const RocksOptions options_;
  std::mutex mutex_;
  std::condition_variable_any woken_;
  // Ends before what it uses is gone.
  std::jthread thread_;
};

}  // namespace atrium::rocks
