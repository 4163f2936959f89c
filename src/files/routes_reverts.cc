// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <boost/describe/class.hpp>
#include <charconv>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/json_write.h"
#include "files/entry_views.h"
#include "files/query_parts.h"
#include "files/revert_orders.h"
#include "files/reverts.h"
#include "files/route_ids.h"
#include "files/route_parts.h"
#include "files/routes.h"
#include "files/trash.h"

namespace atrium::files {
namespace {

using api::Call;
using api::RouteOf;
using http::Method;
using http::Reply;

constexpr std::size_t kRestoreBytesMax = std::size_t{1} << 20;

struct TrashView {
  std::string obj_name{};
  std::string obj_id{};
  bool is_dir = false;
  std::string parent_dir{};
  std::string deleted_time{};
  std::string commit_id{};
  std::int64_t size = 0;
};
BOOST_DESCRIBE_STRUCT(TrashView, (),
                      (obj_name, obj_id, is_dir, parent_dir, deleted_time, commit_id, size))

struct RestoredView {
  std::string path{};
  bool is_dir = false;
};
BOOST_DESCRIBE_STRUCT(RestoredView, (), (path, is_dir))

struct RefusedView {
  std::string path{};
  std::string error_msg{};
};
BOOST_DESCRIBE_STRUCT(RefusedView, (), (path, error_msg))

TrashView ViewOf(const TrashedEntry& one) {
  return {.obj_name = one.entry.name,
          .obj_id = one.entry.id.Render(),
          .is_dir = one.entry.IsDirectory(),
          .parent_dir = WithSlash(one.folder),
          .deleted_time = IsoTime(SecondsSince1970(one.deleted_at)),
          .commit_id = one.commit.Render(),
          .size = one.entry.size};
}

Result<Reply> ListTrashed(Room& room, const Call& call, const LibraryId& id) {
  ASSIGN_OR_RETURN(const Fields fields, Fields::Read(call.request));
  TrashQuery query;
  ASSIGN_OR_RETURN(query.folder, fields.Path("path"));
  ASSIGN_OR_RETURN(query.limit,
                   ReadCount(fields, "limit", {.otherwise = 100, .most = kTrashPageMax}));
  if (const auto after = fields.Find("scan_stat"); after && !after->empty()) {
    query.after = std::string(*after);
  }
  ASSIGN_OR_RETURN(const Person person, PersonOf(room, call));
  ASSIGN_OR_RETURN(const TrashPage page, room.trash.List(call.op, person, id, query));
  std::vector<TrashView> entries;
  entries.reserve(page.entries.size());
  for (const TrashedEntry& one : page.entries) {
    entries.push_back(ViewOf(one));
  }
  return http::JsonReply(R"({"data": )" + ToJson(entries) + R"(, "more": )" +
                         (page.resume ? "true" : "false") + R"(, "scan_stat": )" +
                         (page.resume ? "\"" + *page.resume + "\"" : "null") + "}");
}

Result<std::int64_t> ReadKeepDays(const Fields& fields) {
  const std::string_view text = fields.Find("keep_days").value_or("0");
  std::int64_t days = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), days);
  if (error != std::errc() || end != text.data() + text.size()) {
    return Fail(ErrorCode::kInvalidArgument, "keep_days: from 0 to 36500");
  }
  return days;
}

Result<Reply> EmptyTrash(Room& room, const Call& call, const LibraryId& id) {
  ASSIGN_OR_RETURN(const Fields fields, Fields::Read(call.request));
  ASSIGN_OR_RETURN(const std::int64_t days, ReadKeepDays(fields));
  ASSIGN_OR_RETURN(const Person person, PersonOf(room, call));
  RETURN_IF_ERROR(room.trash.Empty(call.op, person, id, days));
  return SuccessReply();
}

