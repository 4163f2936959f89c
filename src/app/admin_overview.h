// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "app/admin_reports.h"
#include "app/config.h"
#include "app/files_operations.h"
#include "app/store_operations.h"
#include "base/clock.h"
#include "base/instant.h"
#include "base/result.h"
#include "identity/identity.h"
#include "jobs/runner.h"
#include "store/op_context.h"

namespace atrium::app {

/// How the server is, at a glance. Any thread; blocks. What it is given outlives it.
class AdminOverview {
 public:
  struct Parts {
    const Config& config;
    const Clock& clock;
    identity::Identity& identity;
    StoreOperations* store = nullptr;
    FilesOperations* files = nullptr;
    jobs::Runner* runner = nullptr;
    jobs::ClockWitness* witness = nullptr;
  };

  /// The server has started now.
  explicit AdminOverview(const Parts& parts)
      : parts_(parts), started_at_(parts.clock.Now()), started_(parts.clock.Steady()) {}

  /// What cannot be found out of backups is said in their part: the rest is worth knowing.
  Result<OverviewReport> Make(const store::OpContext& op);

 private:
  BackupSummary Backups() const;

  const Parts parts_;
  const Instant started_at_;
  const SteadyInstant started_;
};

/// Which of the jobs are at work, and which have failed.
JobsSummary SummaryOf(const std::vector<jobs::JobStatus>& jobs);

}  // namespace atrium::app
