// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/describe/class.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/instant.h"
#include "base/result.h"
#include "jobs/clock_witness.h"
#include "jobs/ledger.h"
#include "jobs/records.h"
#include "jobs/runner.h"

namespace atrium::app {

// What is said about jobs: by commands with --json, and by the server to its commands.

struct JobReport {
  std::string name{};
  std::string schedule{};
  std::optional<Instant> next_run{};
  std::optional<jobs::RunRecord> last_run{};
  std::optional<jobs::ActiveRecord> running{};
  std::string progress{};
};
BOOST_DESCRIBE_STRUCT(JobReport, (), (name, schedule, next_run, last_run, running, progress))

/// Where a job stands; `revision` grows with each beginning and each end of a run.
struct JobStateReport {
  std::uint64_t revision = 0;
  std::optional<jobs::ActiveRecord> running{};
  std::optional<jobs::RunRecord> last_run{};
  std::string progress{};
};
BOOST_DESCRIBE_STRUCT(JobStateReport, (), (revision, running, last_run, progress))

std::vector<JobReport> ReportOf(const std::vector<jobs::JobStatus>& statuses);
JobStateReport ReportOf(const jobs::JobState& state);
std::vector<jobs::RunRecord> ReportOf(const std::vector<jobs::FinishedRun>& runs);

/// After somebody has said that the clock is right.
struct ClockReport {
  Instant now{};
};
BOOST_DESCRIBE_STRUCT(ClockReport, (), (now))

/// Has the witness believe the clock.
Result<ClockReport> TrustClock(jobs::ClockWitness& witness);

}  // namespace atrium::app
