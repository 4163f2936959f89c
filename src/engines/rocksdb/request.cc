// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "engines/rocksdb/request.h"

#include <algorithm>
#include <chrono>

#include "base/check.h"

namespace atrium::rocks {
namespace {

/// Longer than anybody waits, and short enough to be added to any time.
constexpr std::chrono::hours kLongest{1};

std::unexpected<Error> TooLate() {
  return FailPrivately(ErrorCode::kDeadlineExceeded, "the deadline passed before the writer");
}

}  // namespace

bool Request::Promote() {
  {
    const std::scoped_lock lock(mutex_);
    if (state_ == State::kAbandoned) {
      return false;
    }
    state_ = State::kLeading;
  }
  changed_.notify_one();
  return true;
}

bool Request::Take(SteadyInstant now) {
  const std::scoped_lock lock(mutex_);
  if (state_ == State::kAbandoned) {
    return false;
  }
  if (now < deadline_) {
    state_ = State::kTaken;
    return true;
  }
  answer_ = TooLate();
  state_ = State::kAnswered;
  changed_.notify_one();
  return false;
}

void Request::Answer(Result<store::Receipt> answer) {
  {
    const std::scoped_lock lock(mutex_);
    answer_ = std::move(answer);
    state_ = State::kAnswered;
  }
  changed_.notify_one();
}

std::optional<Result<store::Receipt>> Request::Await(const Clock& clock) {
  std::unique_lock lock(mutex_);
  while (state_ == State::kQueued || state_ == State::kTaken) {
    if (deadline_ == SteadyInstant::max()) {
      changed_.wait(lock);
      continue;
    }
    const auto left = deadline_ - clock.Steady();
    if (left > left.zero()) {
      changed_.wait_for(lock, std::min<SteadyInstant::duration>(left, kLongest));
      continue;
    }
    if (state_ == State::kQueued) {
      state_ = State::kAbandoned;
      return TooLate();
    }
    return FailPrivately(ErrorCode::kOutcomeUnknown, "the deadline passed during the write");
  }
  if (state_ == State::kLeading) {
    return std::nullopt;
  }
  return *std::move(answer_);
}

Result<store::Receipt> Request::TakeAnswer() {
  const std::scoped_lock lock(mutex_);
  Check(answer_.has_value(), "the writer answers its own change");
  return *std::move(answer_);
}

}  // namespace atrium::rocks
