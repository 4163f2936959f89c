// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/cookies.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/result.h"
#include "http/grammar.h"
#include "http/headers.h"

namespace atrium::http {
namespace {

bool IsPrintable(char c) {
  return c >= 0x20 && c < 0x7F;
}

/// cookie-octet of RFC 6265bis §4.1.1: what every browser gives back unchanged.
bool IsCookieOctet(char c) {
  return IsPrintable(c) && c != ' ' && c != '"' && c != ',' && c != ';' && c != '\\';
}

bool IsPathChar(char c) {
  return IsPrintable(c) && c != ';';
}

std::string_view WithoutQuotes(std::string_view value) {
  if (value.size() >= 2 && value.starts_with('"') && value.ends_with('"')) {
    return value.substr(1, value.size() - 2);
  }
  return value;
}

std::optional<Cookie> ParsePair(std::string_view pair) {
  const std::size_t equals = pair.find('=');
  if (equals == std::string_view::npos) {
    return std::nullopt;
  }
  const std::string_view name = TrimSpace(pair.substr(0, equals));
  const std::string_view value = WithoutQuotes(TrimSpace(pair.substr(equals + 1)));
  if (!IsToken(name) || !std::ranges::all_of(value, IsPrintable)) {
    return std::nullopt;
  }
  return Cookie{.name = std::string(name), .value = std::string(value)};
}

/// Only the pairs that lie in the first `bytes_max` bytes whole: half a value is not a value.
std::string_view WholePairs(std::string_view header, std::size_t bytes_max) {
  if (header.size() <= bytes_max) {
    return header;
  }
  const std::size_t end = header.substr(0, bytes_max + 1).rfind(';');
  return header.substr(0, end == std::string_view::npos ? 0 : end);
}

Result<void> CheckCharacters(const SetCookie& cookie) {
  if (!IsToken(cookie.name)) {
    return Fail(ErrorCode::kInvalidArgument, "cookie name that is not a token");
  }
  if (!std::ranges::all_of(cookie.value, IsCookieOctet)) {
    return Fail(ErrorCode::kInvalidArgument, "character that a cookie value cannot hold");
  }
  if (!cookie.path.starts_with('/') || !std::ranges::all_of(cookie.path, IsPathChar)) {
    return Fail(ErrorCode::kInvalidArgument, "cookie path that is not a plain absolute path");
  }
  return {};
}

bool HasPrefix(std::string_view name, std::string_view prefix) {
  return EqualsIgnoringCase(name.substr(0, prefix.size()), prefix);
}

Result<void> CheckBrowserRules(const SetCookie& cookie) {
  const bool host_bound = HasPrefix(cookie.name, "__Host-");
  const bool must_be_secure =
      host_bound || HasPrefix(cookie.name, "__Secure-") || cookie.same_site == SameSite::kNone;
  if (must_be_secure && !cookie.secure) {
    return Fail(ErrorCode::kInvalidArgument, "cookie that browsers take only with Secure");
  }
  if (host_bound && cookie.path != "/") {
    return Fail(ErrorCode::kInvalidArgument, "__Host- cookie with a path");
  }
  return {};
}

std::string_view Name(SameSite same_site) {
  switch (same_site) {
    case SameSite::kStrict:
      return "Strict";
    case SameSite::kLax:
      return "Lax";
    case SameSite::kNone:
      return "None";
  }
  std::abort();  // Unreachable: -Wswitch keeps the list above complete.
}

}  // namespace

std::optional<std::string_view> Cookies::Find(std::string_view name) const {
  const auto found = std::ranges::find(cookies, name, &Cookie::name);
  if (found == cookies.end()) {
    return std::nullopt;
  }
  return found->value;
}

Cookies ParseCookies(std::string_view header, const CookieLimits& limits) {
  Cookies parsed;
  std::string_view rest = WholePairs(header, limits.bytes_max);
  while (!rest.empty() && parsed.cookies.size() < limits.cookies_max) {
    std::optional<Cookie> cookie = ParsePair(TakeUntil(rest, ';'));
    if (cookie && !parsed.Find(cookie->name)) {
      parsed.cookies.push_back(*std::move(cookie));
    }
  }
  return parsed;
}

Result<std::string> RenderSetCookie(const SetCookie& cookie) {
  RETURN_IF_ERROR(CheckCharacters(cookie));
  RETURN_IF_ERROR(CheckBrowserRules(cookie));
  std::string text = cookie.name + "=" + cookie.value + "; Path=" + cookie.path;
  if (cookie.max_age) {
    const auto age = std::max(*cookie.max_age, std::chrono::seconds{0});
    text += "; Max-Age=" + std::to_string(age.count());
  }
  if (cookie.http_only) {
    text += "; HttpOnly";
  }
  if (cookie.secure) {
    text += "; Secure";
  }
  text += "; SameSite=";
  text += Name(cookie.same_site);
  return text;
}

}  // namespace atrium::http
