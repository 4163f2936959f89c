// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/store_tasks.h"

#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>

#include "app/store_operations.h"
#include "app/store_reports.h"
#include "base/error.h"
#include "base/json_write.h"
#include "base/log.h"
#include "base/result.h"

namespace atrium::app {

StoreTasks::~StoreTasks() {
  RequestStop();
}

void StoreTasks::RequestStop() {
  const std::scoped_lock lock(mutex_);
  stopping_ = true;
  thread_.request_stop();
}

Result<TaskReport> StoreTasks::Begin(const TaskRequest& request) {
  const std::scoped_lock lock(mutex_);
  if (stopping_) {
    return Fail(ErrorCode::kUnavailable, "the server is stopping");
  }
  if (latest_ && latest_->state == TaskState::kRunning) {
    return Fail(ErrorCode::kConflict,
                "the server is at work on another task of the store: " + ToJson(latest_->task));
  }
  latest_ = TaskReport{.id = latest_ ? latest_->id + 1 : 1,
                       .task = request.task,
                       .repair = request.repair,
                       .dry_run = request.dry_run};
  // The thread before this one has said its last word; it is joined here.
  thread_ = std::jthread([this, request](const std::stop_token& stop) { Run(request, stop); });
  return *latest_;
}

void StoreTasks::Run(const TaskRequest& request, const std::stop_token& stop) {
  const auto report = [this](const WorkProgress& progress) {
    const std::scoped_lock lock(mutex_);
    latest_->progress = progress;
  };
  Result<TaskOutcome> outcome = performer_(request, {.progress = report, .stop = stop});
  if (!outcome) {
    log::Warn("task of the store failed", {{"error", Describe(outcome.error())}});
  }
  {
    const std::scoped_lock lock(mutex_);
    latest_->state = outcome ? TaskState::kSucceeded : TaskState::kFailed;
    if (outcome) {
      latest_->outcome = *std::move(outcome);
    } else {
      const Error& error = outcome.error();
      latest_->error_code = Name(error.code);
      latest_->error = error.client_message.empty() ? error.detail : error.client_message;
    }
  }
  changed_.notify_all();
}

std::optional<TaskReport> StoreTasks::Latest() {
  const std::scoped_lock lock(mutex_);
  return latest_;
}

Result<TaskReport> StoreTasks::Await(std::uint64_t id, std::chrono::milliseconds patience) {
  std::unique_lock lock(mutex_);
  const auto is_latest = [&] { return latest_ && latest_->id == id; };
  changed_.wait_for(lock, patience, [&] {
    return !is_latest() || latest_->state != TaskState::kRunning || stopping_;
  });
  if (!is_latest()) {
    return Fail(ErrorCode::kNotFound, "there is no such task");
  }
  return *latest_;
}

}  // namespace atrium::app
