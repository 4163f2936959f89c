// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json_text.h"
#include "files/file_changes.h"
#include "files/relocations.h"
#include "files/route_parts.h"
#include "files/routes.h"

namespace atrium::files {
namespace {

using api::Call;
using http::Method;
using http::Reply;

constexpr std::size_t kBatchBytesMax = std::size_t{1} << 20;
constexpr std::size_t kBatchEntriesMax = 10'000;

/// Names as older clients list them: "a:b:c" in one field, or a field for each.
std::vector<std::string> SplitNames(std::vector<std::string> fields) {
  if (fields.size() != 1) {
    return fields;
  }
  std::vector<std::string> names;
  std::string_view rest = fields.front();
  while (!rest.empty()) {
    const std::size_t colon = std::min(rest.find(':'), rest.size());
    if (colon > 0) {
      names.emplace_back(rest.substr(0, colon));
    }
    rest.remove_prefix(std::min(colon + 1, rest.size()));
  }
  return names;
}

Result<std::vector<TreePath>> PathsIn(const TreePath& folder, std::span<const std::string> names,
                                      std::string_view field) {
  if (names.empty() || names.size() > kBatchEntriesMax) {
    return Fail(ErrorCode::kInvalidArgument, std::string(field) + ": 1 to 10000 of them");
  }
  std::vector<TreePath> paths;
  for (const std::string& name : names) {
    // Some clients send folders with a slash at the end.
    const std::string_view plain =
        name.ends_with('/') ? std::string_view(name).substr(0, name.size() - 1) : name;
    Result<TreePath> path = folder.Child(plain);
    if (!path) {
      path.error().client_message.insert(0, std::string(field) + ": ");
      return std::unexpected(std::move(path).error());
    }
    paths.push_back(*std::move(path));
  }
  return paths;
}

/// How clients name what to do with a name that is taken.
Result<void> ReadPolicy(const Fields& fields, Relocation& relocation) {
  const std::string_view policy = fields.Find("conflict_policy").value_or("autorename");
  relocation.skip_taken = policy == "skip";
  if (policy == "replace") {
    relocation.taken = OnTaken::kReplace;
    return {};
  }
  return relocation.skip_taken || policy == "autorename" || policy.empty()
             ? Result<void>()
             : Fail(ErrorCode::kInvalidArgument,
                    "conflict_policy: expected one of: replace, autorename, skip");
}

// ---- /api2: what `file_names` names in the folder `p`.

struct FileOps {
  Fields fields{};
  Person person{};
  std::vector<TreePath> paths{};
};

Result<FileOps> ReadFileOps(Room& room, const Call& call, std::string_view folder_field) {
  FileOps ops;
  ASSIGN_OR_RETURN(ops.fields, Fields::Read(call.request));
  ASSIGN_OR_RETURN(const TreePath folder, ops.fields.Path(folder_field));
  ASSIGN_OR_RETURN(ops.paths,
                   PathsIn(folder, SplitNames(ops.fields.All("file_names")), "file_names"));
  ASSIGN_OR_RETURN(ops.person, PersonOf(room, call));
  return ops;
}

Result<Reply> DeleteSome(Room& room, const Call& call, const LibraryId& id) {
  ASSIGN_OR_RETURN(const FileOps ops, ReadFileOps(room, call, "p"));
  RETURN_IF_ERROR(room.changes.Remove(call.op, {.person = ops.person, .library = id}, ops.paths));
  return SuccessWord();
}

Reply MovedReply(const LibraryId& library, std::span<const ChangedEntry> moved) {
  std::string json = "[";
  for (const ChangedEntry& one : moved) {
    json += json.size() > 1 ? "," : "";
    json += R"({"repo_id":")" + library.Render() + R"(","parent_dir":)";
    AppendJsonString(json, one.folder.Render());
    json += R"(,"obj_name":)";
    AppendJsonString(json, one.entry.name);
    json += "}";
  }
  return http::JsonReply(json + "]");
}

/// How the two spellings of this call name their fields.
struct RelocationFields {
  std::string_view source_folder;
  std::string_view library;
};

Result<Reply> RelocateSome(Room& room, const Call& call, const LibraryId& id, Relocating how,
                           const RelocationFields& names) {
  ASSIGN_OR_RETURN(FileOps ops, ReadFileOps(room, call, names.source_folder));
  RelocationBetween order{.from = id, .to = id, .how = how};
  if (ops.fields.Find(names.library)) {
    ASSIGN_OR_RETURN(order.to, ops.fields.RequireLibrary(names.library));
  }
  order.entries.from = std::move(ops.paths);
  ASSIGN_OR_RETURN(order.entries.folder, ops.fields.RequirePath("dst_dir"));
  RETURN_IF_ERROR(ReadPolicy(ops.fields, order.entries));
  ASSIGN_OR_RETURN(const auto moved, RelocateBetween(room, call.op, ops.person, order));
  return MovedReply(order.to, moved);
}

auto RelocatingRoute(Room& room, Relocating how, const RelocationFields& names) {
  return [&room, how, names](const Call& call, const LibraryId& id) -> Result<Reply> {
    return RelocateSome(room, call, id, how, names);
  };
}

// ---- /api/v2.1: what `dirents` names.

Result<Reply> DeleteBatch(Room& room, const Call& call) {
  ASSIGN_OR_RETURN(const Fields fields, Fields::Read(call.request));
  ASSIGN_OR_RETURN(const LibraryId id, fields.RequireLibrary("repo_id"));
  ASSIGN_OR_RETURN(const TreePath folder, fields.RequirePath("parent_dir"));
  ASSIGN_OR_RETURN(const auto paths, PathsIn(folder, fields.All("dirents"), "dirents"));
  ASSIGN_OR_RETURN(const Person person, PersonOf(room, call));
  RETURN_IF_ERROR(room.changes.Remove(call.op, {.person = person, .library = id}, paths));
  return SuccessReply();
}

Result<Reply> RelocateBatch(Room& room, const Call& call, Relocating how) {
  ASSIGN_OR_RETURN(const Fields fields, Fields::Read(call.request));
  RelocationBetween order{.how = how};
  ASSIGN_OR_RETURN(order.from, fields.RequireLibrary("src_repo_id"));
  ASSIGN_OR_RETURN(order.to, fields.RequireLibrary("dst_repo_id"));
  ASSIGN_OR_RETURN(const TreePath source, fields.RequirePath("src_parent_dir"));
  ASSIGN_OR_RETURN(order.entries.folder, fields.RequirePath("dst_parent_dir"));
  ASSIGN_OR_RETURN(order.entries.from, PathsIn(source, fields.All("src_dirents"), "src_dirents"));
  RETURN_IF_ERROR(ReadPolicy(fields, order.entries));
  ASSIGN_OR_RETURN(const Person person, PersonOf(room, call));
  RETURN_IF_ERROR(RelocateBetween(room, call.op, person, order));
  return SuccessReply();
}

http::Route BatchRoute(Method method, std::string path, const http::AccessRule& member,
                       std::string summary) {
  http::Route route = api::RouteOf(method, std::move(path), member, std::move(summary));
  route.body_bytes_max = kBatchBytesMax;
  return route;
}

}  // namespace

void AddBatchRoutes(api::Api& api, Room& room, const http::AccessRule& member) {
  const std::string library = "/api2/repos/{id}";
  constexpr RelocationFields kFileOps{.source_folder = "p", .library = "dst_repo"};
  constexpr RelocationFields kFileMoves{.source_folder = "src_dir", .library = "dst_repo_id"};
  AddRoute(
      api,
      BatchRoute(Method::kPost, library + "/fileops/delete", member, "Removes files and folders"),
      OfLibrary(room, DeleteSome));
  AddRoute(api,
           BatchRoute(Method::kPost, library + "/fileops/move", member, "Moves files and folders"),
           RelocatingRoute(room, Relocating::kMove, kFileOps));
  AddRoute(api,
           BatchRoute(Method::kPost, library + "/fileops/copy", member, "Copies files and folders"),
           RelocatingRoute(room, Relocating::kCopy, kFileOps));
  AddRoute(api,
           BatchRoute(Method::kPost, library + "/file/move", member, "Moves files and folders"),
           RelocatingRoute(room, Relocating::kMove, kFileMoves));
  AddRoute(api,
           BatchRoute(Method::kPost, library + "/file/copy", member, "Copies files and folders"),
           RelocatingRoute(room, Relocating::kCopy, kFileMoves));
  const std::string batch = "/api/v2.1/repos/";
  AddRoute(
      api,
      BatchRoute(Method::kDelete, batch + "batch-delete-item", member, "Removes files and folders"),
      [&room](const Call& call) -> Result<Reply> { return DeleteBatch(room, call); });
  AddRoute(
      api,
      BatchRoute(Method::kPost, batch + "sync-batch-move-item", member, "Moves files and folders"),
      [&room](const Call& call) -> Result<Reply> {
        return RelocateBatch(room, call, Relocating::kMove);
      });
  AddRoute(
      api,
      BatchRoute(Method::kPost, batch + "sync-batch-copy-item", member, "Copies files and folders"),
      [&room](const Call& call) -> Result<Reply> {
        return RelocateBatch(room, call, Relocating::kCopy);
      });
}

}  // namespace atrium::files
