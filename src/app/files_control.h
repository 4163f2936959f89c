// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/config.h"
#include "app/files_operations.h"
#include "app/store_tasks.h"
#include "files/room.h"
#include "http/router.h"

namespace atrium::app {

/// What the operator's commands about libraries and blobs ask of the running server, on the control
/// socket alone; otherwise as ControlRoutes.
///
///   GET  /control/blobs/stats        a BlobStatsReport
///   POST /control/files/tasks        a TaskRequest; a TaskReport, with its id
///   GET  /control/files/tasks/{id}   the TaskReport, once it ended or after a moment
///
/// Outlives whoever serves the router; the room outlives it.
class FilesControl {
 public:
  FilesControl(files::Room& room, const Config& config)
      : operations_(room, config),
        tasks_([this](const TaskRequest& request, const WorkHooks& hooks) {
          return operations_.Perform(request, hooks);
        }) {}
  FilesControl(const FilesControl&) = delete;
  FilesControl& operator=(const FilesControl&) = delete;

  void AddTo(http::Router& router);
  /// Asks long tasks to end, and waits for none.
  void RequestStop() { tasks_.RequestStop(); }

  FilesOperations& Operations() { return operations_; }
  StoreTasks& Tasks() { return tasks_; }

 private:
  FilesOperations operations_;
  StoreTasks tasks_;
};

}  // namespace atrium::app
