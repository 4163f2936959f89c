// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <utility>

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

/// What is to be said to somebody who has not proved lately who they are: 403 with the code
/// "recent_proof_required" and the methods that there are. Nullopt: they have. kPermissionDenied
/// for a token, which never does.
Result<std::optional<http::Reply>> AskForProof(Identity& room, const api::Call& call);

/// A handler for what a stolen session must not do: it is called when there is a recent proof.
using Handler = Result<http::Reply> (*)(Identity&, const api::Call&);
using NamedHandler = Result<http::Reply> (*)(Identity&, const api::Call&, const std::string&);
inline auto WithProof(Identity& room, Handler handle) {
  return [&room, handle](const api::Call& call) -> Result<http::Reply> {
    ASSIGN_OR_RETURN(std::optional<http::Reply> question, AskForProof(room, call));
    return question ? Result<http::Reply>(*std::move(question)) : handle(room, call);
  };
}
inline auto WithProof(Identity& room, NamedHandler handle) {
  return [&room, handle](const api::Call& call, const std::string& name) -> Result<http::Reply> {
    ASSIGN_OR_RETURN(std::optional<http::Reply> question, AskForProof(room, call));
    return question ? Result<http::Reply>(*std::move(question)) : handle(room, call, name);
  };
}

/// The same for administrators, about others: a session needs a recent proof; a token that was made
/// for administration needs none, because programs administer, too. What no token may do to whom is
/// decided where it is done, by CheckMayEmpower().
template <typename Act>
Result<http::Reply> ForAdministrator(Identity& room, const api::Call& call, const Act& act) {
  if (api::CallerOf(call.request).credential == api::Credential::kSession) {
    ASSIGN_OR_RETURN(std::optional<http::Reply> question, AskForProof(room, call));
    if (question) {
      return *std::move(question);
    }
  }
  return act();
}

/// Whose account a request is about: the caller's own, or, for the operator alone, the one that
/// `?user=` names by address or id.
Result<store::Stored<User>> AccountFor(Identity& room, const api::Call& call);

}  // namespace atrium::identity
