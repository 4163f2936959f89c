// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/caller.h"
#include "base/json_write.h"
#include "http/json_body.h"
#include "identity/identity.h"
#include "identity/route_parts.h"
#include "identity/routes.h"

namespace atrium::identity {
namespace {

using api::Call;
using http::Method;
using http::Reply;

constexpr std::size_t kExportLines = 10'000;

/// A token as its owner sees it.
struct TokenView {
  std::string id{};
  /// The secret, in the reply to its making alone.
  std::optional<std::string> token{};
  TokenType type = TokenType::kPersonal;
  std::string name{};
  std::vector<std::string> scopes{};
  Instant created_at{};
  std::optional<Instant> expires_at{};
  std::optional<Instant> last_used_at{};
  std::string last_address{};
};
BOOST_DESCRIBE_STRUCT(TokenView, (),
                      (id, token, type, name, scopes, created_at, expires_at, last_used_at,
                       last_address))

struct TokenList {
  std::vector<TokenView> tokens{};
};
BOOST_DESCRIBE_STRUCT(TokenList, (), (tokens))

TokenView ViewOf(const Token& token) {
  return {.id = token.id,
          .type = token.type,
          .name = token.name,
          .scopes = token.scopes,
          .created_at = token.created_at,
          .expires_at = token.expires_at,
          .last_used_at = token.last_used_at,
          .last_address = token.last_address};
}

Result<Reply> ListTokens(Identity& room, const Call& call) {
  ASSIGN_OR_RETURN(const auto user, AccountFor(room, call));
  ASSIGN_OR_RETURN(const std::vector<Token> tokens, room.tokens.List(call.op, user.record));
  TokenList list;
  for (const Token& token : tokens) {
    list.tokens.push_back(ViewOf(token));
  }
  return http::JsonReply(ToJson(list));
}

Result<Reply> CreateToken(Identity& room, const Call& call) {
  ASSIGN_OR_RETURN(const NewToken wanted,
                   http::JsonBody<NewToken>(call.request, {.missing = OnMissing::kKeepDefault}));
  ASSIGN_OR_RETURN(const auto user, AccountFor(room, call));
  ASSIGN_OR_RETURN(MadeToken made, room.tokens.Create(call.op, ActorOf(call.request), user.record,
                                                      api::CallerOf(call.request).scopes, wanted));
  TokenView view = ViewOf(made.token);
  view.token = std::move(made.secret);
  return http::JsonReply(ToJson(view), 201);
}

Result<Reply> EndToken(Identity& room, const Call& call, const std::string& id) {
  ASSIGN_OR_RETURN(const auto user, AccountFor(room, call));
  RETURN_IF_ERROR(room.tokens.End(call.op, ActorOf(call.request), user.record, id));
  return http::EmptyReply();
}

Result<AuditFilter> ReadFilter(const http::Form& query) {
  const auto text = [&](std::string_view name) {
    return std::string(query.Find(name).value_or(""));
  };
  AuditFilter filter{.actor = text("actor"), .action = text("action"), .target = text("target")};
  ASSIGN_OR_RETURN(filter.from, api::ReadInstant(query, "from"));
  ASSIGN_OR_RETURN(filter.to, api::ReadInstant(query, "to"));
  return filter;
}

Result<Reply> ShowAudit(Identity& room, const Call& call) {
  ASSIGN_OR_RETURN(const OrgId org, OrgFor(call));
  ASSIGN_OR_RETURN(const PageQuery page, ReadPageQuery(call.request));
  ASSIGN_OR_RETURN(const http::Form query, call.request.Query());
  ASSIGN_OR_RETURN(const auto before, api::ReadNumber(query, "before"));
  ASSIGN_OR_RETURN(AuditFilter filter, ReadFilter(query));
  ASSIGN_OR_RETURN(
      const AuditPage found,
      ReadAudit(room.ground.store, call.op,
                {.org = org, .before = before, .limit = page.limit, .filter = std::move(filter)}));
  std::string json = R"({"lines":)" + found.lines;
  if (found.before) {
    json += R"(,"before":)" + std::to_string(*found.before);
  }
  return http::JsonReply(json + "}");
}

Result<Reply> ExportLines(Identity& room, const Call& call) {
  ASSIGN_OR_RETURN(const OrgId org, OrgFor(call));
  ASSIGN_OR_RETURN(const http::Form query, call.request.Query());
  ASSIGN_OR_RETURN(const auto after, api::ReadNumber(query, "after"));
  ASSIGN_OR_RETURN(AuditFilter filter, ReadFilter(query));
  ASSIGN_OR_RETURN(AuditLines lines, ExportAudit(room.ground.store, call.op,
                                                 {.org = org,
                                                  .after = after.value_or(0),
                                                  .limit = kExportLines,
                                                  .filter = std::move(filter)}));
  Reply reply{.content_type = "application/x-ndjson", .body = std::move(lines.text)};
  if (lines.after) {
    reply.headers.emplace_back("Atrium-After", std::to_string(*lines.after));
  }
  return reply;
}

}  // namespace

void AddTokenRoutes(api::Api& api, Identity& room) {
  const http::AccessRule& self = room.Rules().Self();
  api.Add(api::ListRoute("/api/tokens", self, "One's tokens and app passwords"),
          [&room](const Call& call) { return ListTokens(room, call); });
  api.Add(RouteOf(Method::kPost, "/api/tokens", self, "Make a token or an app password"),
          WithProof(room, CreateToken));
  api.Add(RouteOf(Method::kDelete, "/api/tokens/{id}", self, "End a token"),
          WithProof(room, EndToken));
  const http::AccessRule& admin = room.Rules().Admin();
  http::Route some = RouteOf(Method::kGet, "/api/audit", admin, "Who did what, newest first");
  // With a filter, thousands of lines are looked at.
  some.work = http::Work::kBlocking;
  api.Add(std::move(some), [&room](const Call& call) { return ShowAudit(room, call); });
  http::Route all = RouteOf(Method::kGet, "/api/audit/export", admin, "The same as lines of JSON");
  all.work = http::Work::kBlocking;
  all.rate = http::RateClass::kCostly;
  api.Add(std::move(all), [&room](const Call& call) { return ExportLines(room, call); });
}

}  // namespace atrium::identity
