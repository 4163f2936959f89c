// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "api/api.h"
#include "app/admin_overview.h"
#include "app/config.h"
#include "app/control_routes.h"
#include "app/files_operations.h"
#include "app/store_reports.h"
#include "app/store_tasks.h"
#include "base/clock.h"
#include "base/result.h"
#include "http/reply.h"
#include "identity/audit.h"
#include "identity/identity.h"

namespace atrium::app {

/// What superadmins look after over HTTP. The pointers are empty where routes are only listed.
struct AdminTargets {
  const Config& config;
  const Clock& clock;
  identity::Identity& identity;
  ControlTargets care{};
  FilesOperations* files = nullptr;
  StoreTasks* files_tasks = nullptr;
};

/// What the control socket offers to the operator, for superadmins over HTTP: the same operations
/// and the same reports, as docs/api/admin.md shows them. A request names no place on the disk;
/// what is begun is written into the audit log of the default organisation.
///
/// Outlives the router it is added to.
class AdminRoutes {
 public:
  explicit AdminRoutes(const AdminTargets& targets)
      : targets_(targets),
        overview_({.config = targets.config,
                   .clock = targets.clock,
                   .identity = targets.identity,
                   .store = targets.care.operations,
                   .files = targets.files,
                   .runner = targets.care.runner,
                   .witness = targets.care.witness}) {}

  void AddTo(api::Api& api);

 private:
  void AddReports(api::Api& api);
  void AddJobs(api::Api& api);
  void AddStoreTasks(api::Api& api);
  void AddFilesTasks(api::Api& api);

  Result<http::Reply> RunJob(const api::Call& call, const std::string& name);
  /// Begins it, and answers with its first report.
  Result<http::Reply> BeginTask(const api::Call& call, StoreTasks* tasks, const TaskRequest& task);
  /// Writes down what was begun, and answers with it.
  Result<http::Reply> Accept(const api::Call& call, identity::AuditEvent event, std::string report);

  const AdminTargets targets_;
  AdminOverview overview_;
};

}  // namespace atrium::app
