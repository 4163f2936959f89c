// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "base/instant.h"
#include "jobs/job.h"
#include "jobs/ledger.h"

namespace atrium::jobs {

/// When a job is to be started next, and as which attempt.
struct Plan {
  /// nullopt: never by itself.
  std::optional<Instant> at;
  unsigned attempt = 1;
  /// A server runs it at this moment; `at` is then what follows.
  bool held = false;

  bool IsDue(Instant now) const { return !held && at && *at <= now; }
};

/// Pure: from what is written down and the time alone.
///
///   last run            next                                         attempt
///   succeeded           by schedule                                  1
///   failed, to retry    after the back-off                           + 1
///   failed, given up    by schedule                                  1
///   stopped             at once                                      the same
///   abandoned           at once, or given up as above                + 1
///
/// A retry further away than the policy ever waits is due at once: the clock was set back.
Plan MakePlan(const JobSpec& spec, const JobState& state, Instant now);

/// The time of the next attempt to write down with `run`; nullopt when the schedule decides.
/// `fraction` is in [0, 1).
std::optional<Instant> RetryAfter(const JobSpec& spec, const FinishedRun& run, Instant now,
                                  double fraction);

}  // namespace atrium::jobs
