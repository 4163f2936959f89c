// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "app/job_reports.h"
#include "app/store_operations.h"
#include "app/store_tasks.h"
#include "base/result.h"
#include "http/router.h"
#include "jobs/clock_witness.h"
#include "jobs/ledger.h"
#include "jobs/runner.h"

namespace atrium::app {

/// What the control routes work on. Empty where routes are only listed.
struct ControlTargets {
  StoreOperations* operations = nullptr;
  StoreTasks* tasks = nullptr;
  jobs::Runner* runner = nullptr;
  jobs::Ledger* ledger = nullptr;
  jobs::ClockWitness* witness = nullptr;
};

/// What the operator's commands ask of the running server, on the control socket alone: requests
/// and replies are JSON, as described in store_reports.h and job_reports.h.
///
///   GET  /control/store/stats                a StatsReport
///   POST /control/store/checkpoint           a CheckpointReport
///   POST /control/store/tasks                a TaskRequest; a TaskReport, with its id
///   GET  /control/store/tasks/{id}           the TaskReport, once it ended or after a moment
///   GET  /control/jobs                       all jobs
///   GET  /control/jobs/{name}/history/{n}    its last n runs
///   POST /control/jobs/{name}/run            has it run; its JobStateReport before that
///   GET  /control/jobs/{name}/after/{n}      its JobStateReport, once the revision is n or more,
///                                            or after a moment
///   POST /control/jobs/trust-clock           believes the clock; a ClockReport
///
/// Outlives the router it is added to.
class ControlRoutes {
 public:
  explicit ControlRoutes(ControlTargets targets) : targets_(targets) {}

  void AddTo(http::Router& router);

 private:
  void AddStore(http::Router& router);
  void AddJobs(http::Router& router);
  Result<JobStateReport> AwaitJob(const std::string& name, std::uint64_t revision);

  const ControlTargets targets_;
};

}  // namespace atrium::app
