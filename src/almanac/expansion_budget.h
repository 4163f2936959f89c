// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "base/error.h"
#include "base/result.h"

namespace atrium::almanac {

/// What one request may spend on expanding, however many series it expands. Running out is
/// kLimitExceeded, and stays so.
class ExpansionBudget {
 public:
  /// `occurrences` that may be answered; `steps` are days and times that may be looked at, of which
  /// a millisecond has twenty thousand or more.
  explicit ExpansionBudget(std::size_t occurrences, std::size_t steps)
      : occurrences_(occurrences), steps_(steps) {}

  Result<void> SpendOccurrence() {
    if (occurrences_ == 0) {
      return Fail(ErrorCode::kLimitExceeded, "too many occurrences; ask for a shorter time");
    }
    --occurrences_;
    return {};
  }

  Result<void> SpendSteps(std::size_t steps) {
    if (steps_ < steps) {
      steps_ = 0;
      return Fail(ErrorCode::kLimitExceeded, "the recurrence takes too long to work out");
    }
    steps_ -= steps;
    return {};
  }

  std::size_t StepsLeft() const { return steps_; }

 private:
  std::size_t occurrences_;
  std::size_t steps_;
};

}  // namespace atrium::almanac
