// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/cookies.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/check.h"
#include "base/result.h"
#include "fuzz/fuzzing.h"
#include "http/grammar.h"

namespace atrium::fuzz {
namespace {

using http::Cookie;
using http::Cookies;

bool IsPrintable(char c) {
  return c >= 0x20 && c < 0x7F;
}

void CheckParsed(const Cookies& cookies, std::string_view header) {
  std::size_t bytes = 0;
  for (const Cookie& cookie : cookies.cookies) {
    Check(http::IsToken(cookie.name), "cookie names are tokens");
    Check(std::ranges::all_of(cookie.value, IsPrintable), "cookie values are printable");
    Check(std::ranges::count(cookies.cookies, cookie.name, &Cookie::name) == 1, "names are unique");
    Check(cookies.Find(cookie.name) == cookie.value, "every cookie is found");
    bytes += cookie.name.size() + cookie.value.size();
  }
  Check(bytes <= header.size(), "reading does not grow");
}

void CheckRendered(const http::SetCookie& cookie) {
  const Result<std::string> rendered = http::RenderSetCookie(cookie);
  if (!rendered) {
    return;
  }
  Check(std::ranges::all_of(*rendered, IsPrintable), "nothing breaks out of the header");
  Check(std::ranges::count(*rendered, ';') == 4, "exactly our own attributes");
  // A browser sends back what stands before the first semicolon.
  const Cookies back = http::ParseCookies(rendered->substr(0, rendered->find(';')));
  Check(back.cookies.size() == 1 && back.Find(cookie.name) == cookie.value, "cookies come back");
}

}  // namespace

/// The Cookie header on the first line; on the next three name, value and path of one to be set.
void TryInput(std::string_view input) {
  std::string_view rest = input;
  const std::string_view header = TakeLine(rest);
  CheckParsed(http::ParseCookies(header), header);
  CheckParsed(http::ParseCookies(input), input);
  const http::CookieLimits small{.cookies_max = 2, .bytes_max = 20};
  Check(http::ParseCookies(input, small).cookies.size() <= small.cookies_max, "limits are kept");

  http::SetCookie cookie;
  cookie.name = TakeLine(rest);
  cookie.value = TakeLine(rest);
  cookie.path = rest;
  if (cookie.value.size() < http::CookieLimits().bytes_max / 2 && cookie.name.size() < 100) {
    CheckRendered(cookie);
  }
}

}  // namespace atrium::fuzz
