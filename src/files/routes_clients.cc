// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "api/caller.h"
#include "api/route_parts.h"
#include "base/json_write.h"
#include "files/library_access.h"
#include "files/library_views.h"
#include "files/route_parts.h"
#include "files/routes.h"
#include "files/space.h"
#include "files/sync_parts.h"
#include "http/reply.h"

namespace atrium::files {
namespace {

using api::Call;
using api::RouteOf;
using http::Method;
using http::Reply;

/// Where clients read that there is no quota.
constexpr std::int64_t kNoQuota = -2;
constexpr std::size_t kTokensAtOnce = 1000;

struct ServerInfo {
  /// Of the server whose API this is: clients decide by it what they may ask for.
  std::string version = "11.0.0";
  int encrypted_library_version = 2;
  bool enable_encrypted_library = true;
  bool enable_repo_history_setting = true;
  std::vector<std::string> features{"seafile-basic"};
  std::string file_server_root{};
};
BOOST_DESCRIBE_STRUCT(ServerInfo, (),
                      (version, encrypted_library_version, enable_encrypted_library,
                       enable_repo_history_setting, features, file_server_root))

struct AccountInfo {
  std::string email{};
  std::string name{};
  std::string login_id{};
  std::string contact_email{};
  std::string department{};
  std::string institution{};
  bool is_staff = false;
  bool is_org_staff = false;
  std::int64_t usage = 0;
  std::int64_t total = kNoQuota;
  std::string space_usage{};
  bool can_add_repo = true;
  bool can_add_group = false;
  bool can_share_repo = false;
  bool can_generate_share_link = false;
  bool can_generate_upload_link = false;
};
BOOST_DESCRIBE_STRUCT(AccountInfo, (),
                      (email, name, login_id, contact_email, department, institution, is_staff,
                       is_org_staff, usage, total, space_usage, can_add_repo, can_add_group,
                       can_share_repo, can_generate_share_link, can_generate_upload_link))

struct DefaultLibrary {
  bool exists = false;
  std::string repo_id{};
};
BOOST_DESCRIBE_STRUCT(DefaultLibrary, (), (exists, repo_id))

struct AccessibleLibraries {
  std::vector<ListedLibrary> accessible_repos{};
};
BOOST_DESCRIBE_STRUCT(AccessibleLibraries, (), (accessible_repos))

std::string PercentOf(std::int64_t used, std::int64_t total) {
  if (total <= 0) {
    return total == 0 ? "100%" : "0%";
  }
  const double share = 100.0 * static_cast<double>(used) / static_cast<double>(total);
  return std::to_string(static_cast<int>(std::clamp(share, 0.0, 100.0))) + "%";
}

Result<Reply> ShowAccount(Room& room, const Call& call) {
  ASSIGN_OR_RETURN(const Person person, PersonOf(room, call));
  AccountInfo info{.email = person.email,
                   .name = person.name,
                   .contact_email = person.email,
                   .is_staff = api::CallerOf(call.request).role >= api::Role::kAdmin,
                   .total = person.quota_bytes.value_or(kNoQuota),
                   .can_add_repo = person.may_write};
  ASSIGN_OR_RETURN(info.usage, SpaceUsedBy(room.ground.store, call.op, person.id));
  info.space_usage = PercentOf(info.usage, info.total);
  return http::JsonReply(ToJson(info));
}

/// Everybody has a library from the first time they look; whoever may not make any has none, and a
/// credential that may only read makes none. nullopt: there is none.
Result<std::optional<LibraryService::Found>> DefaultOf(Room& room, const Call& call,
                                                       const Person& person) {
  if (!person.may_write || !MayWrite(call)) {
    return room.libraries.FindDefault(call.op, person);
  }
  ASSIGN_OR_RETURN(auto library, room.libraries.EnsureDefault(store::Unnamed(call.op), person));
  return std::optional(std::move(library));
}

Result<std::vector<ListedLibrary>> ListOf(Room& room, const store::OpContext& op,
                                          const Person& person) {
  ASSIGN_OR_RETURN(const auto libraries, room.libraries.ListMine(op, person));
  std::vector<ListedLibrary> list;
  list.reserve(libraries.size());
  for (const auto& library : libraries) {
    if (const auto permission = PermissionOf(library.record, person)) {
      list.push_back(ViewOf(library.record, person, *permission));
    }
  }
  return list;
}

Result<Reply> ListLibraries(Room& room, const Call& call) {
  ASSIGN_OR_RETURN(const Person person, PersonOf(room, call));
  ASSIGN_OR_RETURN(const http::Form query, call.request.Query());
  const std::string_view type = query.Find("type").value_or("mine");
  if (type != "mine" && type != "repo") {
    return http::JsonReply("[]");
  }
  RETURN_IF_ERROR(DefaultOf(room, call, person));
  ASSIGN_OR_RETURN(const auto list, ListOf(room, call.op, person));
  return http::JsonReply(ToJson(list));
}

/// What a credential may do: one that may only read gets tokens that may only read.
Permission MostOf(const Call& call) {
  return api::CallerOf(call.request).scopes.Allows(api::Area::kFiles, api::Scopes::Right::kWrite)
             ? Permission::kWrite
             : Permission::kRead;
}

Result<Reply> InfoReply(Room& room, const Call& call, const Person& person,
                        const Library& library) {
  const Permission most = MostOf(call);
  const Permission permission =
      std::min(PermissionOf(library, person).value_or(Permission::kRead), most);
  DownloadInfo info = DownloadInfoOf(call.request, library, person, permission);
  ASSIGN_OR_RETURN(info.token,
                   room.tokens.Issue(store::Unnamed(call.op), person, library.id, most));
  return http::JsonReply(ToJson(info));
}

Result<Reply> ShowDownloadInfo(Room& room, const Call& call, const LibraryId& id) {
  ASSIGN_OR_RETURN(const Person person, PersonOf(room, call));
  ASSIGN_OR_RETURN(const Entrance entrance,
                   Enter(room.ground.store, call.op, person, id, Permission::kRead));
  return InfoReply(room, call, person, entrance.library.record);
}

Result<std::optional<LibraryLock>> ReadLock(const Fields& fields) {
  const auto magic = fields.Find("magic");
  if (!magic) {
    return std::nullopt;
  }
  LibraryLock lock{.magic = std::string(*magic),
                   .random_key = std::string(fields.Find("random_key").value_or("")),
                   .salt = std::string(fields.Find("salt").value_or(""))};
  const std::string_view version = fields.Find("enc_version").value_or("2");
  const char* const end = version.data() + version.size();
  if (std::from_chars(version.data(), end, lock.version).ptr != end) {
    return Fail(ErrorCode::kInvalidArgument, "enc_version: a number");
  }
  return std::optional(std::move(lock));
}

Result<NewLibrary> ReadNewLibrary(const http::Request& request) {
  ASSIGN_OR_RETURN(const Fields fields, Fields::Read(request));
  NewLibrary wanted;
  ASSIGN_OR_RETURN(wanted.name, fields.Require("name"));
  wanted.description = std::string(fields.Find("desc").value_or(""));
  if (wanted.description == "None") {
    // What seaf-cli sends when nobody has said anything.
    wanted.description.clear();
  }
  if (const auto password = fields.Find("passwd"); password && !password->empty()) {
    wanted.password = std::string(*password);
  }
  ASSIGN_OR_RETURN(wanted.lock, ReadLock(fields));
  if (const auto id = fields.Find("repo_id"); id && !id->empty()) {
    ASSIGN_OR_RETURN(wanted.id, LibraryId::Parse(*id));
  }
  return wanted;
}

Result<Reply> CreateLibrary(Room& room, const Call& call) {
  ASSIGN_OR_RETURN(const Person person, PersonOf(room, call));
  ASSIGN_OR_RETURN(const NewLibrary wanted, ReadNewLibrary(call.request));
  ASSIGN_OR_RETURN(const auto made, room.libraries.Create(store::Unnamed(call.op), person, wanted));
  return InfoReply(room, call, person, made.record);
}

/// `?repos=A,B`: {"A": "token", …}. Those that the person may not see are left out.
Result<Reply> ShowTokens(Room& room, const Call& call) {
  ASSIGN_OR_RETURN(const Person person, PersonOf(room, call));
  ASSIGN_OR_RETURN(const http::Form query, call.request.Query());
  std::string_view rest = query.Find("repos").value_or("");
  std::map<std::string, std::string> tokens;
  while (!rest.empty() && tokens.size() < kTokensAtOnce) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    ASSIGN_OR_RETURN(const LibraryId id, LibraryId::Parse(rest.substr(0, comma)));
    Result<std::string> token =
        room.tokens.Issue(store::Unnamed(call.op), person, id, MostOf(call));
    if (token) {
      tokens.emplace(id.Render(), *std::move(token));
    } else if (token.error().code != ErrorCode::kNotFound) {
      return std::unexpected(token.error());
    }
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  return http::JsonReply(ToJson(tokens));
}

Result<Reply> ShowDefault(Room& room, const Call& call) {
  ASSIGN_OR_RETURN(const Person person, PersonOf(room, call));
  ASSIGN_OR_RETURN(const auto library, DefaultOf(room, call, person));
  return http::JsonReply(
      ToJson(library ? DefaultLibrary{.exists = true, .repo_id = library->record.id.Render()}
                     : DefaultLibrary()));
}

/// For whoever has a token of one of them.
Result<Reply> ShowAccessible(Room& room, const Call& call) {
  ASSIGN_OR_RETURN(const http::Form query, call.request.Query());
  const Result<LibraryId> id = LibraryId::Parse(query.Find("repo_id").value_or(""));
  if (!id) {
    return Fail(ErrorCode::kInvalidArgument, "repo_id: an id of a library");
  }
  ASSIGN_OR_RETURN(const SyncCaller caller,
                   room.tokens.Admit(call.op, SyncTokenIn(call.request), *id));
  if (caller.is_gone) {
    return Fail(ErrorCode::kPermissionDenied, "there is no such library");
  }
  AccessibleLibraries answer;
  ASSIGN_OR_RETURN(answer.accessible_repos, ListOf(room, call.op, caller.person));
  return http::JsonReply(ToJson(answer));
}

http::Route WritingRead(std::string path, const http::AccessRule& access, std::string summary) {
  http::Route route = RouteOf(Method::kGet, std::move(path), access, std::move(summary));
  route.work = http::Work::kBlocking;
  return route;
}

void AddFixed(api::Api& api, http::Route route, std::string json) {
  api.Add(std::move(route),
          [json = std::move(json)](const Call&) -> Result<Reply> { return http::JsonReply(json); });
}

void AddAboutServer(api::Api& api, const ClientRules& rules) {
  AddFixed(api, RouteOf(Method::kGet, "/api2/ping", rules.everybody, "Whether the server is there"),
           R"("pong")");
  AddFixed(api, RouteOf(Method::kGet, "/api2/auth/ping", rules.member, "Whether a token is valid"),
           R"("pong")");
  api.Add(RouteOf(Method::kGet, "/api2/server-info", rules.everybody, "What the server can do"),
          [](const Call& call) -> Result<Reply> {
            return http::JsonReply(
                ToJson(ServerInfo{.file_server_root = BaseOf(call.request) + "/seafhttp"}));
          });
  AddFixed(api, RouteOf(Method::kGet, "/api2/devices", rules.member, "Devices; none are kept"),
           "[]");
  // Folders with rights of their own and locks do not exist yet: clients are told so.
  AddFixed(api,
           RouteOf(Method::kPost, "/seafhttp/repo/folder-perm", rules.everybody,
                   "Folders with rights of their own: none"),
           "[]");
  AddFixed(api,
           RouteOf(Method::kGet, "/seafhttp/repo/folder-perm", rules.everybody,
                   "Folders with rights of their own: none"),
           "{}");
  AddFixed(api,
           RouteOf(Method::kPost, "/seafhttp/repo/locked-files", rules.everybody,
                   "Files that somebody has locked: none"),
           "[]");
  AddFixed(api,
           RouteOf(Method::kGet, "/seafhttp/repo/locked-files", rules.everybody,
                   "Files that somebody has locked: none"),
           R"({"locked_files": []})");
}

}  // namespace

void AddClientRoutes(api::Api& api, Room& room, const ClientRules& rules) {
  AddAboutServer(api, rules);
  AddRoute(api,
           RouteOf(Method::kGet, "/api2/account/info", rules.member, "Who one is, and one's space"),
           [&room](const Call& call) { return ShowAccount(room, call); });
  AddRoute(api, WritingRead("/api2/repos", rules.member, "One's libraries"),
           [&room](const Call& call) { return ListLibraries(room, call); });
  AddRoute(api, Deriving(RouteOf(Method::kPost, "/api2/repos", rules.member, "Make a library")),
           [&room](const Call& call) { return CreateLibrary(room, call); });
  AddRoute(
      api,
      Deriving(WritingRead("/api2/repos/{id}/download-info", rules.member,
                           "What a client must know to sync a library")),
      [&room](const Call& call, const LibraryId& id) { return ShowDownloadInfo(room, call, id); });
  AddRoute(
      api,
      Deriving(WritingRead("/api2/repo-tokens", rules.member, "Tokens to sync some libraries")),
      [&room](const Call& call) { return ShowTokens(room, call); });
  AddRoute(api, WritingRead("/api2/default-repo", rules.member, "The library everybody has"),
           [&room](const Call& call) { return ShowDefault(room, call); });
  AddRoute(api, RouteOf(Method::kPost, "/api2/default-repo", rules.member, "Make it"),
           [&room](const Call& call) { return ShowDefault(room, call); });
  api.Add(WritingRead("/seafhttp/accessible-repos", rules.everybody,
                      "The libraries of whoever has a token of one"),
          [&room](const Call& call) { return ShowAccessible(room, call); });
}

}  // namespace atrium::files
