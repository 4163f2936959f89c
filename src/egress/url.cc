// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "egress/url.h"

#include <curl/curl.h>
#include <curl/urlapi.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "base/error.h"
#include "base/result.h"

namespace atrium::egress {
namespace {

struct FreeHandle {
  void operator()(CURLU* handle) const { curl_url_cleanup(handle); }
};
using Handle = std::unique_ptr<CURLU, FreeHandle>;

std::unexpected<Error> BadUrl(std::string_view why) {
  return Fail(ErrorCode::kInvalidArgument, "the URL cannot be called: " + std::string(why));
}

std::optional<std::string> FindPart(CURLU* handle, CURLUPart part, unsigned flags) {
  char* text = nullptr;
  if (curl_url_get(handle, part, &text, flags) != CURLUE_OK) {
    return std::nullopt;
  }
  std::string copy(text);
  curl_free(text);
  return copy;
}

Result<void> SetUrl(CURLU* handle, std::string_view text) {
  if (text.contains('\0')) {
    return BadUrl("it contains a zero byte");
  }
  const CURLUcode code =
      curl_url_set(handle, CURLUPART_URL, std::string(text).c_str(), CURLU_DISALLOW_USER);
  if (code == CURLUE_USER_NOT_ALLOWED) {
    return BadUrl("it carries a user name or a password");
  }
  if (code == CURLUE_UNSUPPORTED_SCHEME) {
    return BadUrl("only http and https are supported");
  }
  if (code != CURLUE_OK) {
    return BadUrl(curl_url_strerror(code));
  }
  return {};
}

bool IsAscii(char c) {
  return static_cast<unsigned char>(c) < 0x80;
}

std::string Lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](char c) {
    return 'A' <= c && c <= 'Z' ? static_cast<char>(c + 32) : c;
  });
  return text;
}

std::string WithoutBrackets(const std::string& host) {
  return host.starts_with('[') ? host.substr(1, host.size() - 2) : host;
}

Result<Scheme> SchemeOf(CURLU* handle) {
  const auto scheme = FindPart(handle, CURLUPART_SCHEME, 0);
  if (scheme == "https") {
    return Scheme::kHttps;
  }
  if (scheme == "http") {
    return Scheme::kHttp;
  }
  return BadUrl("only http and https are supported");
}

Result<std::uint16_t> PortOf(CURLU* handle) {
  const std::string text = FindPart(handle, CURLUPART_PORT, CURLU_DEFAULT_PORT).value_or("");
  std::uint16_t port = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (failure != std::errc() || end != text.data() + text.size() || port == 0) {
    return BadUrl("the port is not between 1 and 65535");
  }
  return port;
}

Result<Url> Read(CURLU* handle) {
  ASSIGN_OR_RETURN(const Scheme scheme, SchemeOf(handle));
  ASSIGN_OR_RETURN(const std::uint16_t port, PortOf(handle));
  if (FindPart(handle, CURLUPART_ZONEID, 0)) {
    return BadUrl("an IPv6 zone means nothing to another machine");
  }
  const std::string host = FindPart(handle, CURLUPART_HOST, 0).value_or("");
  if (host.empty() || !std::ranges::all_of(host, IsAscii)) {
    // The library would convert by the locale of the process, which a server does not have.
    return BadUrl("the host name must be written in ASCII (xn--...)");
  }
  const std::string lower = Lower(host);
  curl_url_set(handle, CURLUPART_HOST, lower.c_str(), 0);
  curl_url_set(handle, CURLUPART_FRAGMENT, nullptr, 0);
  return Url{.text = FindPart(handle, CURLUPART_URL, 0).value_or(""),
             .scheme = scheme,
             .host = WithoutBrackets(lower),
             .port = port};
}

}  // namespace

Result<Url> ParseUrl(std::string_view text) {
  const Handle handle(curl_url());
  RETURN_IF_ERROR(SetUrl(handle.get(), text));
  return Read(handle.get());
}

Result<Url> ResolveReference(const Url& base, std::string_view reference) {
  const Handle handle(curl_url());
  RETURN_IF_ERROR(SetUrl(handle.get(), base.text));
  RETURN_IF_ERROR(SetUrl(handle.get(), reference));
  return Read(handle.get());
}

bool SameOrigin(const Url& a, const Url& b) {
  return a.scheme == b.scheme && a.host == b.host && a.port == b.port;
}

std::string RenderOrigin(const Url& url) {
  const std::string host = url.host.contains(':') ? "[" + url.host + "]" : url.host;
  const char* scheme = url.scheme == Scheme::kHttps ? "https://" : "http://";
  return scheme + host + ":" + std::to_string(url.port);
}

}  // namespace atrium::egress
