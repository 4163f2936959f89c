// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <boost/describe/class.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/json_write.h"
#include "files/entry_views.h"
#include "files/file_changes.h"
#include "files/folder_reader.h"
#include "files/people_names.h"
#include "files/relocations.h"
#include "files/revert_orders.h"
#include "files/route_parts.h"
#include "files/routes.h"

namespace atrium::files {
namespace {

using api::Call;
using api::RouteOf;
using http::Method;
using http::Reply;

constexpr int kCreated = 201;

struct FileDetail {
  std::string type = "file";
  std::string id{};
  std::string name{};
  std::string parent_dir{};
  std::int64_t size = 0;
  std::int64_t mtime = 0;
  std::string last_modified{};
  std::string last_modifier_email{};
  std::string last_modifier_name{};
  std::string last_modifier_contact_email{};
  std::string permission{};
  bool starred = false;
};
BOOST_DESCRIBE_STRUCT(FileDetail, (),
                      (type, id, name, parent_dir, size, mtime, last_modified, last_modifier_email,
                       last_modifier_name, last_modifier_contact_email, permission, starred))

struct FileView {
  std::string type = "file";
  std::string repo_id{};
  std::string parent_dir{};
  std::string obj_name{};
  std::string obj_id{};
  std::int64_t size = 0;
  std::string mtime{};
  bool is_locked = false;
  std::string permission{};
};
BOOST_DESCRIBE_STRUCT(FileView, (),
                      (type, repo_id, parent_dir, obj_name, obj_id, size, mtime, is_locked,
                       permission))

/// What is to be done with the file that `p` names.
struct FileOrder {
  Fields fields{};
  TreePath path{};
  Person person{};
};

Result<FileOrder> ReadOrder(Room& room, const Call& call) {
  FileOrder order;
  ASSIGN_OR_RETURN(order.fields, Fields::Read(call.request));
  ASSIGN_OR_RETURN(order.path, order.fields.RequirePath("p"));
  ASSIGN_OR_RETURN(order.person, PersonOf(room, call));
  return order;
}

Result<Reply> Detail(Room& room, const Call& call, const LibraryId& id) {
  ASSIGN_OR_RETURN(const FileOrder order, ReadOrder(room, call));
  ASSIGN_OR_RETURN(const FoundEntry found,
                   room.folders.FindFile(call.op, order.person, id, order.path));
  PeopleNames names(room.people);
  const Dirent& entry = found.entry;
  return http::JsonReply(
      ToJson(FileDetail{.id = entry.id.Render(),
                        .name = entry.name,
                        .parent_dir = order.path.Parent().Render(),
                        .size = entry.size,
                        .mtime = entry.mtime,
                        .last_modified = IsoTime(entry.mtime),
                        .last_modifier_email = entry.modifier,
                        .last_modifier_name = names.Of(call.op, entry.modifier),
                        .last_modifier_contact_email = entry.modifier,
                        .permission = std::string(PermissionWord(found.entrance.permission))}));
}

Result<Reply> Show21(Room& room, const Call& call, const LibraryId& id) {
  ASSIGN_OR_RETURN(const FileOrder order, ReadOrder(room, call));
  ASSIGN_OR_RETURN(const FoundEntry found,
                   room.folders.FindFile(call.op, order.person, id, order.path));
  return http::JsonReply(
      ToJson(FileView{.repo_id = id.Render(),
                      .parent_dir = order.path.Parent().Render(),
                      .obj_name = found.entry.name,
                      .obj_id = found.entry.id.Render(),
                      .size = found.entry.size,
                      .mtime = IsoTime(found.entry.mtime),
                      .permission = std::string(PermissionWord(found.entrance.permission))}));
}

/// Where a file is after its change.
struct Outcome {
  LibraryId library{};
  ChangedEntry entry{};
  int status = 200;
};

Result<Outcome> Create(Room& room, const Call& call, const LibraryId& id, const FileOrder& order) {
  ASSIGN_OR_RETURN(Dirent made,
                   room.changes.MakeFile(call.op, {.person = order.person, .library = id},
                                         order.path, OnTaken::kRename));
  return Outcome{.library = id,
                 .entry = {.folder = order.path.Parent(), .entry = std::move(made)},
                 .status = kCreated};
}

Result<Outcome> Rename(Room& room, const Call& call, const LibraryId& id, const FileOrder& order) {
  ASSIGN_OR_RETURN(const std::string name, order.fields.Require("newname"));
  RETURN_IF_ERROR(room.folders.FindFile(call.op, order.person, id, order.path));
  ASSIGN_OR_RETURN(
      Dirent renamed,
      room.changes.Rename(call.op, {.person = order.person, .library = id}, order.path, name));
  return Outcome{.library = id,
                 .entry = {.folder = order.path.Parent(), .entry = std::move(renamed)}};
}

Result<Outcome> Relocate(Room& room, const Call& call, const LibraryId& id, const FileOrder& order,
                         Relocating how) {
  ASSIGN_OR_RETURN(const LibraryId target, order.fields.Find("dst_repo")
                                               ? order.fields.RequireLibrary("dst_repo")
                                               : Result<LibraryId>(id));
  ASSIGN_OR_RETURN(TreePath folder, order.fields.RequirePath("dst_dir"));
  RETURN_IF_ERROR(room.folders.FindFile(call.op, order.person, id, order.path));
  ASSIGN_OR_RETURN(
      std::vector<ChangedEntry> moved,
      RelocateBetween(room, call.op, order.person,
                      {.from = id,
                       .to = target,
                       .how = how,
                       .entries = {.from = {order.path}, .folder = std::move(folder)}}));
  if (moved.empty()) {
    return Fail(ErrorCode::kRefusedByState, "dst_dir: the file was left out");
  }
  return Outcome{.library = target, .entry = std::move(moved.front())};
}

Result<Outcome> Revert(Room& room, const Call& call, const LibraryId& id, const FileOrder& order) {
  ASSIGN_OR_RETURN(const RevertOrder revert, ReadRevert(order.fields, id, OnTaken::kReplace));
  ASSIGN_OR_RETURN(Dirent reverted, room.reverts.RevertEntry(call.op, order.person, revert));
  return Outcome{.library = id,
                 .entry = {.folder = order.path.Parent(), .entry = std::move(reverted)}};
}

Result<Outcome> ChangeFile(Room& room, const Call& call, const LibraryId& id,
                           const FileOrder& order) {
  ASSIGN_OR_RETURN(const std::string deed, order.fields.Require("operation"));
  if (deed == "create") {
    return Create(room, call, id, order);
  }
  if (deed == "rename") {
    return Rename(room, call, id, order);
  }
  if (deed == "move") {
    return Relocate(room, call, id, order, Relocating::kMove);
  }
  if (deed == "copy") {
    return Relocate(room, call, id, order, Relocating::kCopy);
  }
  if (deed == "revert") {
    return Revert(room, call, id, order);
  }
  return Fail(ErrorCode::kInvalidArgument,
              "operation: expected one of: create, rename, move, copy, revert");
}

Result<Reply> Revise(Room& room, const Call& call, const LibraryId& id) {
  ASSIGN_OR_RETURN(const FileOrder order, ReadOrder(room, call));
  ASSIGN_OR_RETURN(const Outcome outcome, ChangeFile(room, call, id, order));
  Reply reply = SuccessWord();
  reply.status = outcome.status;
  return reply;
}

Result<Reply> Revise21(Room& room, const Call& call, const LibraryId& id) {
  ASSIGN_OR_RETURN(const FileOrder order, ReadOrder(room, call));
  ASSIGN_OR_RETURN(const Outcome outcome, ChangeFile(room, call, id, order));
  return http::JsonReply(
      ChangedView(outcome.library, outcome.entry.folder.Render(), outcome.entry.entry));
}

Result<void> RemoveFile(Room& room, const Call& call, const LibraryId& id) {
  ASSIGN_OR_RETURN(const FileOrder order, ReadOrder(room, call));
  RETURN_IF_ERROR(room.folders.FindFile(call.op, order.person, id, order.path));
  return room.changes.Remove(call.op, {.person = order.person, .library = id}, {&order.path, 1});
}

Result<Reply> Remove(Room& room, const Call& call, const LibraryId& id) {
  RETURN_IF_ERROR(RemoveFile(room, call, id));
  return SuccessWord();
}

Result<Reply> Remove21(Room& room, const Call& call, const LibraryId& id) {
  RETURN_IF_ERROR(RemoveFile(room, call, id));
  return SuccessReply();
}

}  // namespace

void AddFileRoutes(api::Api& api, Room& room, const http::AccessRule& member) {
  const std::string path = "/api2/repos/{id}/file";
  AddRoute(api,
           RouteOf(Method::kPost, path, member, "Makes, renames, moves, copies or reverts a file"),
           OfLibrary(room, Revise));
  AddRoute(api, RouteOf(Method::kDelete, path, member, "Removes a file"), OfLibrary(room, Remove));
  AddRoute(api, ReadingRoute(path + "/detail", member, "What is known about a file"),
           OfLibrary(room, Detail));
  const std::string path21 = "/api/v2.1/repos/{id}/file";
  AddRoute(api, ReadingRoute(path21, member, "What is known about a file"),
           OfLibrary(room, Show21));
  AddRoute(
      api,
      RouteOf(Method::kPost, path21, member, "Makes, renames, moves, copies or reverts a file"),
      OfLibrary(room, Revise21));
  AddRoute(api, RouteOf(Method::kDelete, path21, member, "Removes a file"),
           OfLibrary(room, Remove21));
}

}  // namespace atrium::files
