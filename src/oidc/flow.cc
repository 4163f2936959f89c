// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "oidc/flow.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/describe/class.hpp>
#include <boost/url/encode.hpp>
#include <boost/url/rfc/unreserved_chars.hpp>
#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/base64.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/json_read.h"
#include "base/random.h"
#include "base/result.h"
#include "egress/http_sender.h"
#include "egress/message.h"
#include "oidc/claims.h"
#include "oidc/discovery.h"
#include "oidc/provider.h"

namespace atrium::oidc {

struct TokenAnswer {
  std::optional<std::string> id_token{};
  std::optional<std::string> access_token{};
};
BOOST_DESCRIBE_STRUCT(TokenAnswer, (), (id_token, access_token))

struct ErrorAnswer {
  std::string error{};
};
BOOST_DESCRIBE_STRUCT(ErrorAnswer, (), (error))

namespace {

constexpr std::size_t kAnswerBytesMax = std::size_t{256} << 10U;
constexpr std::chrono::seconds kTimeout{10};
constexpr int kOk = 200;
constexpr int kUnauthorized = 401;
constexpr int kForbidden = 403;
constexpr int kTooManyRequests = 429;
constexpr int kServerErrors = 500;

std::string Escape(std::string_view text) {
  return boost::urls::encode(text, boost::urls::unreserved_chars);
}

void AppendField(std::string& form, std::string_view name, std::string_view value) {
  if (!form.empty()) {
    form += '&';
  }
  form += name;
  form += '=';
  form += Escape(value);
}

void AppendUnlessEmpty(std::string& form, std::string_view name, std::string_view value) {
  if (!value.empty()) {
    AppendField(form, name, value);
  }
}

std::string JoinScopes(const Provider& provider) {
  std::string joined;
  for (const std::string& scope : provider.scopes) {
    joined += joined.empty() ? "" : " ";
    joined += scope;
  }
  return joined;
}

bool Supports(const Discovery& discovery, std::string_view method) {
  const auto& methods = discovery.token_endpoint_auth_methods_supported;
  return std::ranges::find(methods, method) != methods.end();
}

/// Lets the request say who we are, in one of the ways of RFC 6749 §2.3.1.
Result<void> Authenticate(egress::OutgoingRequest& request, const Discovery& discovery,
                          const Provider& provider) {
  if (provider.client_secret.empty()) {
    AppendField(request.body, "client_id", provider.client_id);
    return {};
  }
  if (Supports(discovery, "client_secret_basic")) {
    const std::string pair = Escape(provider.client_id) + ":" + Escape(provider.client_secret);
    request.secret_headers.push_back(
        {.name = "Authorization", .value = "Basic " + EncodeBase64(pair)});
    return {};
  }
  if (Supports(discovery, "client_secret_post")) {
    AppendField(request.body, "client_id", provider.client_id);
    AppendField(request.body, "client_secret", provider.client_secret);
    return {};
  }
  return Fail(ErrorCode::kInvalidArgument,
              "the identity provider accepts neither client_secret_basic nor client_secret_post");
}

/// The provider's own word for what went wrong, if it is one: it stands in logs and messages.
std::string ErrorWord(std::string_view body) {
  const Result<ErrorAnswer> answer = FromJson<ErrorAnswer>(body, {.unknown = OnUnknown::kIgnore});
  constexpr std::size_t kWordBytesMax = 64;
  const auto is_word = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  };
  if (!answer || answer->error.empty() || answer->error.size() > kWordBytesMax ||
      !std::ranges::all_of(answer->error, is_word)) {
    return "no reason given";
  }
  return answer->error;
}

std::unexpected<Error> Failed(const egress::OutgoingResponse& response) {
  if (response.status >= kServerErrors || response.status == kTooManyRequests) {
    return FailPrivately(ErrorCode::kUnavailable,
                         fmt::format("the identity provider answered {}", response.status));
  }
  return Fail(ErrorCode::kPermissionDenied,
              fmt::format("the identity provider refuses: {}", ErrorWord(response.body)));
}

Result<Tokens> ReadTokens(std::string_view body) {
  Result<TokenAnswer> answer = FromJson<TokenAnswer>(body, {.unknown = OnUnknown::kIgnore});
  if (!answer) {
    return FailPrivately(ErrorCode::kUnavailable,
                         "the identity provider's answer is not a token response");
  }
  if (!answer->id_token || answer->id_token->empty()) {
    return Fail(ErrorCode::kPermissionDenied, "the identity provider sent no ID token");
  }
  return Tokens{.id_token = *std::move(answer->id_token),
                .access_token = std::move(answer->access_token).value_or("")};
}

}  // namespace

