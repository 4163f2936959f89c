// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/config.h"
#include "app/store_operations.h"
#include "app/store_reports.h"
#include "base/result.h"
#include "files/room.h"

namespace atrium::app {

/// What the operator does with libraries and blobs: the same in the server and in a command that
/// has opened the data folder itself. Any thread. What it is given outlives it.
class FilesOperations {
 public:
  FilesOperations(files::Room& room, const Config& config) : room_(room), config_(config) {}

  BlobStatsReport BlobStats();

  /// kInvalidArgument for a task of the store, and for what names no library or commit.
  Result<TaskOutcome> Perform(const TaskRequest& request, const WorkHooks& hooks);

 private:
  Result<BlobVerificationReport> VerifyBlobs(const TaskRequest& request, const WorkHooks& hooks);

  files::Room& room_;
  const Config& config_;
};

}  // namespace atrium::app
