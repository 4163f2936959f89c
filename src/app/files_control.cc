// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/files_control.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "app/store_reports.h"
#include "base/json_write.h"
#include "http/json_body.h"
#include "http/reply.h"
#include "http/request.h"
#include "http/route.h"

namespace atrium::app {
namespace {

using http::Method;
using http::Reply;
using http::Request;

/// How long a request waits for a task. A worker thread waits with it, so not long.
constexpr std::chrono::milliseconds kPatience{500};
constexpr std::size_t kBodyBytesMax = std::size_t{64} << 10;

http::Route Control(Method method, std::string path, std::string summary) {
  return {.method = method,
          .path = std::move(path),
          .access = http::ControlSocketOnly(),
          .work = http::Work::kBlocking,
          .summary = std::move(summary),
          .body_bytes_max = method == Method::kPost ? kBodyBytesMax : 0,
          .rate = http::RateClass::kUnlimited};
}

}  // namespace

void FilesControl::AddTo(http::Router& router) {
  router.Add(Control(Method::kGet, "/control/blobs/stats", "Figures about the blobs"),
             [this](const Request&) -> Result<Reply> {
               return http::JsonReply(ToJson(operations_.BlobStats()) + "\n");
             });
  router.Add(
      Control(Method::kPost, "/control/files/tasks", "Begin a verification or other long work"),
      [this](const Request& request) -> Result<Reply> {
        ASSIGN_OR_RETURN(const TaskRequest task, http::JsonBody<TaskRequest>(request));
        ASSIGN_OR_RETURN(const TaskReport report, tasks_.Begin(task));
        return http::JsonReply(ToJson(report) + "\n");
      });
  router.Add(Control(Method::kGet, "/control/files/tasks/{id}", "How far that is"),
             [this](const Request&, std::uint64_t id) -> Result<Reply> {
               ASSIGN_OR_RETURN(const TaskReport report, tasks_.Await(id, kPatience));
               return http::JsonReply(ToJson(report) + "\n");
             });
}

}  // namespace atrium::app
