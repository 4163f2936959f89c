// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "base/clock.h"
#include "base/result.h"
#include "engines/rocksdb/batch.h"
#include "store/write_set.h"

namespace atrium::rocks {

/// A change between the thread that asks for it and the writer. Both own it, so that either may
/// leave.
///
///   queued ── Take() ──> taken ── Answer() ──> answered
///      └─ deadline passed ──> abandoned
class Request {
 public:
  Request(std::shared_ptr<Change> change, SteadyInstant deadline)
      : change_(std::move(change)), deadline_(deadline) {}

  Change& GetChange() const { return *change_; }
  SteadyInstant Deadline() const { return deadline_; }

  /// By the writer: false when the caller has left, or its deadline is past `now`.
  bool Take(SteadyInstant now);
  /// By the writer, once.
  void Answer(Result<store::Receipt> answer);
  /// By the caller: waits for the answer. When the deadline passes first: kDeadlineExceeded if the
  /// writer has not taken the change, and then it will not; kOutcomeUnknown if it has.
  Result<store::Receipt> Await(const Clock& clock);

 private:
  enum class State : std::uint8_t { kQueued, kTaken, kAnswered, kAbandoned };

  const std::shared_ptr<Change> change_;
  const SteadyInstant deadline_;

  std::mutex mutex_;
  std::condition_variable answered_;
  // Guarded by mutex_.
  State state_ = State::kQueued;
  std::optional<Result<store::Receipt>> answer_{};
};

}  // namespace atrium::rocks
