// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/admin_overview.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "app/admin_reports.h"
#include "base/instant.h"
#include "jobs/ledger.h"
#include "jobs/runner.h"
#include "jobs/schedule.h"

namespace atrium::app {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::Field;

constexpr Instant kStarted{std::chrono::days(20'000)};

jobs::JobStatus Ran(std::string name, jobs::Outcome outcome) {
  return {.name = std::move(name),
          .schedule = jobs::Manual{},
          .last_run = jobs::FinishedRun{
              .server = "one", .started = kStarted, .outcome = outcome, .error = "no answer"}};
}

TEST(AdminOverviewTest, JobsThatDidNotSucceedAreFailing) {
  const std::vector<jobs::JobStatus> jobs{Ran("good", jobs::Outcome::kSucceeded),
                                          Ran("bad", jobs::Outcome::kFailed),
                                          Ran("gone", jobs::Outcome::kAbandoned),
                                          // Stopped with its server: it runs again soon.
                                          Ran("stopped", jobs::Outcome::kStopped),
                                          {.name = "new", .schedule = jobs::Manual{}}};
  const JobsSummary summary = SummaryOf(jobs);
  EXPECT_EQ(summary.total, 5U);
  EXPECT_EQ(summary.running, 0U);
  EXPECT_THAT(summary.failing, ElementsAre(AllOf(Field(&FailingJob::name, "bad"),
                                                 Field(&FailingJob::error, "no answer"),
                                                 Field(&FailingJob::at, kStarted)),
                                           Field(&FailingJob::name, "gone")));
}

TEST(AdminOverviewTest, JobsAtWorkAreCounted) {
  jobs::JobStatus job{.name = "busy", .schedule = jobs::Manual{}};
  job.running = jobs::ActiveRun{.lease = {.job = "busy", .server = "one"}, .started = kStarted};
  EXPECT_EQ(SummaryOf({job}).running, 1U);
}

}  // namespace
}  // namespace atrium::app
