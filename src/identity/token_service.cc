// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "identity/token_service.h"

#include <cstdlib>
#include <utility>

#include "base/utf8.h"
#include "identity/keys.h"
#include "identity/secret_token.h"

namespace atrium::identity {
namespace {

constexpr std::size_t kNameBytesMax = 200;
constexpr std::size_t kListed = 500;

TokenKind KindFor(TokenType type) {
  switch (type) {
    case TokenType::kApi:
      return TokenKind::kApi;
    case TokenType::kPersonal:
      return TokenKind::kPersonal;
    case TokenType::kAppPassword:
      return TokenKind::kAppPassword;
  }
  std::abort();  // Unreachable: -Wswitch keeps the list above complete.
}

/// API tokens are what file clients send, app passwords what calendar and file programs send.
std::vector<std::string> UsualScopes(TokenType type) {
  switch (type) {
    case TokenType::kApi:
      return {"account:read", "files:write"};
    case TokenType::kPersonal:
      return {"account:read"};
    case TokenType::kAppPassword:
      return {"account:read", "calendars:write", "files:write"};
  }
  std::abort();  // Unreachable: -Wswitch keeps the list above complete.
}

std::string TargetOfToken(const Token& token) {
  return "token:" + token.id;
}

}  // namespace

bool StillStands(const Token& token, const User& user) {
  return user.status == UserStatus::kActive && token.generation == user.generation &&
         token.session_generation.value_or(user.session_generation) == user.session_generation;
}

Result<MadeToken> TokenService::Compose(const User& user, const api::Scopes& held,
                                        const NewToken& wanted) const {
  if (wanted.name.empty() || wanted.name.size() > kNameBytesMax || !IsValidUtf8(wanted.name)) {
    return Fail(ErrorCode::kInvalidArgument, "name: 1 to 200 bytes of text");
  }
  const Instant now = ground_.clock.Now();
  if (wanted.expires_at && *wanted.expires_at <= now) {
    return Fail(ErrorCode::kInvalidArgument, "expires_at: in the past");
  }
  ASSIGN_OR_RETURN(const api::Scopes scopes,
                   api::Scopes::Parse(wanted.scopes.value_or(UsualScopes(wanted.type))));
  if (!held.Covers(scopes)) {
    return Fail(ErrorCode::kPermissionDenied, "scopes: more than this credential has itself");
  }
  NewSecret secret = MakeSecret(KindFor(wanted.type));
  return MadeToken{.secret = std::move(secret.text),
                   .token = {.hash = std::move(secret.hash),
                             .id = ground_.ids.NewUlid().Render(),
                             .type = wanted.type,
                             .org = user.org,
                             .user = user.id,
                             .name = wanted.name,
                             .scopes = scopes.Render(),
                             .created_at = now,
                             .expires_at = wanted.expires_at,
                             .generation = user.generation}};
}

void TokenService::AddLine(store::Batch& batch, const Actor& actor, const User& user,
                           const Token& made) const {
  AddAudit(batch, actor, made.created_at,
           {.org = user.org,
            .action = "token.created",
            .target = TargetOfToken(made),
            .detail = {{"name", made.name}, {"owner", user.email}}});
}

Result<MadeToken> TokenService::Create(const store::OpContext& op, const Actor& actor,
                                       const User& user, const api::Scopes& held,
                                       const NewToken& wanted) {
  ASSIGN_OR_RETURN(MadeToken made, Compose(user, held, wanted));
  store::Batch batch;
  batch.Create(Tokens(), made.token);
  AddLine(batch, actor, user, made.token);
  batch.SetAnswer({.status = 201, .body = R"({"id":")" + made.token.id + R"("})"});
  RETURN_IF_ERROR(ground_.store.Commit(op, std::move(batch)));
  return made;
}

Result<MadeToken> TokenService::MakeForDevice(const store::OpContext& op, store::Batch& batch,
                                              const Actor& actor, const User& user,
                                              const NewToken& wanted) {
  ASSIGN_OR_RETURN(MadeToken made, Compose(user, api::Scopes::All(), wanted));
  made.token.session_generation = user.session_generation;
  std::optional<store::Stored<Token>> before;
  // Without an end of its own it belongs to a device that can be told from others.
  if (!wanted.expires_at) {
    ASSIGN_OR_RETURN(before, FindNamed(op, user, wanted));
  }
  if (before) {
    made.token.id = before->record.id;
    batch.Replace(Tokens(), *before, made.token);
  } else {
    batch.Create(Tokens(), made.token);
  }
  AddLine(batch, actor, user, made.token);
  return made;
}

/// The newest that still stands.
Result<std::optional<store::Stored<Token>>> TokenService::FindNamed(const store::OpContext& op,
                                                                    const User& user,
                                                                    const NewToken& wanted) const {
  ASSIGN_OR_RETURN(const std::vector<Token> standing, List(op, user));
  for (const Token& token : standing) {
    if (token.name != wanted.name || token.type != wanted.type) {
      continue;
    }
    ASSIGN_OR_RETURN(auto found, store::Find(ground_.store, op, Tokens(), HashKey(token.hash)));
    if (found) {
      return found;
    }
  }
  return std::nullopt;
}

Result<std::vector<Token>> TokenService::List(const store::OpContext& op, const User& user) const {
  const std::string partition = PartitionOf(user.id);
  ASSIGN_OR_RETURN(auto page, store::List<Token>(ground_.store, op,
                                                 {.table = &kTokensByUser,
                                                  .partition = partition,
                                                  .limit = kListed,
                                                  .direction = store::Direction::kBackward}));
  std::vector<Token> standing;
  for (store::Stored<Token>& one : page.records) {
    if (StillStands(one.record, user)) {
      standing.push_back(std::move(one.record));
    }
  }
  return standing;
}

Result<void> TokenService::End(const store::OpContext& op, const Actor& actor, const User& user,
                               const std::string& id) {
  const std::string partition = PartitionOf(user.id);
  return store::RetryConflicts([&]() -> Result<void> {
    ASSIGN_OR_RETURN(const auto row,
                     ground_.store.Get(op, kTokensByUser, {.partition = partition, .sort = id}));
    if (!row) {
      return Fail(ErrorCode::kNotFound, "there is no such token");
    }
    ASSIGN_OR_RETURN(const auto listed, store::DecodeRecord<Token>(row->document, row->version));
    ASSIGN_OR_RETURN(const auto token,
                     store::Find(ground_.store, op, Tokens(), HashKey(listed.record.hash)));
    if (!token) {
      return Fail(ErrorCode::kNotFound, "there is no such token");
    }
    store::Batch batch;
    batch.Erase(Tokens(), *token);
    AddAudit(batch, actor, ground_.clock.Now(),
             {.org = user.org,
              .action = "token.ended",
              .target = TargetOfToken(token->record),
              .detail = {{"name", token->record.name}, {"owner", user.email}}});
    RETURN_IF_ERROR(ground_.store.Commit(op, std::move(batch)));
    return {};
  });
}

}  // namespace atrium::identity
