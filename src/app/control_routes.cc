// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/control_routes.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "app/job_reports.h"
#include "app/report_routes.h"
#include "app/store_reports.h"
#include "base/result.h"
#include "http/json_body.h"
#include "http/reply.h"
#include "http/request.h"
#include "http/route.h"
#include "http/router.h"
#include "jobs/ledger.h"
#include "jobs/runner.h"

namespace atrium::app {
namespace {

using http::Method;
using http::Reply;
using http::Request;

constexpr std::chrono::milliseconds kLook{20};

}  // namespace

void ControlRoutes::AddStore(http::Router& router) {
  router.Add(ControlRoute(Method::kGet, "/control/store/stats", "Figures about the store"),
             [this](const Request&) { return ReportReply(targets_.operations->Stats()); });
  router.Add(ControlRoute(Method::kPost, "/control/store/checkpoint", "A store of this moment"),
             [this](const Request&) { return ReportReply(targets_.operations->Checkpoint()); });
  router.Add(
      ControlRoute(Method::kPost, "/control/store/tasks", "Begin a backup or other long work"),
      [this](const Request& request) -> Result<Reply> {
        ASSIGN_OR_RETURN(const TaskRequest task, http::JsonBody<TaskRequest>(request));
        return ReportReply(targets_.tasks->Begin(task));
      });
  router.Add(ControlRoute(Method::kGet, "/control/store/tasks/{id}", "How far that is"),
             [this](const Request&, std::uint64_t id) {
               return ReportReply(targets_.tasks->Await(id, kPatience));
             });
}

void ControlRoutes::AddJobs(http::Router& router) {
  router.Add(ControlRoute(Method::kGet, "/control/jobs", "All jobs"),
             [this](const Request&) -> Result<Reply> {
               ASSIGN_OR_RETURN(const std::vector<jobs::JobStatus> jobs, targets_.runner->List());
               return ReportReply(ReportOf(jobs));
             });
  router.Add(ControlRoute(Method::kGet, "/control/jobs/{name}/history/{limit}", "Runs of a job"),
             [this](const Request&, const std::string& name, std::size_t limit) -> Result<Reply> {
               ASSIGN_OR_RETURN(const std::vector<jobs::FinishedRun> runs,
                                targets_.runner->History(name, limit));
               return ReportReply(ReportOf(runs));
             });
  router.Add(ControlRoute(Method::kPost, "/control/jobs/{name}/run", "Run a job now"),
             [this](const Request&, const std::string& name) -> Result<Reply> {
               ASSIGN_OR_RETURN(const jobs::JobState before, targets_.ledger->Read(name));
               RETURN_IF_ERROR(targets_.runner->RunNow(name));
               return ReportReply(ReportOf(before));
             });
  router.Add(
      ControlRoute(Method::kGet, "/control/jobs/{name}/after/{revision}", "Where a job stands"),
      [this](const Request&, const std::string& name, std::uint64_t revision) -> Result<Reply> {
        return ReportReply(AwaitJob(name, revision));
      });
  router.Add(ControlRoute(Method::kPost, "/control/jobs/trust-clock", "Believe the clock"),
             [this](const Request&) { return ReportReply(TrustClock(*targets_.witness)); });
}

/// Another server may be the one that runs it, so there is nothing here to wait on but the ledger.
Result<JobStateReport> ControlRoutes::AwaitJob(const std::string& name, std::uint64_t revision) {
  const auto until = std::chrono::steady_clock::now() + kPatience;
  ASSIGN_OR_RETURN(jobs::JobState state, targets_.ledger->Read(name));
  while (state.revision < revision && std::chrono::steady_clock::now() < until) {
    std::this_thread::sleep_for(kLook);
    ASSIGN_OR_RETURN(state, targets_.ledger->Read(name));
  }
  JobStateReport report = ReportOf(state);
  ASSIGN_OR_RETURN(const std::vector<jobs::JobStatus> jobs, targets_.runner->List());
  for (const jobs::JobStatus& job : jobs) {
    report.progress = job.name == name ? job.progress : report.progress;
  }
  return report;
}

void ControlRoutes::AddTo(http::Router& router) {
  AddStore(router);
  AddJobs(router);
}

}  // namespace atrium::app
