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

/// A change that waits for the writer. The queue and the thread that asks both own it, so that the
/// thread may leave.
///
///   queued ──────────── Take() ──> taken ── Answer() ──> answered
///     │ └─ Promote() ─> leading ─────┘
///     └─ deadline passed ──> abandoned
class Request {
 public:
  Request(std::shared_ptr<Change> change, SteadyInstant deadline)
      : change_(std::move(change)), deadline_(deadline) {}

  Change& GetChange() const { return *change_; }
  SteadyInstant Deadline() const { return deadline_; }

  // By the writer.

  /// Makes the thread that waits the writer; false when it has left.
  bool Promote();
  /// False when the thread has left. One whose deadline is past is answered so.
  bool Take(SteadyInstant now);
  /// Once.
  void Answer(Result<store::Receipt> answer);

  // By the thread that asks.

  /// Waits for the answer; nullopt when the thread has become the writer instead. When the deadline
  /// passes first: kDeadlineExceeded if the change was not taken, and then it will not be;
  /// kOutcomeUnknown if it was.
  std::optional<Result<store::Receipt>> Await(const Clock& clock);
  /// The answer there is.
  Result<store::Receipt> TakeAnswer();

 private:
  enum class State : std::uint8_t { kQueued, kLeading, kTaken, kAnswered, kAbandoned };

  const std::shared_ptr<Change> change_;
  const SteadyInstant deadline_;

  std::mutex mutex_;
  std::condition_variable changed_;
  // Guarded by mutex_.
  State state_ = State::kQueued;
  std::optional<Result<store::Receipt>> answer_{};
};

}  // namespace atrium::rocks
