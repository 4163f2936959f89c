// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "api/caller.h"
#include "base/json_write.h"
#include "base/utf8.h"
#include "http/json_body.h"
#include "identity/identity.h"
#include "identity/route_parts.h"
#include "identity/routes.h"
#include "store/once_only.h"

namespace atrium::identity {
namespace {

using api::Call;
using http::Method;
using http::Reply;

constexpr std::size_t kNameBytesMax = 150;
/// Of tokens that no device can be told by.
constexpr std::chrono::days kNamelessKept{30};

/// What clients of Seafile send to sign in.
struct ClientSignIn {
  std::string username{};
  std::string password{};
  std::optional<std::string> platform{};
  std::optional<std::string> device_id{};
  std::optional<std::string> device_name{};
};
BOOST_DESCRIBE_STRUCT(ClientSignIn, (), (username, password, platform, device_id, device_name))

struct TokenAnswer {
  std::string token{};
};
BOOST_DESCRIBE_STRUCT(TokenAnswer, (), (token))

std::optional<std::string> TextIn(const http::Form& form, std::string_view name) {
  const auto text = form.Find(name);
  return text ? std::optional(std::string(*text)) : std::nullopt;
}

Result<ClientSignIn> ReadSignIn(const http::Request& request) {
  if (request.ExpectJson()) {
    return FromJson<ClientSignIn>(request.body, {.unknown = OnUnknown::kIgnore});
  }
  ASSIGN_OR_RETURN(const http::Form form, request.FormBody());
  return ClientSignIn{.username = TextIn(form, "username").value_or(""),
                      .password = TextIn(form, "password").value_or(""),
                      .platform = TextIn(form, "platform"),
                      .device_id = TextIn(form, "device_id"),
                      .device_name = TextIn(form, "device_name")};
}

bool HasDevice(const ClientSignIn& given) {
  return given.device_id && !given.device_id->empty();
}

/// What its owner reads in the list of tokens.
std::string NameOf(const ClientSignIn& given) {
  const std::string name = given.device_name.value_or("");
  std::string shown(TruncateUtf8(name.empty() ? "File client" : name, kNameBytesMax));
  if (HasDevice(given)) {
    shown.append(" (").append(TruncateUtf8(*given.device_id, 40)).append(")");
  }
  return shown;
}

/// As these clients read it.
Reply Refusal(const Error& error) {
  Reply reply = http::JsonReply(
      R"({"non_field_errors": ["Unable to login with provided credentials."]})", 400);
  if (error.client_message.starts_with("otp:")) {
    reply.headers.emplace_back("X-Seafile-OTP", "required");
  }
  return reply;
}

Result<std::string> OpenFor(Identity& room, const Call& call, const ClientSignIn& given,
                            const Proven& proven) {
  const Actor actor = ActorOf(call.request);
  const User& user = proven.user.record;
  NewToken wanted{.name = NameOf(given), .type = TokenType::kApi};
  if (!HasDevice(given)) {
    wanted.expires_at = room.ground.clock.Now() + kNamelessKept;
  }
  store::Batch batch;
  ASSIGN_OR_RETURN(MadeToken made, room.tokens.MakeForDevice(call.op, batch, actor, user, wanted));
  RETURN_IF_ERROR(room.sign_in.CommitProven(call.op, std::move(batch), proven));
  return std::move(made.secret);
}

Result<Reply> SignInClient(Identity& room, const Call& call) {
  ASSIGN_OR_RETURN(const ClientSignIn given, ReadSignIn(call.request));
  ASSIGN_OR_RETURN(const Door door, room.DoorOf(call.request));
  PasswordSignIn pair{.email = given.username, .password = given.password};
  if (const auto otp = call.request.headers.Find("X-Seafile-OTP")) {
    pair.otp = std::string(*otp);
  }
  const Result<Proven> proven = room.sign_in.ProvePassword(store::Unnamed(call.op), door, pair);
  if (!proven && proven.error().code == ErrorCode::kUnauthenticated) {
    return Refusal(proven.error());
  }
  RETURN_IF_ERROR(proven);
  ASSIGN_OR_RETURN(std::string token, OpenFor(room, call, given, *proven));
  return http::JsonReply(ToJson(TokenAnswer{.token = std::move(token)}));
}

}  // namespace

void AddClientRoutes(api::Api& api, Identity& room) {
  api.Add(GuessableRoute(Method::kPost, "/api2/auth-token", room.Rules().Public(),
                         "Sign in as clients of Seafile do"),
          [&room](const Call& call) { return SignInClient(room, call); });
}

}  // namespace atrium::identity
