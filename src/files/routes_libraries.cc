// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/json_text.h"
#include "base/json_write.h"
#include "files/library_access.h"
#include "files/library_documents.h"
#include "files/library_views.h"
#include "files/people_names.h"
#include "files/route_parts.h"
#include "files/routes.h"
#include "files/unlocked_libraries.h"
#include "http/status.h"

namespace atrium::files {
namespace {

using api::Call;
using api::RouteOf;
using http::Method;
using http::Reply;

using View = std::string (*)(Room&, const Viewer&, const Person&, const Entrance&);

std::string ViewApi2(Room& /*room*/, const Viewer& viewer, const Person& /*person*/,
                     const Entrance& entrance) {
  const Library& library = entrance.library.record;
  return ToJson(ViewOf(library, OwnerOf(viewer, library), entrance.permission));
}

std::string View21(Room& room, const Viewer& viewer, const Person& person,
                   const Entrance& entrance) {
  return DocumentOf(viewer, entrance, room.unlocked.IsUnlocked(person, entrance.library.record));
}

Result<Reply> Show(Room& room, const Call& call, const LibraryId& id, View view) {
  ASSIGN_OR_RETURN(const Person person, PersonOf(room, call));
  ASSIGN_OR_RETURN(const Entrance entrance,
                   Enter(room.ground.store, call.op, person, id, Permission::kRead));
  PeopleNames names(room.people);
  return http::JsonReply(
      view(room, {.op = call.op, .people = room.people, .names = names}, person, entrance));
}

/// The one library of an answer, as its change has left it.
Result<Reply> ShowChanged(Room& room, const Call& call, const Person& person,
                          const LibraryService::Found& found, View view) {
  PeopleNames names(room.people);
  const Entrance entrance{
      .library = found,
      .permission = PermissionOf(found.record, person).value_or(Permission::kRead)};
  return http::JsonReply(
      view(room, {.op = call.op, .people = room.people, .names = names}, person, entrance));
}

Result<Reply> List(Room& room, const Call& call) {
  ASSIGN_OR_RETURN(const Person person, PersonOf(room, call));
  ASSIGN_OR_RETURN(const auto mine, room.libraries.ListMine(call.op, person));
  PeopleNames names(room.people);
  const Viewer viewer{.op = call.op, .people = room.people, .names = names};
  std::string json = R"({"repos": [)";
  for (const LibraryService::Found& found : mine) {
    const auto permission = PermissionOf(found.record, person);
    if (!permission) {
      continue;
    }
    json += json.back() == '[' ? "" : ",";
    json += View21(room, viewer, person, {.library = found, .permission = *permission});
  }
  return http::JsonReply(json + "]}");
}

Result<NewLibrary> ReadNew(const Fields& fields) {
  NewLibrary made;
  const auto name = fields.Find("name");
  ASSIGN_OR_RETURN(made.name, name ? Result<std::string>(*name) : fields.Require("repo_name"));
  made.description = fields.Find("desc").value_or("");
  if (const auto password = fields.Find("passwd"); password && !password->empty()) {
    made.password = std::string(*password);
  }
  return made;
}

Result<Reply> Create(Room& room, const Call& call) {
  ASSIGN_OR_RETURN(const Fields fields, Fields::Read(call.request));
  ASSIGN_OR_RETURN(const NewLibrary made, ReadNew(fields));
  ASSIGN_OR_RETURN(const Person person, PersonOf(room, call));
  ASSIGN_OR_RETURN(const auto found, room.libraries.Create(call.op, person, made));
  return ShowChanged(room, call, person, found, View21);
}

LibraryChanges ReadTexts(const Fields& fields) {
  LibraryChanges changes;
  for (const std::string_view name : {"repo_name", "name"}) {
    if (const auto value = fields.Find(name)) {
      changes.name = std::string(*value);
    }
  }
  for (const std::string_view name : {"repo_desc", "desc"}) {
    if (const auto value = fields.Find(name)) {
      changes.description = std::string(*value);
    }
  }
  return changes;
}

Result<LibraryService::Found> Update(Room& room, const Call& call, const Fields& fields,
                                     const LibraryId& id) {
  const LibraryChanges changes = ReadTexts(fields);
  if (!changes.name && !changes.description) {
    return Fail(ErrorCode::kInvalidArgument, "repo_name: is required");
  }
  ASSIGN_OR_RETURN(const Person person, PersonOf(room, call));
  return room.libraries.Update(call.op, person, id, changes);
}

Result<Reply> Rename(Room& room, const Call& call, const LibraryId& id) {
  ASSIGN_OR_RETURN(const Fields fields, Fields::Read(call.request));
  RETURN_IF_ERROR(Update(room, call, fields, id));
  return SuccessWord();
}

Result<Reply> Rename21(Room& room, const Call& call, const LibraryId& id) {
  ASSIGN_OR_RETURN(const Fields fields, Fields::Read(call.request));
  ASSIGN_OR_RETURN(const Person person, PersonOf(room, call));
  ASSIGN_OR_RETURN(const auto found, Update(room, call, fields, id));
  return ShowChanged(room, call, person, found, View21);
}

/// How older clients open an encrypted library. They know a wrong password by 400.
using TryPassword = Result<void> (UnlockedLibraries::*)(const Person&, const Library&,
                                                        std::string_view);
Result<Reply> Unlock(Room& room, const Call& call, const LibraryId& id, TryPassword attempt,
                     std::string_view password) {
  ASSIGN_OR_RETURN(const Person person, PersonOf(room, call));
  ASSIGN_OR_RETURN(const Entrance entrance,
                   Enter(room.ground.store, call.op, person, id, Permission::kRead));
  const Result<void> unlocked = (room.unlocked.*attempt)(person, entrance.library.record, password);
  if (!unlocked && unlocked.error().code == ErrorCode::kPermissionDenied) {
    return FailureReply(http::HttpStatus(ErrorCode::kInvalidArgument), "Incorrect password");
  }
  RETURN_IF_ERROR(unlocked);
  return SuccessWord();
}

Result<Reply> Act(Room& room, const Call& call, const LibraryId& id) {
  ASSIGN_OR_RETURN(const Fields fields, Fields::Read(call.request));
  const std::string_view deed = fields.Find("op").value_or("setpassword");
  if (deed == "rename") {
    RETURN_IF_ERROR(Update(room, call, fields, id));
    return SuccessWord();
  }
  if (deed == "setpassword") {
    ASSIGN_OR_RETURN(const std::string password, fields.Require("password"));
    return Unlock(room, call, id, &UnlockedLibraries::Unlock, password);
  }
  if (deed == "checkpassword") {
    ASSIGN_OR_RETURN(const std::string magic, fields.Require("magic"));
    return Unlock(room, call, id, &UnlockedLibraries::CheckMagic, magic);
  }
  return Fail(ErrorCode::kInvalidArgument,
              "op: expected one of: rename, setpassword, checkpassword");
}

Result<Reply> Delete(Room& room, const Call& call, const LibraryId& id) {
  ASSIGN_OR_RETURN(const Person person, PersonOf(room, call));
  RETURN_IF_ERROR(room.libraries.Delete(call.op, person, id));
  return SuccessWord();
}

Result<Reply> Delete21(Room& room, const Call& call, const LibraryId& id) {
  RETURN_IF_ERROR(Delete(room, call, id));
  return SuccessReply();
}

/// -1: for good.
Reply KeepDaysReply(const Library& library) {
  return http::JsonReply(R"({"keep_days": )" + std::to_string(library.keep_days.value_or(-1)) +
                         "}");
}

Result<Reply> ShowKeepDays(Room& room, const Call& call, const LibraryId& id) {
  ASSIGN_OR_RETURN(const Person person, PersonOf(room, call));
  ASSIGN_OR_RETURN(const Entrance entrance,
                   Enter(room.ground.store, call.op, person, id, Permission::kRead));
  return KeepDaysReply(entrance.library.record);
}

Result<std::int32_t> ReadKeepDays(const Fields& fields) {
  ASSIGN_OR_RETURN(const std::string text, fields.Require("keep_days"));
  std::int32_t days = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), days);
  if (error != std::errc{} || end != text.data() + text.size() || days == 0) {
    return Fail(ErrorCode::kInvalidArgument, "keep_days: 1 or more, or -1 to keep everything");
  }
  return std::max(days, 0);
}

