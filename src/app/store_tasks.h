// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>

#include "app/store_operations.h"
#include "app/store_reports.h"
#include "base/result.h"

namespace atrium::app {

/// Long work in the server that commands ask for, on a thread of its own: one task at a time, which
/// goes on when the command is gone. Any thread.
class StoreTasks {
 public:
  /// Does a task to its end: StoreOperations::Perform().
  using Performer = std::function<Result<TaskOutcome>(const TaskRequest&, const WorkHooks&)>;

  explicit StoreTasks(Performer performer) : performer_(std::move(performer)) {}
  StoreTasks(const StoreTasks&) = delete;
  StoreTasks& operator=(const StoreTasks&) = delete;
  /// Asks the task to end and waits for it. A backup or a compaction ends when it is done.
  ~StoreTasks();

  /// Begins a task and answers with its first report. kConflict while another one is at work,
  /// kUnavailable once stopped.
  Result<TaskReport> Begin(const TaskRequest& request);

  /// The report of a task once it has ended, or as it is after `patience`. Only the latest is
  /// remembered: kNotFound for others.
  Result<TaskReport> Await(std::uint64_t id, std::chrono::milliseconds patience);

  /// The one at work, or the last one that was; nullopt: none since the server started.
  std::optional<TaskReport> Latest();

  /// From now on no task begins, and the one at work is asked to end. Waits for none.
  void RequestStop();

 private:
  void Run(const TaskRequest& request, const std::stop_token& stop);

  const Performer performer_;
  std::mutex mutex_;
  std::condition_variable changed_;
  // Guarded by mutex_.
  std::optional<TaskReport> latest_;
  bool stopping_ = false;
  std::jthread thread_;
};

}  // namespace atrium::app