Flow NewFlow() {
  return {.state = RandomToken(), .nonce = RandomToken(), .code_verifier = RandomToken()};
}

std::string AuthorizationUrl(const Discovery& discovery, const Provider& provider, const Flow& flow,
                             std::string_view redirect_uri, const AuthorizationOptions& options) {
  std::string query;
  AppendField(query, "response_type", "code");
  AppendField(query, "client_id", provider.client_id);
  AppendField(query, "redirect_uri", redirect_uri);
  AppendField(query, "scope", JoinScopes(provider));
  AppendField(query, "state", flow.state);
  AppendField(query, "nonce", flow.nonce);
  AppendField(query, "code_challenge", EncodeBase64Url(Sha256Of(flow.code_verifier)));
  AppendField(query, "code_challenge_method", "S256");
  AppendUnlessEmpty(query, "login_hint", options.login_hint);
  AppendUnlessEmpty(query, "prompt", options.prompt);
  if (options.max_age) {
    AppendField(query, "max_age", std::to_string(options.max_age->count()));
  }
  // An endpoint may have a query of its own, which stays (RFC 6749 §3.1).
  const bool has_query = discovery.authorization_endpoint.find('?') != std::string::npos;
  return discovery.authorization_endpoint + (has_query ? "&" : "?") + query;
}

Result<Tokens> Exchange(egress::HttpSender& sender, const Discovery& discovery,
                        const Provider& provider, const CodeExchange& exchange) {
  egress::OutgoingRequest request{
      .method = "POST",
      .url = discovery.token_endpoint,
      .headers = {{.name = "Content-Type", .value = "application/x-www-form-urlencoded"},
                  {.name = "Accept", .value = "application/json"}},
      .timeout = kTimeout,
      .response_bytes_max = kAnswerBytesMax,
      .retry = {.attempts_max = 1, .repeat = egress::Repeat::kNever}};
  AppendField(request.body, "grant_type", "authorization_code");
  AppendField(request.body, "code", exchange.code);
  AppendField(request.body, "redirect_uri", exchange.redirect_uri);
  AppendField(request.body, "code_verifier", exchange.code_verifier);
  RETURN_IF_ERROR(Authenticate(request, discovery, provider));
  const Result<egress::OutgoingResponse> response = sender.Send(request);
  if (!response) {
    return While("token endpoint", response.error());
  }
  if (response->status != kOk) {
    return Failed(*response);
  }
  return ReadTokens(response->body);
}

Result<Claims> FetchUserInfo(egress::HttpSender& sender, const Discovery& discovery,
                             const std::string& access_token, const Claims& known) {
  const Result<egress::OutgoingResponse> response =
      sender.Send({.method = "GET",
                   .url = discovery.userinfo_endpoint,
                   .headers = {{.name = "Accept", .value = "application/json"}},
                   .secret_headers = {{.name = "Authorization", .value = "Bearer " + access_token}},
                   .timeout = kTimeout,
                   .response_bytes_max = kAnswerBytesMax});
  if (!response) {
    return While("user info", response.error());
  }
  if (response->status == kUnauthorized || response->status == kForbidden) {
    return Fail(ErrorCode::kPermissionDenied,
                "the identity provider refuses to tell about the user");
  }
  if (response->status != kOk) {
    return FailPrivately(ErrorCode::kUnavailable,
                         fmt::format("the user info endpoint answered {}", response->status));
  }
  Result<Claims> claims = ReadUserInfo(response->body, known);
  if (!claims && claims.error().code == ErrorCode::kInvalidArgument) {
    // What the provider sends is not the mistake of whoever signs in.
    claims.error().code = ErrorCode::kUnavailable;
    claims.error().client_message.clear();
    return While("user info", std::move(claims).error());
  }
  return claims;
}

}  // namespace atrium::oidc