Result<Reply> SetKeepDays(Room& room, const Call& call, const LibraryId& id) {
  ASSIGN_OR_RETURN(const Fields fields, Fields::Read(call.request));
  ASSIGN_OR_RETURN(const std::int32_t days, ReadKeepDays(fields));
  ASSIGN_OR_RETURN(const Person person, PersonOf(room, call));
  ASSIGN_OR_RETURN(const auto found,
                   room.libraries.Update(call.op, person, id, {.keep_days = days}));
  return KeepDaysReply(found.record);
}

Result<Reply> ShowOwner(Room& room, const Call& call, const LibraryId& id) {
  ASSIGN_OR_RETURN(const Person person, PersonOf(room, call));
  ASSIGN_OR_RETURN(const Entrance entrance,
                   Enter(room.ground.store, call.op, person, id, Permission::kRead));
  ASSIGN_OR_RETURN(const auto owner, room.people.Find(call.op, entrance.library.record.owner));
  std::string json = R"({"owner": )";
  AppendJsonString(json, owner ? owner->email : "");
  return http::JsonReply(json + "}");
}

Result<Reply> Transfer(Room& room, const Call& call, const LibraryId& id) {
  ASSIGN_OR_RETURN(const Fields fields, Fields::Read(call.request));
  ASSIGN_OR_RETURN(const std::string email, fields.Require("owner"));
  ASSIGN_OR_RETURN(const Person person, PersonOf(room, call));
  // Nobody is told who exists elsewhere: the library first, then one answer for all who are
  // strangers.
  RETURN_IF_ERROR(EnterAsOwner(room.ground.store, call.op, person, id));
  ASSIGN_OR_RETURN(const auto heir, room.people.FindByEmail(call.op, email));
  if (!heir || heir->org != person.org || !heir->is_active) {
    return Fail(ErrorCode::kNotFound, "owner: there is no such person");
  }
  RETURN_IF_ERROR(room.libraries.Transfer(call.op, person, id, heir->id));
  return SuccessWord();
}

