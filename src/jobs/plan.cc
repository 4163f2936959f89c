// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "jobs/plan.h"

#include <algorithm>
#include <chrono>
#include <optional>

#include "base/instant.h"
#include "jobs/job.h"
#include "jobs/ledger.h"
#include "jobs/schedule.h"

namespace atrium::jobs {
namespace {

Plan BySchedule(const JobSpec& spec, std::optional<Instant> last_start, Instant now) {
  return {.at = NextRun(spec.schedule, last_start, now)};
}

Plan AfterActive(const JobSpec& spec, const ActiveRun& active, Instant now) {
  if (!IsLive(active.lease, now) && active.attempt < spec.retry.attempts_max) {
    return {.at = now, .attempt = active.attempt + 1};
  }
  Plan plan = BySchedule(spec, active.started, now);
  plan.held = IsLive(active.lease, now);
  return plan;
}

Plan AfterRun(const JobSpec& spec, const FinishedRun& last, Instant retry_at, Instant now) {
  const bool clock_was_set_back = retry_at - now > 2 * spec.retry.wait_max;
  return {.at = clock_was_set_back ? now : retry_at,
          .attempt = last.outcome == Outcome::kStopped ? last.attempt : last.attempt + 1};
}

}  // namespace

Plan MakePlan(const JobSpec& spec, const JobState& state, Instant now) {
  if (state.active) {
    return AfterActive(spec, *state.active, now);
  }
  if (state.last_run && state.retry_at) {
    return AfterRun(spec, *state.last_run, *state.retry_at, now);
  }
  return BySchedule(spec, state.last_run ? std::optional(state.last_run->started) : std::nullopt,
                    now);
}

std::optional<Instant> RetryAfter(const JobSpec& spec, const FinishedRun& run, Instant now,
                                  double fraction) {
  switch (run.outcome) {
    case Outcome::kSucceeded:
      return std::nullopt;
    case Outcome::kStopped:
      return now;
    case Outcome::kFailed:
    case Outcome::kAbandoned:
      break;
  }
  if (run.attempt >= spec.retry.attempts_max) {
    return std::nullopt;
  }
  return now + Backoff(spec.retry, run.attempt, fraction);
}

}  // namespace atrium::jobs
