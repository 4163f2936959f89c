// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/admin_overview.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "app/admin_reports.h"
#include "app/store_reports.h"
#include "app/version.h"
#include "base/error.h"
#include "base/result.h"
#include "identity/organisations.h"
#include "jobs/ledger.h"
#include "jobs/runner.h"

namespace atrium::app {
namespace {

DiskReport DiskOf(const std::string& folder) {
  std::error_code failed;
  const std::filesystem::space_info space = std::filesystem::space(folder, failed);
  return failed ? DiskReport{}
                : DiskReport{.free_bytes = space.available, .total_bytes = space.capacity};
}

}  // namespace

JobsSummary SummaryOf(const std::vector<jobs::JobStatus>& jobs) {
  JobsSummary summary{.total = jobs.size()};
  for (const jobs::JobStatus& job : jobs) {
    summary.running += job.running ? 1 : 0;
    const bool failed = job.last_run && (job.last_run->outcome == jobs::Outcome::kFailed ||
                                         job.last_run->outcome == jobs::Outcome::kAbandoned);
    if (failed) {
      summary.failing.push_back(
          {.name = job.name, .error = job.last_run->error, .at = job.last_run->started});
    }
  }
  return summary;
}

BackupSummary AdminOverview::Backups() const {
  const Result<BackupShelf> shelf = parts_.store->Backups();
  if (!shelf) {
    const Error& error = shelf.error();
    return {.configured = true,
            .problem = error.client_message.empty() ? error.detail : error.client_message};
  }
  BackupSummary summary{.configured = shelf->configured};
  if (!shelf->backups.empty()) {
    summary.latest = shelf->backups.back();
  }
  return summary;
}

Result<OverviewReport> AdminOverview::Make(const store::OpContext& op) {
  ASSIGN_OR_RETURN(const identity::ServerUsage all, parts_.identity.organisations.UsageOfAll(op));
  ASSIGN_OR_RETURN(const std::vector<jobs::JobStatus> jobs, parts_.runner->List());
  ASSIGN_OR_RETURN(StoreSummary store, parts_.store->Summary(op));
  JobsSummary summary = SummaryOf(jobs);
  summary.clock = parts_.witness->Problem().value_or("");
  const auto up = parts_.clock.Steady() - started_;
  return OverviewReport{.version = std::string(kVersion),
                        .started_at = started_at_,
                        .uptime_s = std::chrono::duration_cast<std::chrono::seconds>(up).count(),
                        .orgs = all.orgs,
                        .users = static_cast<std::uint64_t>(all.usage.users),
                        .store = std::move(store),
                        .blobs = parts_.files->BlobStats(),
                        .disk = DiskOf(parts_.config.data),
                        .jobs = std::move(summary),
                        .backup = Backups(),
                        .mail = parts_.identity.outbox.IsOpen()};
}

}  // namespace atrium::app
