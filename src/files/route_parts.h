// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/api.h"
#include "api/route_parts.h"
#include "base/error.h"
#include "base/instant.h"
#include "base/result.h"
#include "files/heads.h"
#include "files/people.h"
#include "files/room.h"
#include "files/tree_path.h"
#include "http/reply.h"
#include "http/request.h"
#include "http/route.h"
#include "http/urlencoded.h"

namespace atrium::files {

// What the routes below /api2, /api/v2.1 and /seafhttp share: what clients of Seafile send, and the
// shapes in which they read answers.

/// A status that only these clients know.
inline constexpr int kStatusNoSpace = 443;

/// {"error_msg": "…"} with the status that these clients expect: 443 when a quota is used up, 440
/// when the password of the library is needed.
http::Reply FailureReply(const Error& error, std::string_view request_id);
/// The same for an error that is none of the usual.
http::Reply FailureReply(int status, std::string_view message);

/// Api::Add() for handlers whose errors are told as FailureReply().
template <typename Handler>
void AddRoute(api::Api& api, http::Route route, Handler handler) {
  route.failure = &FailureReply;
  api.Add(std::move(route), std::move(handler));
}

/// What a route below one library does.
using LibraryHandler = Result<http::Reply> (*)(Room&, const api::Call&, const LibraryId&);
inline auto OfLibrary(Room& room, LibraryHandler handle) {
  return [&room, handle](const api::Call& call, const LibraryId& id) -> Result<http::Reply> {
    return handle(room, call, id);
  };
}

/// RouteOf() for reads that are more than a few rows: folders can be large.
http::Route ReadingRoute(std::string path, const http::AccessRule& access, std::string summary);

/// A route that answers a link or a token, which ends with the credential that asked for it.
inline http::Route Deriving(http::Route route) {
  route.gives = http::Gives::kCredential;
  return route;
}

/// On whose behalf a request is: the caller's, or, for the operator alone, the one's that `?user=`
/// names by address or id.
Result<Person> PersonOf(Room& room, const api::Call& call);
Author AuthorOf(const Person& person);
/// kPermissionDenied for a credential that may only read. For what is asked with GET, and changes
/// something or leads to where that can be done.
Result<void> CheckMayWrite(const api::Call& call);
bool MayWrite(const api::Call& call);

/// What a request says in its query and in its body, be that JSON, a form or a multipart form.
class Fields {
 public:
  /// kInvalidArgument for a body of another type, and for one that is not what it says.
  static Result<Fields> Read(const http::Request& request);

  /// In the body or else in the query. JSON numbers and truths are told as text.
  std::optional<std::string_view> Find(std::string_view name) const;
  /// kInvalidArgument, naming it, when it is missing or empty.
  Result<std::string> Require(std::string_view name) const;
  /// All of that name; those of a list in JSON.
  std::vector<std::string> All(std::string_view name) const;
  /// "/" when there is none. kInvalidArgument, naming the field, when it is no path.
  Result<TreePath> Path(std::string_view name) const;
  /// kInvalidArgument, naming it, when it is missing.
  Result<TreePath> RequirePath(std::string_view name) const;
  /// kInvalidArgument, naming it, when it is missing or no id.
  Result<LibraryId> RequireLibrary(std::string_view name) const;
  /// "1" and "true".
  bool IsTrue(std::string_view name) const;

 private:
  http::Form query_{};
  http::Form body_{};
};

/// Where this server was reached: "https://files.example.org".
std::string BaseOf(const http::Request& request);

/// How long the body is said to be; zero when it is not said.
std::int64_t LengthOf(const http::Request& request);

/// A text as a JSON document of its own: how links are answered.
http::Reply QuotedReply(std::string_view text);
/// {"success": true}
http::Reply SuccessReply();
/// The same without a shape of its own: "success" in quotes.
http::Reply SuccessWord();

/// "2026-11-16T08:30:00+00:00" of seconds since 1970.
std::string IsoTime(std::int64_t seconds);
std::int64_t SecondsSince1970(Instant at);

/// "rw" or "r".
std::string_view PermissionWord(Permission permission);

}  // namespace atrium::files
