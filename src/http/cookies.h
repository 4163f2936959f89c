// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace atrium::http {

struct Cookie {
  std::string name;
  std::string value;

  bool operator==(const Cookie&) const = default;
};

/// The cookies of one request. Of several under one name only the first is kept: browsers send the
/// one with the most specific path first.
struct Cookies {
  std::vector<Cookie> cookies;

  /// The view lives as long as this object is unchanged.
  std::optional<std::string_view> Find(std::string_view name) const;
};

struct CookieLimits {
  std::size_t cookies_max = 64;
  std::size_t bytes_max = std::size_t{16} << 10U;  ///< Of the header.
};

/// Reads a Cookie header. Never fails, since other programs on the same host set cookies too, and
/// theirs must not lock people out of ours: a pair that is not name=value in printable ASCII is
/// passed over, and so is everything past a limit. Quotes around a value are taken off.
Cookies ParseCookies(std::string_view header, const CookieLimits& limits = {});

enum class SameSite : std::uint8_t { kStrict, kLax, kNone };

/// A cookie to be set. The defaults are the careful ones.
struct SetCookie {
  std::string name;
  std::string value;
  std::string path = "/";
  /// nullopt: until the browser closes. Zero or less: the browser forgets the cookie now.
  std::optional<std::chrono::seconds> max_age = {};
  bool http_only = true;
  bool secure = true;
  SameSite same_site = SameSite::kLax;
};

/// The value of a Set-Cookie header (RFC 6265bis §4.1).
///
/// kInvalidArgument when a character of name, value or path could break out of its place, and for
/// what browsers would silently drop: SameSite=None or a __Secure- name without `secure`, a __Host-
/// name without `secure` or with another path than "/".
Result<std::string> RenderSetCookie(const SetCookie& cookie);

}  // namespace atrium::http
