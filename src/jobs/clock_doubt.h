// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/describe/class.hpp>
#include <chrono>
#include <cstdint>
#include <optional>

#include "base/instant.h"

namespace atrium::jobs {

// Whether the time of a machine is to be believed. Pure rules; clock_witness.h applies them.
//
// A server measures on the steady clock how long it has run. When the calendar's time has moved by
// much more or much less, the clock was set: right or wrong, nobody knows. The same after the
// server was off: perhaps it was off for a month, perhaps the clock jumped meanwhile.

/// A jump that is taken for nothing: a machine that slept, or was off for a night. What is erased
/// too early by it was due within a day.
inline constexpr std::chrono::hours kToleratedJump{24};

/// How long the new time must go on without a jump before it is believed. Only time that a server
/// runs counts.
inline constexpr std::chrono::hours kObservation{24};

struct ClockDoubt {
  /// The time before the jump.
  Instant believed{};
  /// The time after the last jump.
  Instant jumped_to{};
  /// How long servers have run since the first jump, and since the last.
  std::int64_t ran_ms = 0;
  std::int64_t observed_ms = 0;

  friend bool operator==(const ClockDoubt&, const ClockDoubt&) = default;
};
BOOST_DESCRIBE_STRUCT(ClockDoubt, (), (believed, jumped_to, ran_ms, observed_ms))

/// What an installation knows about the time.
struct ClockRecord {
  /// The time when a server looked last.
  Instant seen{};
  /// Set while it is not to be believed.
  std::optional<ClockDoubt> doubt{};

  friend bool operator==(const ClockRecord&, const ClockRecord&) = default;
};
BOOST_DESCRIBE_STRUCT(ClockRecord, (), (seen, doubt))

/// What is known after a look at the clock. `ran`: for how long this server has run since the look
/// before; zero when it has just started.
ClockRecord Observe(const ClockRecord& before, Instant now, std::chrono::milliseconds ran);

/// What happened before this instant may be old: the last time that was believed, or now.
Instant BelievedTime(const ClockRecord& record);

}  // namespace atrium::jobs
