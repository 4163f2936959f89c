// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/files_control.h"

#include <cstdint>

#include "app/report_routes.h"
#include "app/store_reports.h"
#include "base/result.h"
#include "http/json_body.h"
#include "http/reply.h"
#include "http/request.h"

namespace atrium::app {
namespace {

using http::Method;
using http::Reply;
using http::Request;

}  // namespace

void FilesControl::AddTo(http::Router& router) {
  router.Add(
      ControlRoute(Method::kGet, "/control/blobs/stats", "Figures about the blobs"),
      [this](const Request&) -> Result<Reply> { return ReportReply(operations_.BlobStats()); });
  router.Add(ControlRoute(Method::kPost, "/control/files/tasks",
                          "Begin a verification or other long work"),
             [this](const Request& request) -> Result<Reply> {
               ASSIGN_OR_RETURN(const TaskRequest task, http::JsonBody<TaskRequest>(request));
               return ReportReply(tasks_.Begin(task));
             });
  router.Add(ControlRoute(Method::kGet, "/control/files/tasks/{id}", "How far that is"),
             [this](const Request&, std::uint64_t id) {
               return ReportReply(tasks_.Await(id, kPatience));
             });
}

}  // namespace atrium::app
