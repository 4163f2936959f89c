// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "jobs/records.h"

#include <chrono>
#include <string>

#include "base/utf8.h"
#include "jobs/ledger.h"

namespace atrium::jobs {

RunRecord RecordOf(const FinishedRun& run) {
  return {.server = run.server,
          .attempt = run.attempt,
          .started = run.started,
          .duration_ms = run.duration.count(),
          .outcome = run.outcome,
          .error = std::string(TruncateUtf8(run.error, kRunTextBytesMax)),
          .progress = std::string(TruncateUtf8(run.progress, kRunTextBytesMax))};
}

ActiveRecord RecordOf(const ActiveRun& run) {
  return {.server = run.lease.server,
          .token = run.lease.token,
          .attempt = run.attempt,
          .started = run.started,
          .renewed_at = run.lease.renewed_at,
          .lease_s = run.lease.duration.count()};
}

FinishedRun RunOf(const RunRecord& record) {
  return {.server = record.server,
          .attempt = record.attempt,
          .started = record.started,
          .duration = std::chrono::milliseconds(record.duration_ms),
          .outcome = record.outcome,
          .error = record.error,
          .progress = record.progress};
}

JobState StateOf(const std::string& job, const StateRecord& record) {
  JobState state{.revision = record.revision, .retry_at = record.retry_at};
  if (record.active) {
    const ActiveRecord& active = *record.active;
    state.active = ActiveRun{.lease = {.job = job,
                                       .server = active.server,
                                       .token = active.token,
                                       .renewed_at = active.renewed_at,
                                       .duration = std::chrono::seconds(active.lease_s)},
                             .started = active.started,
                             .attempt = active.attempt};
  }
  if (record.last_run) {
    state.last_run = RunOf(*record.last_run);
  }
  return state;
}

}  // namespace atrium::jobs