Result<Reply> ListTrash(Room& room, const Call& call) {
  ASSIGN_OR_RETURN(const Person person, PersonOf(room, call));
  ASSIGN_OR_RETURN(const auto trash, room.libraries.ListTrash(call.op, person));
  PeopleNames names(room.people);
  const Viewer viewer{.op = call.op, .people = room.people, .names = names};
  std::string json = "[";
  for (const LibraryService::Found& found : trash) {
    if (found.record.erase_at && *found.record.erase_at <= room.ground.clock.Now()) {
      continue;
    }
    json += json.back() == '[' ? "" : ",";
    json += TrashDocumentOf(viewer, found.record);
  }
  return http::JsonReply(json + "]");
}

Result<Reply> Restore(Room& room, const Call& call, const LibraryId& id) {
  ASSIGN_OR_RETURN(const Person person, PersonOf(room, call));
  RETURN_IF_ERROR(room.libraries.Restore(call.op, person, id));
  return SuccessReply();
}

Result<Reply> RestoreNamed(Room& room, const Call& call) {
  ASSIGN_OR_RETURN(const Fields fields, Fields::Read(call.request));
  ASSIGN_OR_RETURN(const LibraryId id, fields.RequireLibrary("repo_id"));
  return Restore(room, call, id);
}

Result<Reply> Erase(Room& room, const Call& call, const LibraryId& id) {
  ASSIGN_OR_RETURN(const Person person, PersonOf(room, call));
  RETURN_IF_ERROR(room.libraries.Erase(call.op, person, id));
  return SuccessReply();
}

