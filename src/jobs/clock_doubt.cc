// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "jobs/clock_doubt.h"

#include <algorithm>

namespace atrium::jobs {
namespace {

using std::chrono::milliseconds;

bool IsNear(Instant one, Instant other) {
  return std::chrono::abs(one - other) <= kToleratedJump;
}

/// The clock went on as it should.
std::optional<ClockDoubt> AfterRunning(ClockDoubt doubt, milliseconds ran) {
  doubt.ran_ms += ran.count();
  doubt.observed_ms += ran.count();
  const bool confirmed = milliseconds(doubt.observed_ms) >= kObservation;
  return confirmed ? std::nullopt : std::optional(doubt);
}

std::optional<ClockDoubt> AfterJump(const ClockRecord& before, Instant now, milliseconds ran) {
  if (!before.doubt) {
    return ClockDoubt{.believed = before.seen + ran, .jumped_to = now};
  }
  ClockDoubt doubt = *before.doubt;
  doubt.ran_ms += ran.count();
  if (IsNear(now, doubt.believed + milliseconds(doubt.ran_ms))) {
    return std::nullopt;  // Back where it was.
  }
  doubt.jumped_to = now;
  doubt.observed_ms = 0;
  return doubt;
}

}  // namespace

ClockRecord Observe(const ClockRecord& before, Instant now, milliseconds ran) {
  ClockRecord after{.seen = now};
  if (!IsNear(now, before.seen + ran)) {
    after.doubt = AfterJump(before, now, ran);
  } else if (before.doubt) {
    after.doubt = AfterRunning(*before.doubt, ran);
  }
  return after;
}

Instant BelievedTime(const ClockRecord& record) {
  // One that was set back is believed: nothing is too old by it.
  return record.doubt ? std::min(record.doubt->believed, record.seen) : record.seen;
}

}  // namespace atrium::jobs
