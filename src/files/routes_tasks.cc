// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <boost/describe/class.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json_write.h"
#include "files/route_parts.h"
#include "files/routes.h"
#include "files/transfers.h"

namespace atrium::files {
namespace {

using api::Call;
using api::RouteOf;
using http::Method;
using http::Reply;

constexpr std::size_t kTaskBytesMax = std::size_t{1} << 20;

struct ProgressView {
  std::string task_id{};
  std::string type{};
  std::string status{};
  std::int64_t total = 0;
  std::int64_t done = 0;
  bool successful = false;
  bool failed = false;
  bool canceled = false;
  std::string failed_reason{};
};
BOOST_DESCRIBE_STRUCT(ProgressView, (),
                      (task_id, type, status, total, done, successful, failed, canceled,
                       failed_reason))

std::string StatusOf(const Transfer& transfer) {
  if (IsOpen(transfer)) {
    return "processing";
  }
  return transfer.state == TransferState::kDone        ? "done"
         : transfer.state == TransferState::kCancelled ? "canceled"
                                                       : "failed";
}

Result<TakenPolicy> ReadPolicy(const Fields& fields) {
  const std::string_view policy = fields.Find("conflict_policy").value_or("");
  if (policy.empty() || policy == "autorename") {
    return TakenPolicy::kRename;
  }
  if (policy == "replace") {
    return TakenPolicy::kReplace;
  }
  if (policy == "skip") {
    return TakenPolicy::kSkip;
  }
  return Fail(ErrorCode::kInvalidArgument,
              "conflict_policy: expected one of: replace, autorename, skip");
}

/// Some clients send folders with a slash at the end.
std::vector<std::string> WithoutSlashes(std::vector<std::string> names) {
  for (std::string& name : names) {
    if (name.size() > 1 && name.ends_with('/')) {
      name.pop_back();
    }
  }
  return names;
}

Result<TransferOrder> ReadOrder(const Fields& fields, TransferKind kind, std::string_view names) {
  TransferOrder order{.kind = kind, .names = WithoutSlashes(fields.All(names))};
  ASSIGN_OR_RETURN(order.from, fields.RequireLibrary("src_repo_id"));
  ASSIGN_OR_RETURN(order.from_folder, fields.RequirePath("src_parent_dir"));
  ASSIGN_OR_RETURN(order.to, fields.RequireLibrary("dst_repo_id"));
  ASSIGN_OR_RETURN(order.to_folder, fields.RequirePath("dst_parent_dir"));
  ASSIGN_OR_RETURN(order.taken, ReadPolicy(fields));
  return order;
}

Result<Reply> Begin(Room& room, const Call& call, const TransferOrder& order) {
  ASSIGN_OR_RETURN(const Person person, PersonOf(room, call));
  ASSIGN_OR_RETURN(const Transfer transfer, room.transfers.Submit(call.op, person, order));
  return http::JsonReply(R"({"task_id": ")" + transfer.id.Render() + R"("})");
}

Result<Reply> BeginBatch(Room& room, const Call& call, TransferKind kind) {
  ASSIGN_OR_RETURN(const Fields fields, Fields::Read(call.request));
  ASSIGN_OR_RETURN(const TransferOrder order, ReadOrder(fields, kind, "src_dirents"));
  return Begin(room, call, order);
}

Result<Reply> BeginOne(Room& room, const Call& call) {
  ASSIGN_OR_RETURN(const Fields fields, Fields::Read(call.request));
  ASSIGN_OR_RETURN(const std::string operation, fields.Require("operation"));
  if (operation != "copy" && operation != "move") {
    return Fail(ErrorCode::kInvalidArgument, "operation: expected one of: copy, move");
  }
  ASSIGN_OR_RETURN(
      const TransferOrder order,
      ReadOrder(fields, operation == "move" ? TransferKind::kMove : TransferKind::kCopy,
                "src_dirent_name"));
  return Begin(room, call, order);
}

Result<TransferId> ReadTask(const Fields& fields) {
  ASSIGN_OR_RETURN(const std::string text, fields.Require("task_id"));
  const Result<TransferId> id = TransferId::Parse(text);
  if (!id) {
    return Fail(ErrorCode::kNotFound, "task_id: there is no such task");
  }
  return *id;
}

Result<Reply> Cancel(Room& room, const Call& call) {
  ASSIGN_OR_RETURN(const Fields fields, Fields::Read(call.request));
  ASSIGN_OR_RETURN(const TransferId id, ReadTask(fields));
  ASSIGN_OR_RETURN(const Person person, PersonOf(room, call));
  RETURN_IF_ERROR(room.transfers.Cancel(call.op, person, id));
  return SuccessReply();
}

Result<Reply> Progress(Room& room, const Call& call) {
  ASSIGN_OR_RETURN(const Fields fields, Fields::Read(call.request));
  ASSIGN_OR_RETURN(const TransferId id, ReadTask(fields));
  ASSIGN_OR_RETURN(const Person person, PersonOf(room, call));
  ASSIGN_OR_RETURN(const Transfer transfer, room.transfers.Load(call.op, person, id));
  return http::JsonReply(
      ToJson(ProgressView{.task_id = id.Render(),
                          .type = transfer.kind == TransferKind::kMove ? "move" : "copy",
                          .status = StatusOf(transfer),
                          .total = transfer.total,
                          .done = transfer.done,
                          .successful = transfer.state == TransferState::kDone,
                          .failed = transfer.state == TransferState::kFailed,
                          .canceled = transfer.state == TransferState::kCancelled,
                          .failed_reason = transfer.reason}));
}

http::Route TaskRoute(Method method, std::string path, const http::AccessRule& member,
                      std::string summary) {
  http::Route route = RouteOf(method, std::move(path), member, std::move(summary));
  route.body_bytes_max = kTaskBytesMax;
  return route;
}

}  // namespace

void AddTaskRoutes(api::Api& api, Room& room, const http::AccessRule& member) {
  const std::string task = "/api/v2.1/copy-move-task";
  AddRoute(api, TaskRoute(Method::kPost, task, member, "Begins to copy or move a file or a folder"),
           [&room](const Call& call) -> Result<Reply> { return BeginOne(room, call); });
  AddRoute(api, TaskRoute(Method::kDelete, task, member, "Cancels a copy or a move"),
           [&room](const Call& call) -> Result<Reply> { return Cancel(room, call); });
  const std::string batch = "/api/v2.1/repos/async-batch-";
  AddRoute(api,
           TaskRoute(Method::kPost, batch + "copy-item", member, "Begins to copy several entries"),
           [&room](const Call& call) -> Result<Reply> {
             return BeginBatch(room, call, TransferKind::kCopy);
           });
  AddRoute(api,
           TaskRoute(Method::kPost, batch + "move-item", member, "Begins to move several entries"),
           [&room](const Call& call) -> Result<Reply> {
             return BeginBatch(room, call, TransferKind::kMove);
           });
  AddRoute(api,
           ReadingRoute("/api/v2.1/query-copy-move-progress", member,
                        "How far a copy or a move has come"),
           [&room](const Call& call) -> Result<Reply> { return Progress(room, call); });
}

}  // namespace atrium::files