void AddApi2Routes(api::Api& api, Room& room, const http::AccessRule& member) {
  const std::string path = "/api2/repos/{id}";
  AddRoute(api, RouteOf(Method::kGet, path, member, "One library"),
           [&room](const Call& call, const LibraryId& id) -> Result<Reply> {
             return Show(room, call, id, ViewApi2);
           });
  AddRoute(api,
           RouteOf(Method::kPost, path, member,
                   "Renames a library (op=rename), or opens an encrypted one with its password"),
           OfLibrary(room, Act));
  AddRoute(api, RouteOf(Method::kPut, path, member, "Renames or describes a library"),
           OfLibrary(room, Rename));
  AddRoute(api, RouteOf(Method::kDelete, path, member, "Puts a library into the trash"),
           OfLibrary(room, Delete));
  AddRoute(api, RouteOf(Method::kGet, path + "/owner", member, "Whose library it is"),
           OfLibrary(room, ShowOwner));
  AddRoute(api, RouteOf(Method::kPut, path + "/owner", member, "Gives a library to somebody"),
           OfLibrary(room, Transfer));
}

void AddHistoryLimits(api::Api& api, Room& room, const http::AccessRule& member) {
  for (const std::string path :
       {"/api2/repos/{id}/history-limit", "/api/v2.1/repos/{id}/history-limit"}) {
    AddRoute(api, RouteOf(Method::kGet, path, member, "How long earlier states are kept"),
             OfLibrary(room, ShowKeepDays));
    AddRoute(api, RouteOf(Method::kPut, path, member, "Sets how long earlier states are kept"),
             OfLibrary(room, SetKeepDays));
  }
}

void AddTrashRoutes(api::Api& api, Room& room, const http::AccessRule& member) {
  AddRoute(api, api::ListRoute("/api/v2.1/deleted-repos", member, "The libraries in the trash"),
           [&room](const Call& call) -> Result<Reply> { return ListTrash(room, call); });
  AddRoute(
      api,
      RouteOf(Method::kPost, "/api/v2.1/deleted-repos", member, "Takes a library out of the trash"),
      [&room](const Call& call) -> Result<Reply> { return RestoreNamed(room, call); });
  const std::string path = "/api/v2.1/repos/deleted/{id}";
  AddRoute(api, RouteOf(Method::kPut, path, member, "Takes a library out of the trash"),
           OfLibrary(room, Restore));
  AddRoute(api, RouteOf(Method::kDelete, path, member, "Erases a library in the trash"),
           OfLibrary(room, Erase));
}

}  // namespace

void AddLibraryRoutes(api::Api& api, Room& room, const http::AccessRule& member) {
  AddApi2Routes(api, room, member);
  AddHistoryLimits(api, room, member);
  AddTrashRoutes(api, room, member);
  AddRoute(api, api::ListRoute("/api/v2.1/repos", member, "The libraries of the caller"),
           [&room](const Call& call) -> Result<Reply> { return List(room, call); });
  AddRoute(api, RouteOf(Method::kPost, "/api/v2.1/repos", member, "Makes a library"),
           [&room](const Call& call) -> Result<Reply> { return Create(room, call); });
  const std::string path = "/api/v2.1/repos/{id}";
  AddRoute(api, RouteOf(Method::kGet, path, member, "One library"),
           [&room](const Call& call, const LibraryId& id) -> Result<Reply> {
             return Show(room, call, id, View21);
           });
  AddRoute(api, RouteOf(Method::kPut, path, member, "Renames or describes a library"),
           OfLibrary(room, Rename21));
  AddRoute(api, RouteOf(Method::kDelete, path, member, "Puts a library into the trash"),
           OfLibrary(room, Delete21));
}

}  // namespace atrium::files
