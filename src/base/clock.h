// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <mutex>

#include "base/instant.h"

namespace atrium {

/// A point on a scale that never jumps: for durations, deadlines and rates. Means nothing outside
/// the process.
using SteadyInstant = std::chrono::steady_clock::time_point;

/// What time it is. Comes in by constructor, so that tests decide. All clocks may be asked from any
/// thread.
class Clock {
 public:
  Clock() = default;
  Clock(const Clock&) = delete;
  Clock& operator=(const Clock&) = delete;
  virtual ~Clock() = default;

  /// The calendar's time. May jump, also backwards, when the machine's clock is set.
  virtual Instant Now() const = 0;

  /// Time that only grows.
  virtual SteadyInstant Steady() const = 0;
};

/// The machine's clock.
class SystemClock final : public Clock {
 public:
  Instant Now() const override;
  SteadyInstant Steady() const override;
};

/// A clock that stands still until a test moves it.
class FixedClock final : public Clock {
 public:
  explicit FixedClock(Instant now) : now_(now) {}

  Instant Now() const override;
  SteadyInstant Steady() const override;

  /// Moves the calendar's time alone, in either direction, as an administrator setting the clock
  /// does.
  void Set(Instant now);

  /// Lets time pass: both scales move. `passed` is not negative.
  void Advance(std::chrono::milliseconds passed);

 private:
  mutable std::mutex mutex_;
  // Guarded by mutex_.
  Instant now_;
  SteadyInstant steady_{};
};

}  // namespace atrium
