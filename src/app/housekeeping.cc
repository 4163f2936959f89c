// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/housekeeping.h"

#include <chrono>
#include <string>
#include <vector>

#include "app/config.h"
#include "app/progress.h"
#include "app/store_operations.h"
#include "app/store_reports.h"
#include "base/error.h"
#include "base/log.h"
#include "base/result.h"
#include "http/tls.h"
#include "jobs/job.h"
#include "jobs/schedule.h"

namespace atrium::app {
namespace {

constexpr std::chrono::days kCertificateWarning{14};

}  // namespace

Result<void> CheckCertificate(const TlsConfig& tls, Instant now) {
  ASSIGN_OR_RETURN(const Instant end, http::CertificateEnd(tls.certificate));
  if (end - now > kCertificateWarning) {
    return {};
  }
  const std::string when = RenderInstant(end);
  log::Warn("the TLS certificate ends soon", {{"file", tls.certificate}, {"end", when}});
  return Fail(ErrorCode::kUnavailable, "the TLS certificate ends on " + when);
}

namespace {

jobs::JobSpec BackupJob(StoreOperations& operations) {
  const auto run = [&operations](jobs::JobContext& context) -> Result<void> {
    const auto report = [&](const WorkProgress& progress) { context.Report(Render(progress)); };
    RETURN_IF_ERROR(operations.Perform({.task = StoreTask::kBackup},
                                       {.progress = report, .stop = context.StopToken()}));
    return {};
  };
  return {.name = "store.backup", .schedule = jobs::DailyAt{std::chrono::hours(3)}, .run = run};
}

jobs::JobSpec CertificateJob(const TlsConfig& tls, const Clock& clock) {
  return {.name = "tls.certificate-end",
          .schedule = jobs::Every{std::chrono::hours(24)},
          .run = [tls, &clock](jobs::JobContext&) { return CheckCertificate(tls, clock.Now()); }};
}

}  // namespace

std::vector<jobs::JobSpec> HousekeepingJobs(const Config& config, const Clock& clock,
                                            StoreOperations& operations) {
  std::vector<jobs::JobSpec> jobs;
  if (!config.store.backup_folder.empty()) {
    jobs.push_back(BackupJob(operations));
  }
  if (config.tls.Enabled()) {
    jobs.push_back(CertificateJob(config.tls, clock));
  }
  return jobs;
}

}  // namespace atrium::app
