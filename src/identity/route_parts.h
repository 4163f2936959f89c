// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "api/api.h"
#include "api/route_parts.h"
#include "base/result.h"
#include "http/reply.h"
#include "http/request.h"
#include "http/route.h"
#include "identity/identity.h"
#include "identity/records.h"
#include "identity/session_service.h"

namespace atrium::identity {

// What the routes of the room share.

using api::kBodyBytesMax;
using api::PageQuery;
using api::ReadPageQuery;
using api::RouteOf;
using api::Tagged;

/// A route for what can be used for guessing: blocking, and counted more strictly.
http::Route GuessableRoute(http::Method method, std::string path, const http::AccessRule& access,
                           std::string summary);

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

}  // namespace atrium::identity
