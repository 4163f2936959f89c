// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/describe/class.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/job_reports.h"
#include "app/store_reports.h"
#include "base/instant.h"
#include "jobs/records.h"

namespace atrium::app {

// What superadmins are told over HTTP, beside what commands print: docs/api/admin.md.

struct DiskReport {
  std::uint64_t free_bytes = 0;
  std::uint64_t total_bytes = 0;
};
BOOST_DESCRIBE_STRUCT(DiskReport, (), (free_bytes, total_bytes))

struct FailingJob {
  std::string name{};
  std::string error{};
  /// When the run began that failed.
  Instant at{};
};
BOOST_DESCRIBE_STRUCT(FailingJob, (), (name, error, at))

struct JobsSummary {
  std::uint64_t total = 0;
  std::uint64_t running = 0;
  /// Those whose last run did not succeed.
  std::vector<FailingJob> failing{};
  /// Why those that erase by age wait; empty when they do not.
  std::string clock{};
};
BOOST_DESCRIBE_STRUCT(JobsSummary, (), (total, running, failing, clock))

struct BackupSummary {
  bool configured = false;
  std::optional<BackupLine> latest{};
  /// Why the folder could not be looked into.
  std::string problem{};
};
BOOST_DESCRIBE_STRUCT(BackupSummary, (), (configured, latest, problem))

struct OverviewReport {
  std::string version{};
  Instant started_at{};
  std::int64_t uptime_s = 0;
  std::uint64_t orgs = 0;
  std::uint64_t users = 0;
  StoreSummary store{};
  BlobStatsReport blobs{};
  /// Of the data folder.
  DiskReport disk{};
  JobsSummary jobs{};
  BackupSummary backup{};
  /// Whether letters leave this server.
  bool mail = false;
};
BOOST_DESCRIBE_STRUCT(OverviewReport, (),
                      (version, started_at, uptime_s, orgs, users, store, blobs, disk, jobs, backup,
                       mail))

struct JobList {
  std::vector<JobReport> jobs{};
};
BOOST_DESCRIBE_STRUCT(JobList, (), (jobs))

struct RunList {
  std::vector<jobs::RunRecord> runs{};
};
BOOST_DESCRIBE_STRUCT(RunList, (), (runs))

/// The long task at work, or the last one that was; nothing when there was none.
struct LatestTask {
  std::optional<TaskReport> task{};
};
BOOST_DESCRIBE_STRUCT(LatestTask, (), (task))

}  // namespace atrium::app
