// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/job_reports.h"

#include <optional>
#include <vector>

#include "jobs/ledger.h"
#include "jobs/records.h"
#include "jobs/runner.h"
#include "jobs/schedule.h"

namespace atrium::app {
namespace {

std::optional<jobs::RunRecord> LastOf(const std::optional<jobs::FinishedRun>& run) {
  return run ? std::optional(jobs::RecordOf(*run)) : std::nullopt;
}

std::optional<jobs::ActiveRecord> ActiveOf(const std::optional<jobs::ActiveRun>& run) {
  return run ? std::optional(jobs::RecordOf(*run)) : std::nullopt;
}

}  // namespace

std::vector<JobReport> ReportOf(const std::vector<jobs::JobStatus>& statuses) {
  std::vector<JobReport> reports;
  reports.reserve(statuses.size());
  for (const jobs::JobStatus& status : statuses) {
    reports.push_back({.name = status.name,
                       .schedule = jobs::Render(status.schedule),
                       .next_run = status.next_run,
                       .last_run = LastOf(status.last_run),
                       .running = ActiveOf(status.running),
                       .progress = status.progress});
  }
  return reports;
}

JobStateReport ReportOf(const jobs::JobState& state) {
  return {.revision = state.revision,
          .running = ActiveOf(state.active),
          .last_run = LastOf(state.last_run)};
}

std::vector<jobs::RunRecord> ReportOf(const std::vector<jobs::FinishedRun>& runs) {
  std::vector<jobs::RunRecord> records;
  records.reserve(runs.size());
  for (const jobs::FinishedRun& run : runs) {
    records.push_back(jobs::RecordOf(run));
  }
  return records;
}

Result<ClockReport> TrustClock(jobs::ClockWitness& witness) {
  ASSIGN_OR_RETURN(const Instant now, witness.Trust());
  return ClockReport{.now = now};
}

}  // namespace atrium::app
