// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <boost/describe/class.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/json_write.h"
#include "files/entry_list.h"
#include "files/entry_views.h"
#include "files/file_changes.h"
#include "files/folder_reader.h"
#include "files/people_names.h"
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

struct FolderDetail {
  std::string repo_id{};
  std::string path{};
  std::string name{};
  std::int64_t file_count = 0;
  std::int64_t dir_count = 0;
  std::int64_t size = 0;
  std::string mtime{};
  std::string permission{};
};
BOOST_DESCRIBE_STRUCT(FolderDetail, (),
                      (repo_id, path, name, file_count, dir_count, size, mtime, permission))

EntryListOrder::Kinds KindsOf(const Fields& fields) {
  using Kinds = EntryListOrder::Kinds;
  const auto wanted = fields.Find("t");
  if (wanted == "f") {
    return Kinds::kFiles;
  }
  return wanted == "d" ? Kinds::kFolders : Kinds::kAll;
}

/// A list that clients ask for folder by folder, or of everything below one.
Result<EntryListOrder> OrderOf(const Fields& fields, const TreePath& path,
                               const FoundEntry& folder) {
  return EntryListOrder{.library = folder.entrance.library.record.id,
                        .folder = folder.entry.id,
                        .path = path.Render(),
                        .kinds = KindsOf(fields),
                        .is_recursive = fields.IsTrue("recursive")};
}

using Append = void (*)(std::string&, const EntryViewer&, const Dirent&, std::string_view);

/// Names are looked up while the list is sent, after the terms of the request have ended.
auto AppenderOf(Room& room, Permission permission, Append append, bool with_folder) {
  auto names = std::make_shared<PeopleNames>(room.people);
  return [names, permission, append, with_folder](std::string& out, const Dirent& entry,
                                                  std::string_view folder) {
    const store::OpContext op = store::OpContext::ForWork("files.list");
    append(out, {.op = op, .names = *names, .permission = permission}, entry,
           with_folder ? folder : "");
  };
}

struct Listing {
  FoundEntry folder{};
  EntryListOrder order{};
};

Result<Listing> ReadListing(Room& room, const Call& call, const LibraryId& id) {
  ASSIGN_OR_RETURN(const Fields fields, Fields::Read(call.request));
  ASSIGN_OR_RETURN(const TreePath path, fields.Path("p"));
  ASSIGN_OR_RETURN(const Person person, PersonOf(room, call));
  ASSIGN_OR_RETURN(FoundEntry folder, room.folders.FindFolder(call.op, person, id, path));
  ASSIGN_OR_RETURN(EntryListOrder order, OrderOf(fields, path, folder));
  return Listing{.folder = std::move(folder), .order = std::move(order)};
}

Result<Reply> Send(Room& room, const Call& call, Listing listing) {
  Reply reply;
  reply.headers.emplace_back("oid", listing.folder.entry.id.Render());
  reply.headers.emplace_back("dir_perm", PermissionWord(listing.folder.entrance.permission));
  ASSIGN_OR_RETURN(reply.body, EntryList::Open(room.content, call.op, std::move(listing.order)));
  return reply;
}

Result<Reply> List(Room& room, const Call& call, const LibraryId& id) {
  ASSIGN_OR_RETURN(Listing listing, ReadListing(room, call, id));
  listing.order.append =
      AppenderOf(room, listing.folder.entrance.permission, AppendEntry, listing.order.is_recursive);
  return Send(room, call, std::move(listing));
}

Result<Reply> List21(Room& room, const Call& call, const LibraryId& id) {
  ASSIGN_OR_RETURN(Listing listing, ReadListing(room, call, id));
  const Permission permission = listing.folder.entrance.permission;
  listing.order.append = AppenderOf(room, permission, AppendEntry21, true);
  listing.order.before = R"({"user_perm": ")" + std::string(PermissionWord(permission)) +
                         R"(", "dir_id": ")" + listing.folder.entry.id.Render() +
                         R"(", "dirent_list": [)";
  listing.order.after = "]}";
  return Send(room, call, std::move(listing));
}

Result<Reply> Detail(Room& room, const Call& call, const LibraryId& id) {
  ASSIGN_OR_RETURN(const Fields fields, Fields::Read(call.request));
  ASSIGN_OR_RETURN(const TreePath path, fields.RequirePath("path"));
  ASSIGN_OR_RETURN(const Person person, PersonOf(room, call));
  ASSIGN_OR_RETURN(const FoundEntry found, room.folders.FindFolder(call.op, person, id, path));
  ASSIGN_OR_RETURN(const FolderSums sums,
                   room.folders.Sum(call.op, id, found.entry.id, kSummedEntriesMax));
  const Library& library = found.entrance.library.record;
  return http::JsonReply(ToJson(FolderDetail{
      .repo_id = id.Render(),
      .path = WithSlash(path.Render()),
      .name = path.IsRoot() ? library.name : found.entry.name,
      .file_count = sums.files,
      .dir_count = sums.folders,
      .size = sums.bytes,
      .mtime = IsoTime(path.IsRoot() ? SecondsSince1970(library.updated_at) : found.entry.mtime),
      .permission = std::string(PermissionWord(found.entrance.permission))}));
}

