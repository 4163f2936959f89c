// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "identity/route_parts.h"

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/caller.h"
#include "base/json_write.h"
#include "http/cookies.h"
#include "http/method.h"
#include "identity/email_address.h"

namespace atrium::identity {
namespace {

void AddCookie(http::Reply& reply, const http::Request& request, std::string value,
               std::chrono::seconds max_age) {
  const Result<std::string> cookie =
      http::RenderSetCookie({.name = std::string(SessionCookieOf(request)),
                             .value = std::move(value),
                             .max_age = max_age,
                             .secure = request.scheme == http::Scheme::kHttps});
  if (cookie) {
    reply.headers.emplace_back("Set-Cookie", *cookie);
  }
}

/// RFC 9457, as the edge makes them, with what a page needs in order to ask for the proof.
struct ProofProblem {
  std::string type = "about:blank";
  std::string title = "Forbidden";
  int status = 403;
  std::string code = "recent_proof_required";
  std::string detail = "prove who you are first: it was too long ago";
  std::vector<std::string> methods{};
  std::string request_id{};
};
BOOST_DESCRIBE_STRUCT(ProofProblem, (), (type, title, status, code, detail, methods, request_id))

struct SignedIn {
  std::string session_id{};
  Instant expires_at{};
};
BOOST_DESCRIBE_STRUCT(SignedIn, (), (session_id, expires_at))

}  // namespace

http::Route GuessableRoute(http::Method method, std::string path, const http::AccessRule& access,
                           std::string summary) {
  return {.method = method,
          .path = std::move(path),
          .access = access,
          .work = http::Work::kBlocking,
          .summary = std::move(summary),
          .body_bytes_max = http::IsSafe(method) ? 0 : kBodyBytesMax,
          .rate = http::RateClass::kCredential};
}

void SetSessionCookie(http::Reply& reply, const http::Request& request, const OpenedSession& opened,
                      Instant now) {
  AddCookie(reply, request, opened.secret,
            std::chrono::duration_cast<std::chrono::seconds>(opened.session.expires_at - now));
}

void ClearSessionCookie(http::Reply& reply, const http::Request& request) {
  AddCookie(reply, request, "", std::chrono::seconds(0));
}

http::Reply SignedInReply(const http::Request& request, const OpenedSession& opened, Instant now,
                          int status) {
  http::Reply reply = http::JsonReply(
      ToJson(SignedIn{.session_id = opened.secret, .expires_at = opened.session.expires_at}),
      status);
  SetSessionCookie(reply, request, opened, now);
  return reply;
}

Result<std::optional<http::Reply>> AskForProof(Identity& room, const api::Call& call) {
  const api::Caller& caller = api::CallerOf(call.request);
  ASSIGN_OR_RETURN(const bool has, room.proof.Has(call.op, caller));
  if (has) {
    return std::nullopt;
  }
  ASSIGN_OR_RETURN(const auto user, room.accounts.Load(call.op, *caller.user));
  ASSIGN_OR_RETURN(std::vector<std::string> methods, room.proof.MethodsOf(call.op, user.record));
  return http::Reply{.status = 403,
                     .content_type = "application/problem+json",
                     .body = ToJson(ProofProblem{.methods = std::move(methods),
                                                 .request_id = std::string(call.request.id)})};
}

Result<OrgId> OrgFor(const api::Call& call) {
  const api::Caller& caller = api::CallerOf(call.request);
  ASSIGN_OR_RETURN(const http::Form query, call.request.Query());
  const auto named = query.Find("org");
  if (!named) {
    return caller.org;
  }
  ASSIGN_OR_RETURN(const OrgId org, OrgId::Parse(*named));
  if (org != caller.org && caller.role != Role::kSuperadmin) {
    return Fail(ErrorCode::kPermissionDenied, "org: only superadmins look after others");
  }
  return org;
}

Result<store::Stored<User>> AccountFor(Identity& room, const api::Call& call) {
  const api::Caller& caller = api::CallerOf(call.request);
  if (!caller.IsOperator()) {
    return room.accounts.Load(call.op, *caller.user);
  }
  ASSIGN_OR_RETURN(const http::Form query, call.request.Query());
  const auto named = query.Find("user");
  if (!named) {
    return Fail(ErrorCode::kInvalidArgument, "user: say whose account this is about");
  }
  if (const Result<UserId> id = UserId::Parse(*named)) {
    return room.accounts.Load(call.op, *id);
  }
  ASSIGN_OR_RETURN(const EmailAddress email, EmailAddress::Parse(*named));
  ASSIGN_OR_RETURN(auto found, room.accounts.FindByEmail(call.op, email.Text()));
  if (!found) {
    return Fail(ErrorCode::kNotFound, "there is nobody with this address");
  }
  return *std::move(found);
}

}  // namespace atrium::identity
