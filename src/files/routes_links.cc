// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json_text.h"
#include "files/folder_reader.h"
#include "files/library_access.h"
#include "files/operation_links.h"
#include "files/partial_uploads.h"
#include "files/route_parts.h"
#include "files/routes.h"
#include "files/tree.h"
#include "files/zip_body.h"
#include "http/percent.h"

namespace atrium::files {
namespace {

using api::Call;
using api::RouteOf;
using http::Method;
using http::Reply;

constexpr std::size_t kZipBytesMax = std::size_t{1} << 20;

/// Fails here, and not when the link is followed, where the library was not opened.
Result<void> CheckUnlocked(Room& room, const Person& person, const Library& library) {
  RETURN_IF_ERROR(room.unlocked.KeyFor(person, library));
  return {};
}

Result<Reply> UploadLink(Room& room, const Call& call, const LibraryId& id, LinkPurpose purpose,
                         std::string_view place) {
  RETURN_IF_ERROR(CheckMayWrite(call));
  ASSIGN_OR_RETURN(const Fields fields, Fields::Read(call.request));
  ASSIGN_OR_RETURN(const TreePath folder, fields.Path("p"));
  ASSIGN_OR_RETURN(const Person person, PersonOf(room, call));
  ASSIGN_OR_RETURN(const Entrance entrance,
                   Enter(room.ground.store, call.op, person, id, Permission::kWrite));
  RETURN_IF_ERROR(CheckUnlocked(room, person, entrance.library.record));
  RETURN_IF_ERROR(room.folders.Find(call.op, person, id, folder));
  return QuotedReply(BaseOf(call.request) + "/seafhttp/" + std::string(place) + "/" +
                     room.links.ForUpload(person, id, purpose, folder));
}

/// Web pages send files by another path, which always answers JSON.
Result<Reply> UploadLinkFor(Room& room, const Call& call, const LibraryId& id) {
  ASSIGN_OR_RETURN(const http::Form query, call.request.Query());
  return UploadLink(room, call, id, LinkPurpose::kUpload,
                    query.Find("from") == "web" ? "upload-aj" : "upload-api");
}

Result<Reply> UpdateLinkFor(Room& room, const Call& call, const LibraryId& id) {
  ASSIGN_OR_RETURN(const http::Form query, call.request.Query());
  return UploadLink(room, call, id, LinkPurpose::kUpdate,
                    query.Find("from") == "web" ? "update-aj" : "update-api");
}

Result<Reply> DownloadLink(Room& room, const Call& call, const LibraryId& id) {
  ASSIGN_OR_RETURN(const Fields fields, Fields::Read(call.request));
  ASSIGN_OR_RETURN(const TreePath path, fields.RequirePath("p"));
  ASSIGN_OR_RETURN(const Person person, PersonOf(room, call));
  ASSIGN_OR_RETURN(const FoundEntry found, room.folders.FindFile(call.op, person, id, path));
  RETURN_IF_ERROR(CheckUnlocked(room, person, found.entrance.library.record));
  Reply reply = QuotedReply(BaseOf(call.request) + "/seafhttp/files/" +
                            room.links.ForFile(person, id, found.entry.id) + "/" +
                            http::PercentEncode(found.entry.name));
  reply.headers.emplace_back("oid", found.entry.id.Render());
  return reply;
}

Result<Reply> UploadedBytes(Room& room, const Call& call, const LibraryId& id) {
  ASSIGN_OR_RETURN(const Fields fields, Fields::Read(call.request));
  ASSIGN_OR_RETURN(const TreePath folder, fields.RequirePath("parent_dir"));
  ASSIGN_OR_RETURN(const std::string name, fields.Require("file_name"));
  const std::string relative(fields.Find("relative_path").value_or(""));
  ASSIGN_OR_RETURN(const TreePath path,
                   TreePath::Parse(folder.Render() + "/" + relative + "/" + name));
  ASSIGN_OR_RETURN(const Person person, PersonOf(room, call));
  RETURN_IF_ERROR(Enter(room.ground.store, call.op, person, id, Permission::kWrite));
  ASSIGN_OR_RETURN(const std::uint64_t received,
                   room.partial_uploads.Received({.user = person.id, .library = id, .path = path}));
  return http::JsonReply(R"({"uploadedBytes": )" + std::to_string(received) + "}");
}

// ---- Folders as archives.

/// A folder that holds only some entries of another. It is stored as any object is, so that a link
/// can name it, and goes with the next clean-up.
Result<ObjectId> Gather(Room& room, const Call& call, const LibraryId& library,
                        const Directory& directory, const std::vector<std::string>& names) {
  std::vector<Dirent> entries;
  for (const std::string& name : names) {
    const Dirent* entry = directory.Find(name);
    if (entry == nullptr) {
      return Fail(ErrorCode::kNotFound, "dirents: there is no " + name);
    }
    entries.push_back(*entry);
  }
  ASSIGN_OR_RETURN(const Directory some, Directory::Make(std::move(entries)));
  CollectedObjects objects;
  ASSIGN_OR_RETURN(const ObjectId id, objects.Write(some));
  RETURN_IF_ERROR(room.content.PutObjects(call.op, library, objects.Objects()));
  return id;
}

struct ZipRequest {
  Person person{};
  LibraryId library{};
  TreePath folder{};
  /// In the folder; none: all of it.
  std::vector<std::string> names{};
};

std::string NameOfZip(const ZipRequest& request, const Library& library) {
  if (request.names.size() == 1) {
    return request.names.front() + ".zip";
  }
  return (request.folder.IsRoot() ? library.name : request.folder.Name()) + ".zip";
}

Result<std::string> MakeZipToken(Room& room, const Call& call, const ZipRequest& request) {
  ASSIGN_OR_RETURN(
      const FoundEntry found,
      room.folders.FindFolder(call.op, request.person, request.library, request.folder));
  const Library& library = found.entrance.library.record;
  RETURN_IF_ERROR(CheckUnlocked(room, request.person, library));
  ObjectId id = found.entry.id;
  if (!request.names.empty()) {
    ASSIGN_OR_RETURN(const auto directory,
                     room.folders.ReadFolder(call.op, request.library, found.entry.id));
    ASSIGN_OR_RETURN(id, Gather(room, call, request.library, *directory, request.names));
  }
  RETURN_IF_ERROR(room.folders.Sum(call.op, request.library, id, kZipEntriesMax));
  return room.links.ForFolder(request.person, request.library, id, NameOfZip(request, library));
}

Result<Reply> ZipTask(Room& room, const Call& call, const LibraryId& id) {
  ASSIGN_OR_RETURN(const Fields fields, Fields::Read(call.request));
  ZipRequest request{.library = id};
  ASSIGN_OR_RETURN(request.folder, fields.RequirePath("parent_dir"));
  request.names = fields.All("dirents");
  ASSIGN_OR_RETURN(request.person, PersonOf(room, call));
  ASSIGN_OR_RETURN(const std::string token, MakeZipToken(room, call, request));
  return http::JsonReply(R"({"zip_token": ")" + token + "\"}");
}

/// The folder that `p` names, with its own name as the only entry of the archive.
Result<Reply> FolderLink(Room& room, const Call& call, const LibraryId& id) {
  ASSIGN_OR_RETURN(const Fields fields, Fields::Read(call.request));
  ASSIGN_OR_RETURN(const TreePath path, fields.RequirePath("p"));
  ZipRequest request{.library = id, .folder = path};
  if (!path.IsRoot()) {
    request.folder = path.Parent();
    request.names = {path.Name()};
  }
  ASSIGN_OR_RETURN(request.person, PersonOf(room, call));
  ASSIGN_OR_RETURN(const std::string token, MakeZipToken(room, call, request));
  return QuotedReply(BaseOf(call.request) + "/seafhttp/zip/" + token);
}

void AddZipRoutes(api::Api& api, Room& room, const http::AccessRule& member) {
  const std::string path = "/api/v2.1/repos/{id}/zip-task";
  http::Route post =
      Deriving(RouteOf(Method::kPost, path, member, "A link to folders as an archive"));
  post.body_bytes_max = kZipBytesMax;
  AddRoute(api, std::move(post), OfLibrary(room, ZipTask));
  AddRoute(api, Deriving(ReadingRoute(path, member, "A link to folders as an archive")),
           OfLibrary(room, ZipTask));
  AddRoute(api,
           Deriving(ReadingRoute("/api2/repos/{id}/dir/download", member,
                                 "A link to a folder as an archive")),
           OfLibrary(room, FolderLink));
  // Archives are made while they are sent, so there is nothing to wait for.
  AddRoute(api, RouteOf(Method::kGet, "/api/v2.1/query-zip-progress", member, "Always done"),
           [](const Call&) -> Result<Reply> {
             return http::JsonReply(R"({"zipped": 1, "total": 1, "failed": 0, "canceled": 0})");
           });
}

}  // namespace

void AddLinkRoutes(api::Api& api, Room& room, const http::AccessRule& member) {
  const std::string library = "/api2/repos/{id}";
  AddRoute(api, Deriving(ReadingRoute(library + "/upload-link", member, "A link to send files to")),
           OfLibrary(room, UploadLinkFor));
  AddRoute(
      api,
      Deriving(ReadingRoute(library + "/update-link", member, "A link to send new content to")),
      OfLibrary(room, UpdateLinkFor));
  AddRoute(api,
           Deriving(ReadingRoute(library + "/file", member, "A link to the content of a file")),
           OfLibrary(room, DownloadLink));
  AddRoute(api,
           Deriving(ReadingRoute(library + "/file/download-link", member,
                                 "A link to the content of a file")),
           OfLibrary(room, DownloadLink));
  for (const std::string base : {"/api2/repos/{id}", "/api/v2.1/repos/{id}"}) {
    AddRoute(api,
             ReadingRoute(base + "/file-uploaded-bytes", member,
                          "How much of a file has arrived that is sent in pieces"),
             OfLibrary(room, UploadedBytes));
  }
  AddZipRoutes(api, room, member);
}

}  // namespace atrium::files