Result<Reply> RestoreSome(Room& room, const Call& call, const LibraryId& id) {
  ASSIGN_OR_RETURN(const Fields fields, Fields::Read(call.request));
  ASSIGN_OR_RETURN(const CommitId commit, RequireCommit(fields, "commit_id"));
  ASSIGN_OR_RETURN(const Person person, PersonOf(room, call));
  ASSIGN_OR_RETURN(const RestoreReport report,
                   room.reverts.Restore(call.op, person, id, commit, fields.All("path")));
  std::vector<RestoredView> restored;
  restored.reserve(report.restored.size());
  for (const RestoredEntry& one : report.restored) {
    restored.push_back({.path = one.path, .is_dir = one.entry.IsDirectory()});
  }
  std::vector<RefusedView> refused;
  refused.reserve(report.refused.size());
  for (const RefusedEntry& one : report.refused) {
    refused.push_back({.path = one.path, .error_msg = one.reason});
  }
  return http::JsonReply(R"({"success": )" + ToJson(restored) + R"(, "failed": )" +
                         ToJson(refused) + "}");
}

/// Without `replace` of something else: what was deleted comes back beside it.
Result<Reply> RestoreOne(Room& room, const Call& call, const LibraryId& id) {
  ASSIGN_OR_RETURN(const Fields fields, Fields::Read(call.request));
  ASSIGN_OR_RETURN(RevertOrder order, ReadRevert(fields, id, OnTaken::kRename));
  ASSIGN_OR_RETURN(const Person person, PersonOf(room, call));
  RETURN_IF_ERROR(room.reverts.RevertEntry(call.op, person, order));
  return SuccessReply();
}

Result<Reply> RevertOne(Room& room, const Call& call, const LibraryId& id) {
  ASSIGN_OR_RETURN(const Fields fields, Fields::Read(call.request));
  ASSIGN_OR_RETURN(const RevertOrder order, ReadRevert(fields, id, OnTaken::kReplace));
  ASSIGN_OR_RETURN(const Person person, PersonOf(room, call));
  RETURN_IF_ERROR(room.reverts.RevertEntry(call.op, person, order));
  return SuccessReply();
}

Result<Reply> RevertAll(Room& room, const Call& call, const LibraryId& id, const CommitId& commit) {
  ASSIGN_OR_RETURN(const Person person, PersonOf(room, call));
  RETURN_IF_ERROR(room.reverts.RevertLibrary(call.op, person, id, commit));
  return SuccessReply();
}

}  // namespace

Result<RevertOrder> ReadRevert(const Fields& fields, const LibraryId& library, OnTaken otherwise) {
  RevertOrder order{.library = library, .taken = otherwise};
  ASSIGN_OR_RETURN(order.commit, RequireCommit(fields, "commit_id"));
  ASSIGN_OR_RETURN(order.path, RequirePastPath(fields));
  const std::string_view policy = fields.Find("conflict_policy").value_or("");
  if (policy == "replace") {
    order.taken = OnTaken::kReplace;
  } else if (policy == "autorename" || policy == "keep_both") {
    order.taken = OnTaken::kRename;
  } else if (!policy.empty()) {
    return Fail(ErrorCode::kInvalidArgument,
                "conflict_policy: expected one of: replace, autorename");
  }
  return order;
}

void AddRevertRoutes(api::Api& api, Room& room, const http::AccessRule& member) {
  const std::string library = "/api/v2.1/repos/{id}";
  AddRoute(api, ReadingRoute(library + "/trash", member, "What was deleted from a library"),
           OfLibrary(room, ListTrashed));
  AddRoute(api, RouteOf(Method::kDelete, library + "/trash", member, "Empties the trash"),
           OfLibrary(room, EmptyTrash));
  http::Route some = RouteOf(Method::kPost, library + "/trash/revert-dirents", member,
                             "Brings back what was deleted");
  some.body_bytes_max = kRestoreBytesMax;
  AddRoute(api, std::move(some), OfLibrary(room, RestoreSome));
  for (const std::string path : {"/file/restore", "/dir/restore"}) {
    AddRoute(api, RouteOf(Method::kPost, library + path, member, "Brings back a file or a folder"),
             OfLibrary(room, RestoreOne));
  }
  for (const std::string path : {"/api2/repos/{id}/file/revert", "/api2/repos/{id}/dir/revert"}) {
    AddRoute(api, RouteOf(Method::kPut, path, member, "Makes a file or a folder what it was"),
             OfLibrary(room, RevertOne));
  }
  AddRoute(api,
           RouteOf(Method::kPost, library + "/commits/{commit}/revert", member,
                   "Makes a library what it was"),
           [&room](const Call& call, const LibraryId& id, const CommitId& commit) -> Result<Reply> {
             return RevertAll(room, call, id, commit);
           });
}

}  // namespace atrium::files
