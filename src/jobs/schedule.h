// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <variant>

#include "base/instant.h"
#include "base/result.h"

namespace atrium::jobs {

/// `period` after each start.
struct Every {
  std::chrono::seconds period;
};

/// Once a day, that long after midnight UTC.
struct DailyAt {
  std::chrono::minutes time_of_day;
};

/// Only when somebody asks for it.
struct Manual {};

using Schedule = std::variant<Every, DailyAt, Manual>;

/// Refuses with kInvalidArgument a period shorter than a second and a time of day outside the day.
Result<void> Validate(const Schedule& schedule);

/// "every 90 s", "daily at 03:30 UTC", "when asked for".
std::string Render(const Schedule& schedule);

/// When a job that was last started at `last_start` is due; not later than `now` means due now.
/// nullopt: never by itself. A job that was never started is due at once: a new server need not
/// wait for the night to show that its backup works.
///
/// The answer depends on nothing but its arguments, so a clock that jumps costs little. Forward
/// over any number of starts, the job is due once. Back, it is due after at most two periods: a
/// last start further in the future than one period is taken for a clock that was set, and a
/// smaller one for the clock of another server.
std::optional<Instant> NextRun(const Schedule& schedule, std::optional<Instant> last_start,
                               Instant now);

/// What follows a failure: attempts until one succeeds, at most `attempts_max` for one start, with
/// waits that double from `first_wait` to `wait_max`.
struct RetryPolicy {
  unsigned attempts_max = 3;
  std::chrono::seconds first_wait{60};
  std::chrono::seconds wait_max{3600};
};

/// The wait after failed attempt number `attempt` (from 1). Half of it is certain and half is
/// scaled by `fraction`, which is in [0, 1): jobs that failed together spread out, and none comes
/// back at once.
std::chrono::milliseconds Backoff(const RetryPolicy& policy, unsigned attempt, double fraction);

}  // namespace atrium::jobs
