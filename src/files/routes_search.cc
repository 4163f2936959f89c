// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <boost/describe/class.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json_write.h"
#include "files/name_search.h"
#include "files/query_parts.h"
#include "files/route_parts.h"
#include "files/routes.h"

namespace atrium::files {
namespace {

using api::Call;
using http::Reply;

struct FoundView {
  std::string repo_id{};
  std::string repo_name{};
  std::string name{};
  std::string oid{};
  std::string path{};
  std::string fullpath{};
  bool is_dir = false;
  std::string type{};
  std::int64_t size = 0;
  std::int64_t mtime = 0;
  std::int64_t last_modified = 0;
};
BOOST_DESCRIBE_STRUCT(FoundView, (),
                      (repo_id, repo_name, name, oid, path, fullpath, is_dir, type, size, mtime,
                       last_modified))

struct FoundFileView {
  std::string path{};
  std::int64_t size = 0;
  std::string mtime{};
  std::string type{};
};
BOOST_DESCRIBE_STRUCT(FoundFileView, (), (path, size, mtime, type))

Result<WantedKind> ReadKind(const Fields& fields) {
  const std::string_view type = fields.Find("type").value_or(fields.Find("obj_type").value_or(""));
  if (type.empty() || type == "all") {
    return WantedKind::kAny;
  }
  if (type == "file") {
    return WantedKind::kFile;
  }
  if (type == "dir" || type == "folder") {
    return WantedKind::kFolder;
  }
  return Fail(ErrorCode::kInvalidArgument, "type: expected one of: file, dir");
}

/// "all" is what some clients say for no library in particular.
Result<std::optional<LibraryId>> ReadLibrary(const Fields& fields) {
  for (const std::string_view name : {"repo_id", "search_repo"}) {
    const auto text = fields.Find(name);
    if (text && !text->empty() && *text != "all") {
      ASSIGN_OR_RETURN(const LibraryId id, fields.RequireLibrary(name));
      return std::optional(id);
    }
  }
  return std::nullopt;
}

Result<NameQuery> ReadQuery(const Fields& fields, const PageFields& page) {
  NameQuery query{.skip = page.Skip(), .limit = page.per_page};
  ASSIGN_OR_RETURN(query.text, fields.Require(fields.Find("file_name") ? "file_name" : "q"));
  ASSIGN_OR_RETURN(query.library, ReadLibrary(fields));
  ASSIGN_OR_RETURN(query.folder, fields.Path("search_path"));
  ASSIGN_OR_RETURN(query.kind, ReadKind(fields));
  if (!query.library && !query.folder.IsRoot()) {
    return Fail(ErrorCode::kInvalidArgument, "search_path: needs a library");
  }
  return query;
}

Result<Reply> Search(Room& room, const Call& call) {
  ASSIGN_OR_RETURN(const Fields fields, Fields::Read(call.request));
  ASSIGN_OR_RETURN(const PageFields page, ReadPage(fields, {.otherwise = 25, .most = kFoundMax}));
  ASSIGN_OR_RETURN(const NameQuery query, ReadQuery(fields, page));
  ASSIGN_OR_RETURN(const Person person, PersonOf(room, call));
  ASSIGN_OR_RETURN(const FoundNames found, room.search.Find(call.op, person, query));
  std::vector<FoundView> views;
  views.reserve(found.found.size());
  for (const FoundName& one : found.found) {
    views.push_back({.repo_id = one.library.Render(),
                     .repo_name = one.library_name,
                     .name = one.entry.name,
                     .oid = one.entry.id.Render(),
                     .path = one.path,
                     .fullpath = one.path,
                     .is_dir = one.entry.IsDirectory(),
                     .type = one.entry.IsDirectory() ? "dir" : "file",
                     .size = one.entry.size,
                     .mtime = one.entry.mtime,
                     .last_modified = one.entry.mtime});
  }
  const std::uint64_t known = query.skip + views.size() + (found.more ? 1 : 0);
  return http::JsonReply(R"({"total": )" + std::to_string(known) + R"(, "results": )" +
                         ToJson(views) + R"(, "has_more": )" + (found.more ? "true" : "false") +
                         R"(, "is_cut_off": )" + (found.is_cut_off ? "true" : "false") + "}");
}

Result<Reply> SearchFile(Room& room, const Call& call) {
  ASSIGN_OR_RETURN(const Fields fields, Fields::Read(call.request));
  ASSIGN_OR_RETURN(const PageFields page,
                   ReadPage(fields, {.otherwise = kFoundMax, .most = kFoundMax}));
  ASSIGN_OR_RETURN(NameQuery query, ReadQuery(fields, page));
  ASSIGN_OR_RETURN(query.library, fields.RequireLibrary("repo_id"));
  ASSIGN_OR_RETURN(const Person person, PersonOf(room, call));
  ASSIGN_OR_RETURN(const FoundNames found, room.search.Find(call.op, person, query));
  std::vector<FoundFileView> views;
  views.reserve(found.found.size());
  for (const FoundName& one : found.found) {
    views.push_back({.path = one.path,
                     .size = one.entry.size,
                     .mtime = IsoTime(one.entry.mtime),
                     .type = one.entry.IsDirectory() ? "folder" : "file"});
  }
  return http::JsonReply(R"({"data": )" + ToJson(views) + "}");
}

}  // namespace

void AddSearchRoutes(api::Api& api, Room& room, const http::AccessRule& member) {
  http::Route everywhere =
      ReadingRoute("/api2/search", member, "Finds files and folders by their names");
  everywhere.rate = http::RateClass::kCostly;
  AddRoute(api, std::move(everywhere),
           [&room](const Call& call) -> Result<Reply> { return Search(room, call); });
  http::Route here = ReadingRoute("/api/v2.1/search-file", member,
                                  "Finds files and folders of a library by their names");
  here.rate = http::RateClass::kCostly;
  AddRoute(api, std::move(here),
           [&room](const Call& call) -> Result<Reply> { return SearchFile(room, call); });
}

}  // namespace atrium::files
