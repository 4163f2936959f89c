// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "base/clock.h"

#include "base/check.h"

namespace atrium {

Instant SystemClock::Now() const {
  return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
}

SteadyInstant SystemClock::Steady() const {
  return std::chrono::steady_clock::now();
}

Instant FixedClock::Now() const {
  const std::scoped_lock lock(mutex_);
  return now_;
}

SteadyInstant FixedClock::Steady() const {
  const std::scoped_lock lock(mutex_);
  return steady_;
}

void FixedClock::Set(Instant now) {
  const std::scoped_lock lock(mutex_);
  now_ = now;
}

void FixedClock::Advance(std::chrono::milliseconds passed) {
  Check(passed.count() >= 0, "time does not pass backwards");
  const std::scoped_lock lock(mutex_);
  now_ += passed;
  steady_ += passed;
}

}  // namespace atrium
