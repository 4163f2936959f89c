// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <utility>

#include "files/library_access.h"
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

/// Clients know a wrong password by 400.
Result<Reply> Answer(const Result<void>& outcome) {
  if (!outcome && outcome.error().code == ErrorCode::kPermissionDenied &&
      outcome.error().client_message.starts_with("password:")) {
    return FailureReply(http::HttpStatus(ErrorCode::kInvalidArgument), "Wrong password");
  }
  RETURN_IF_ERROR(outcome);
  return SuccessReply();
}

Result<Reply> Unlock(Room& room, const Call& call, const LibraryId& id) {
  ASSIGN_OR_RETURN(const Fields fields, Fields::Read(call.request));
  ASSIGN_OR_RETURN(const std::string password, fields.Require("password"));
  ASSIGN_OR_RETURN(const Person person, PersonOf(room, call));
  ASSIGN_OR_RETURN(const Entrance entrance,
                   Enter(room.ground.store, call.op, person, id, Permission::kRead));
  return Answer(room.unlocked.Unlock(person, entrance.library.record, password));
}

Result<Reply> ChangePassword(Room& room, const Call& call, const LibraryId& id) {
  ASSIGN_OR_RETURN(const Fields fields, Fields::Read(call.request));
  ASSIGN_OR_RETURN(const std::string from, fields.Require("old_password"));
  ASSIGN_OR_RETURN(const std::string to, fields.Require("new_password"));
  ASSIGN_OR_RETURN(const Person person, PersonOf(room, call));
  return Answer(room.unlocked.ChangePassword(call.op, person, id, {.from = from, .to = to}));
}

}  // namespace

void AddPasswordRoutes(api::Api& api, Room& room, const http::AccessRule& member) {
  const std::string path = "/api/v2.1/repos/{id}/set-password";
  http::Route unlock = RouteOf(Method::kPost, path, member,
                               "Opens an encrypted library for the caller, for a while");
  unlock.rate = http::RateClass::kCredential;
  AddRoute(api, std::move(unlock), OfLibrary(room, Unlock));
  http::Route change =
      RouteOf(Method::kPut, path, member, "Changes the password of an encrypted library");
  change.rate = http::RateClass::kCredential;
  AddRoute(api, std::move(change), OfLibrary(room, ChangePassword));
}

}  // namespace atrium::files
