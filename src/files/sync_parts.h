// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "files/json_scanner.h"
#include "files/object_id.h"
#include "files/room.h"
#include "files/sync_tokens.h"
#include "http/method.h"
#include "http/reply.h"
#include "http/request.h"
#include "http/route.h"

namespace atrium::files {

// What the routes below /seafhttp share. Numbers that clients of Seafile know and no standard has:

inline constexpr int kQuotaFull = 443;
inline constexpr int kLibraryGone = 444;
inline constexpr int kContentMissing = 446;
inline constexpr int kLibraryTooLarge = 447;

/// As many ids as clients send at once, and some.
inline constexpr std::size_t kIdsBytesMax = std::size_t{1} << 20;

/// A route of one library, below /seafhttp/repo/{library}/.
http::Route SyncRoute(const Room& room, http::Method method, std::string_view path,
                      std::string summary);

/// Of a request whose route has the rule SyncAccess.
const SyncCaller& SyncCallerOf(const http::Request& request);

/// kPermissionDenied when the library is gone: only where clients look for it are they told that
/// they may forget it.
Result<const SyncCaller*> ReaderOf(const http::Request& request);
/// The same for who may write.
Result<const SyncCaller*> SyncWriterOf(const http::Request& request);

/// 200 without a body.
http::Reply Done();

/// For Route::failure of routes that bring content: kQuotaFull for want of space and
/// kLibraryTooLarge for any other limit of a library, as clients know them; a problem document for
/// other errors.
http::Reply SyncFailureReply(const Error& error, std::string_view request_id);

/// The ids in a JSON array. What is no id is passed over: newer clients may name things otherwise.
template <typename Id>
Result<std::vector<Id>> ReadIds(std::string_view body) {
  std::vector<Id> ids;
  ids.reserve(body.size() / (Sha1Id::kTextLength + 3));
  JsonScanner scanner(body);
  RETURN_IF_ERROR(scanner.ReadArray([&]() -> Result<void> {
    ASSIGN_OR_RETURN(const std::string_view text, scanner.ReadString());
    if (Result<Id> id = Id::Parse(text)) {
      ids.push_back(*std::move(id));
    }
    return {};
  }));
  RETURN_IF_ERROR(scanner.Finish());
  return ids;
}

/// The same the other way round.
template <typename Tag>
std::string RenderIds(const std::vector<StrongId<Tag, Sha1Id>>& ids) {
  std::string json = "[";
  json.reserve(2 + ids.size() * (Sha1Id::kTextLength + 3));
  for (const StrongId<Tag, Sha1Id>& id : ids) {
    json += json.size() > 1 ? ",\"" : "\"";
    id.value().AppendTo(json);
    json += '"';
  }
  return json + "]";
}

}  // namespace atrium::files
