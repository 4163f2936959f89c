// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "api/api.h"
#include "base/result.h"
#include "http/reply.h"
#include "http/request.h"
#include "http/route.h"
#include "identity/identity.h"
#include "identity/records.h"
#include "identity/session_service.h"

namespace atrium::identity {

// What the routes of the room share.

inline constexpr std::size_t kBodyBytesMax = std::size_t{64} << 10;

/// A route in the shape of most: reading is quick, changing blocks and takes a small body.
http::Route RouteOf(http::Method method, std::string path, const http::AccessRule& access,
                    std::string summary);
/// The same for what can be used for guessing: blocking, and counted more strictly.
http::Route GuessableRoute(http::Method method, std::string path, const http::AccessRule& access,
                           std::string summary);

/// A reply with a document and its version.
http::Reply Tagged(std::string document, store::Version version, int status = 200);

/// Makes the browser carry the session.
void SetSessionCookie(http::Reply& reply, const http::Request& request, const OpenedSession& opened,
                      Instant now);
/// Makes it forget the session.
void ClearSessionCookie(http::Reply& reply, const http::Request& request);

/// {"session_id":…,"expires_at":…} with the cookie.
http::Reply SignedInReply(const http::Request& request, const OpenedSession& opened, Instant now,
                          int status = 200);

/// The organisation a request of an administrator is about: their own, or the one of `?org=`,
/// which only superadmins and the operator may name.
Result<OrgId> OrgFor(const api::Call& call);

/// Whose account a request is about: the caller's own, or, for the operator alone, the one that
/// `?user=` names by address or id.
Result<store::Stored<User>> AccountFor(Identity& room, const api::Call& call);

struct PageQuery {
  std::size_t limit = 100;
  std::optional<std::string> after{};
};
/// `?limit=` (1 to 500) and `?after=`.
Result<PageQuery> ReadPageQuery(const http::Request& request);

}  // namespace atrium::identity
