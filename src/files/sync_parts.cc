// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/sync_parts.h"

#include <utility>

#include "base/check.h"
#include "files/space.h"
#include "http/problem.h"

namespace atrium::files {

http::Route SyncRoute(const Room& room, http::Method method, std::string_view path,
                      std::string summary) {
  // A client that syncs asks as often as there are blocks, and gives up when it is told to wait:
  // the rate of this class is beyond what one client reaches, and below what a flood does.
  return {.method = method,
          .path = "/seafhttp/repo/{library}/" + std::string(path),
          .access = room.sync_access,
          .work = http::Work::kQuick,
          .summary = std::move(summary),
          .rate = http::RateClass::kTransfer};
}

const SyncCaller& SyncCallerOf(const http::Request& request) {
  const auto* caller = dynamic_cast<const SyncCaller*>(request.principal.get());
  Check(caller != nullptr, "a sync route has the rule of sync routes");
  return *caller;
}

Result<const SyncCaller*> ReaderOf(const http::Request& request) {
  const SyncCaller& caller = SyncCallerOf(request);
  if (caller.is_gone) {
    return Fail(ErrorCode::kPermissionDenied, "there is no such library");
  }
  return &caller;
}

Result<const SyncCaller*> SyncWriterOf(const http::Request& request) {
  ASSIGN_OR_RETURN(const SyncCaller* caller, ReaderOf(request));
  if (caller->permission != Permission::kWrite) {
    return Fail(ErrorCode::kPermissionDenied, "you may read this library, and not change it");
  }
  return caller;
}

http::Reply SyncFailureReply(const Error& error, std::string_view request_id) {
  if (error.code != ErrorCode::kLimitExceeded) {
    return http::ErrorReply(error, request_id);
  }
  return http::TextReply(error.client_message, IsAboutSpace(error) ? kQuotaFull : kLibraryTooLarge);
}

http::Reply Done() {
  return {.status = 200, .content_type = "text/plain; charset=utf-8"};
}

}  // namespace atrium::files