/// A change of the folder that `p` names.
struct FolderOrder {
  Fields fields{};
  TreePath path{};
  Person person{};
};

Result<FolderOrder> ReadOrder(Room& room, const Call& call) {
  FolderOrder order;
  ASSIGN_OR_RETURN(order.fields, Fields::Read(call.request));
  ASSIGN_OR_RETURN(order.path, order.fields.RequirePath("p"));
  ASSIGN_OR_RETURN(order.person, PersonOf(room, call));
  return order;
}

/// With `create_parents`, an existing folder is what was asked for; else it gets a name of its own,
/// as clients expect it.
Result<Dirent> Make(Room& room, const Call& call, const LibraryId& id, const FolderOrder& order) {
  const ChangeOf of{.person = order.person, .library = id};
  if (!order.fields.IsTrue("create_parents")) {
    return room.changes.MakeFolder(call.op, of, order.path, OnTaken::kRename);
  }
  RETURN_IF_ERROR(room.changes.MakeFolders(call.op, of, order.path));
  ASSIGN_OR_RETURN(const FoundEntry found,
                   room.folders.FindFolder(call.op, order.person, id, order.path));
  return found.entry;
}

struct Outcome {
  Dirent entry{};
  int status = 200;
};

Result<Outcome> ChangeFolder(Room& room, const Call& call, const LibraryId& id,
                             const FolderOrder& order) {
  ASSIGN_OR_RETURN(const std::string deed, order.fields.Require("operation"));
  if (deed == "mkdir") {
    ASSIGN_OR_RETURN(Dirent made, Make(room, call, id, order));
    return Outcome{.entry = std::move(made), .status = kCreated};
  }
  if (deed == "rename") {
    ASSIGN_OR_RETURN(const std::string name, order.fields.Require("newname"));
    RETURN_IF_ERROR(room.folders.FindFolder(call.op, order.person, id, order.path));
    ASSIGN_OR_RETURN(
        Dirent renamed,
        room.changes.Rename(call.op, {.person = order.person, .library = id}, order.path, name));
    return Outcome{.entry = std::move(renamed)};
  }
  if (deed == "revert") {
    ASSIGN_OR_RETURN(const RevertOrder revert, ReadRevert(order.fields, id, OnTaken::kReplace));
    ASSIGN_OR_RETURN(Dirent reverted, room.reverts.RevertEntry(call.op, order.person, revert));
    return Outcome{.entry = std::move(reverted)};
  }
  return Fail(ErrorCode::kInvalidArgument, "operation: expected one of: mkdir, rename, revert");
}

Result<Reply> Revise(Room& room, const Call& call, const LibraryId& id) {
  ASSIGN_OR_RETURN(const FolderOrder order, ReadOrder(room, call));
  ASSIGN_OR_RETURN(const Outcome outcome, ChangeFolder(room, call, id, order));
  Reply reply = SuccessWord();
  reply.status = outcome.status;
  return reply;
}

Result<Reply> Revise21(Room& room, const Call& call, const LibraryId& id) {
  ASSIGN_OR_RETURN(const FolderOrder order, ReadOrder(room, call));
  ASSIGN_OR_RETURN(const Outcome outcome, ChangeFolder(room, call, id, order));
  const std::string folder = order.path.IsRoot() ? "/" : order.path.Parent().Render();
  return http::JsonReply(ChangedView(id, folder, outcome.entry));
}

Result<void> RemoveFolder(Room& room, const Call& call, const LibraryId& id) {
  ASSIGN_OR_RETURN(const FolderOrder order, ReadOrder(room, call));
  RETURN_IF_ERROR(room.folders.FindFolder(call.op, order.person, id, order.path));
  return room.changes.Remove(call.op, {.person = order.person, .library = id}, {&order.path, 1});
}

Result<Reply> Remove(Room& room, const Call& call, const LibraryId& id) {
  RETURN_IF_ERROR(RemoveFolder(room, call, id));
  return SuccessWord();
}

Result<Reply> Remove21(Room& room, const Call& call, const LibraryId& id) {
  RETURN_IF_ERROR(RemoveFolder(room, call, id));
  return SuccessReply();
}

}  // namespace

void AddFolderRoutes(api::Api& api, Room& room, const http::AccessRule& member) {
  const std::string path = "/api2/repos/{id}/dir";
  AddRoute(api, ReadingRoute(path, member, "What is in a folder"), OfLibrary(room, List));
  AddRoute(api, RouteOf(Method::kPost, path, member, "Makes or renames a folder"),
           OfLibrary(room, Revise));
  AddRoute(api, RouteOf(Method::kDelete, path, member, "Removes a folder"),
           OfLibrary(room, Remove));
  const std::string path21 = "/api/v2.1/repos/{id}/dir";
  AddRoute(api, ReadingRoute(path21, member, "What is in a folder"), OfLibrary(room, List21));
  AddRoute(api, RouteOf(Method::kPost, path21, member, "Makes or renames a folder"),
           OfLibrary(room, Revise21));
  AddRoute(api, RouteOf(Method::kDelete, path21, member, "Removes a folder"),
           OfLibrary(room, Remove21));
  AddRoute(api, ReadingRoute(path21 + "/detail", member, "How much is in a folder"),
           OfLibrary(room, Detail));
}

}  // namespace atrium::files
