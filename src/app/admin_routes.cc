// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/admin_routes.h"

#include <boost/describe/class.hpp>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/route_parts.h"
#include "app/admin_reports.h"
#include "app/job_reports.h"
#include "app/report_routes.h"
#include "base/error.h"
#include "base/json_read.h"
#include "base/json_write.h"
#include "http/json_body.h"
#include "http/method.h"
#include "http/route.h"
#include "identity/organisations.h"
#include "jobs/ledger.h"
#include "jobs/runner.h"
#include "store/batch.h"

namespace atrium::app {
namespace {

using api::Call;
using http::Method;
using http::Reply;

constexpr std::int64_t kGraceHoursMax = std::int64_t{366} * 24;

struct VerifyBody {
  bool repair = false;
};
BOOST_DESCRIBE_STRUCT(VerifyBody, (), (repair))

struct VerifyFilesBody {
  bool repair = false;
  std::optional<std::string> library{};
};
BOOST_DESCRIBE_STRUCT(VerifyFilesBody, (), (repair, library))

struct CollectBody {
  bool dry_run = false;
  std::optional<std::int64_t> grace_hours{};
};
BOOST_DESCRIBE_STRUCT(CollectBody, (), (dry_run, grace_hours))

template <typename Body>
Result<Body> BodyOf(const Call& call) {
  return http::JsonBody<Body>(call.request, {.missing = OnMissing::kKeepDefault});
}

/// A report may look at files and at the whole of a list.
http::Route ReportRoute(std::string path, const http::AccessRule& access, std::string summary) {
  http::Route route = api::RouteOf(Method::kGet, std::move(path), access, std::move(summary));
  route.work = http::Work::kBlocking;
  return route;
}

/// What the audit log calls it when a task is begun.
std::string ActionOf(StoreTask task) {
  switch (task) {
    case StoreTask::kBackup:
      return "store.backup_begun";
    case StoreTask::kVerify:
      return "store.verification_begun";
    case StoreTask::kCompact:
      return "store.compaction_begun";
    case StoreTask::kVerifyFiles:
      return "files.verification_begun";
    case StoreTask::kCollectGarbage:
      return "files.collection_begun";
    case StoreTask::kExportLibrary:
      return "files.export_begun";
    case StoreTask::kVerifyBlobs:
      return "blobs.verification_begun";
  }
  std::abort();  // Unreachable: -Wswitch keeps the list above complete.
}

std::map<std::string, std::string> DetailOf(const TaskRequest& task) {
  std::map<std::string, std::string> detail;
  if (task.repair) {
    detail["repair"] = "true";
  }
  if (task.dry_run) {
    detail["dry_run"] = "true";
  }
  if (task.grace_hours) {
    detail["grace_hours"] = std::to_string(*task.grace_hours);
  }
  return detail;
}

std::string TargetOf(const TaskRequest& task) {
  return task.library ? "library:" + *task.library : "server";
}

/// What is at work already is no version that moved: 409, not 412.
template <typename T>
Result<T> RefusedByState(Result<T> begun) {
  if (!begun && begun.error().code == ErrorCode::kConflict) {
    begun.error().code = ErrorCode::kRefusedByState;
  }
  return begun;
}

}  // namespace

void AdminRoutes::AddTo(api::Api& api) {
  AddReports(api);
  AddJobs(api);
  AddStoreTasks(api);
  AddFilesTasks(api);
}

void AdminRoutes::AddReports(api::Api& api) {
  const http::AccessRule& superadmin = targets_.identity.Rules().Superadmin();
  api.Add(ReportRoute("/api/admin/overview", superadmin, "How the server is, at a glance"),
          [this](const Call& call) { return ReportReply(overview_.Make(call.op)); });
  api.Add(ReportRoute("/api/admin/store", superadmin, "Figures about the store"),
          [this](const Call&) { return ReportReply(targets_.care.operations->Stats()); });
  api.Add(ReportRoute("/api/admin/backups", superadmin, "Backups in the configured folder"),
          [this](const Call&) { return ReportReply(targets_.care.operations->Backups()); });
  api.Add(ReportRoute("/api/admin/blobs", superadmin, "Figures about the content of files"),
          [this](const Call&) { return ReportReply(targets_.files->BlobStats()); });
  api.Add(ReportRoute("/api/admin/store/task", superadmin, "The last long task of the store"),
          [this](const Call&) {
            return ReportReply(LatestTask{.task = targets_.care.tasks->Latest()});
          });
  api.Add(ReportRoute("/api/admin/files/task", superadmin, "The last long task of libraries"),
          [this](const Call&) {
            return ReportReply(LatestTask{.task = targets_.files_tasks->Latest()});
          });
}

void AdminRoutes::AddJobs(api::Api& api) {
  const http::AccessRule& superadmin = targets_.identity.Rules().Superadmin();
  api.Add(ReportRoute("/api/admin/jobs", superadmin, "All jobs"),
          [this](const Call&) -> Result<Reply> {
            ASSIGN_OR_RETURN(const std::vector<jobs::JobStatus> jobs, targets_.care.runner->List());
            return ReportReply(JobList{.jobs = ReportOf(jobs)});
          });
  api.Add(ReportRoute("/api/admin/jobs/{name}/history", superadmin, "The last runs of a job"),
          [this](const Call& call, const std::string& name) -> Result<Reply> {
            ASSIGN_OR_RETURN(const api::PageQuery page, api::ReadPageQuery(call.request));
            ASSIGN_OR_RETURN(const std::vector<jobs::FinishedRun> runs,
                             targets_.care.runner->History(name, page.limit));
            return ReportReply(RunList{.runs = ReportOf(runs)});
          });
  api.Add(api::RouteOf(Method::kPost, "/api/admin/jobs/{name}/run", superadmin, "Run a job now"),
          [this](const Call& call, const std::string& name) { return RunJob(call, name); });
}

void AdminRoutes::AddStoreTasks(api::Api& api) {
  const http::AccessRule& superadmin = targets_.identity.Rules().Superadmin();
  api.Add(api::RouteOf(Method::kPost, "/api/admin/store/verify", superadmin, "Check all rows"),
          [this](const Call& call) -> Result<Reply> {
            ASSIGN_OR_RETURN(const VerifyBody body, BodyOf<VerifyBody>(call));
            return BeginTask(call, targets_.care.tasks,
                             {.task = StoreTask::kVerify, .repair = body.repair});
          });
  api.Add(api::RouteOf(Method::kPost, "/api/admin/store/compact", superadmin,
                       "Rewrite the store without what is gone"),
          [this](const Call& call) {
            return BeginTask(call, targets_.care.tasks, {.task = StoreTask::kCompact});
          });
  api.Add(api::RouteOf(Method::kPost, "/api/admin/store/backup", superadmin,
                       "Make a backup in the configured folder"),
          [this](const Call& call) -> Result<Reply> {
            if (targets_.config.store.backup_folder.empty()) {
              return Fail(ErrorCode::kRefusedByState,
                          "there is no folder for backups: set store.backup_folder and start the "
                          "server again");
            }
            return BeginTask(call, targets_.care.tasks, {.task = StoreTask::kBackup});
          });
}

void AdminRoutes::AddFilesTasks(api::Api& api) {
  const http::AccessRule& superadmin = targets_.identity.Rules().Superadmin();
  api.Add(api::RouteOf(Method::kPost, "/api/admin/files/gc", superadmin,
                       "Remove what no library names any more"),
          [this](const Call& call) -> Result<Reply> {
            ASSIGN_OR_RETURN(const CollectBody body, BodyOf<CollectBody>(call));
            const std::int64_t hours = body.grace_hours.value_or(0);
            if (hours < 0 || hours > kGraceHoursMax) {
              return Fail(ErrorCode::kInvalidArgument, "grace_hours: 0 to 8784");
            }
            return BeginTask(call, targets_.files_tasks,
                             {.task = StoreTask::kCollectGarbage,
                              .dry_run = body.dry_run,
                              .grace_hours = body.grace_hours});
          });
  api.Add(api::RouteOf(Method::kPost, "/api/admin/files/verify", superadmin,
                       "Read all libraries and their content"),
          [this](const Call& call) -> Result<Reply> {
            ASSIGN_OR_RETURN(VerifyFilesBody body, BodyOf<VerifyFilesBody>(call));
            return BeginTask(call, targets_.files_tasks,
                             {.task = StoreTask::kVerifyFiles,
                              .repair = body.repair,
                              .library = std::move(body.library)});
          });
  api.Add(api::RouteOf(Method::kPost, "/api/admin/blobs/verify", superadmin, "Read all content"),
          [this](const Call& call) -> Result<Reply> {
            ASSIGN_OR_RETURN(const VerifyBody body, BodyOf<VerifyBody>(call));
            return BeginTask(call, targets_.files_tasks,
                             {.task = StoreTask::kVerifyBlobs, .repair = body.repair});
          });
}

Result<Reply> AdminRoutes::RunJob(const Call& call, const std::string& name) {
  RETURN_IF_ERROR(RefusedByState(targets_.care.runner->RunNow(name)));
  ASSIGN_OR_RETURN(const jobs::JobState state, targets_.care.ledger->Read(name));
  return Accept(call, {.action = "job.asked_for", .target = "job:" + name},
                ToJson(ReportOf(state)));
}

Result<Reply> AdminRoutes::BeginTask(const Call& call, StoreTasks* tasks, const TaskRequest& task) {
  ASSIGN_OR_RETURN(const TaskReport begun, RefusedByState(tasks->Begin(task)));
  return Accept(call,
                {.action = ActionOf(task.task), .target = TargetOf(task), .detail = DetailOf(task)},
                ToJson(begun));
}

Result<Reply> AdminRoutes::Accept(const Call& call, identity::AuditEvent event,
                                  std::string report) {
  const identity::Identity& identity = targets_.identity;
  event.org = identity::DefaultOrg();
  store::Batch batch;
  identity::AddAudit(batch, identity::ActorOf(call.request), targets_.clock.Now(),
                     std::move(event));
  batch.SetAnswer({.status = 202, .body = report});
  RETURN_IF_ERROR(identity.ground.store.Commit(call.op, std::move(batch)));
  return http::JsonReply(std::move(report), 202);
}

}  // namespace atrium::app
