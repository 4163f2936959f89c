// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/config_texts.h"

#include <algorithm>
#include <boost/url/parse.hpp>
#include <boost/url/scheme.hpp>
#include <boost/url/url_view.hpp>
#include <cstddef>

#include "app/config_values.h"
#include "base/result.h"
#include "base/utf8.h"

namespace atrium::app {
namespace {

namespace urls = boost::urls;

constexpr std::size_t kTextBytesMax = 4096;

bool IsControl(char byte) {
  return static_cast<unsigned char>(byte) < 0x20 || byte == 0x7F;
}

// Not port_number(): it answers a number for text that overflows it.
bool HasGoodPort(const urls::url_view& url) {
  return WholeNumber{.min = 1, .max = 65535}.Parse(url.port()).has_value();
}

/// The parts that every URL of ours must have, and must not.
bool IsPlainWebUrl(const urls::url_view& url) {
  const bool web = url.scheme_id() == urls::scheme::http || url.scheme_id() == urls::scheme::https;
  return web && !url.host().empty() && !url.has_userinfo() && !url.has_query() &&
         !url.has_fragment() && (!url.has_port() || HasGoodPort(url));
}

bool IsLowerCase(std::string_view text) {
  return std::ranges::none_of(text, [](char byte) { return byte >= 'A' && byte <= 'Z'; });
}

bool IsOrigin(std::string_view text) {
  const auto url = urls::parse_uri(text);
  return url && IsPlainWebUrl(*url) && url->path().empty() && IsLowerCase(text);
}

bool IsProxyUrl(std::string_view text) {
  const auto url = urls::parse_uri(text);
  return text.empty() || (url && IsPlainWebUrl(*url) && url->has_port() && url->path().empty());
}

bool IsHost(std::string_view text) {
  return text.empty() || ParseIpAddress(text) ||
         (text.size() <= 253 &&
          text.find_first_not_of(
              "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-") ==
              std::string_view::npos &&
          text.front() != '.' && text.front() != '-');
}

/// What can stand in an SMTP envelope without quotes.
bool IsMailAddress(std::string_view text) {
  const std::size_t at = text.find('@');
  return text.size() <= 254 && at != std::string_view::npos && at > 0 && at + 1 < text.size() &&
         text.find('@', at + 1) == std::string_view::npos &&
         text.find_first_of("\"(),:;<>[\\]") == std::string_view::npos &&
         std::ranges::all_of(text, [](char letter) { return letter > ' ' && letter < 0x7F; });
}

bool IsMailbox(std::string_view text) {
  if (text.empty() || IsMailAddress(text)) {
    return true;
  }
  const std::size_t open = text.find(" <");
  return open != std::string_view::npos && open > 0 && text.ends_with('>') &&
         text.substr(0, open).find_first_of("\"<>") == std::string_view::npos &&
         IsMailAddress(text.substr(open + 2, text.size() - open - 3));
}

bool IsSecretKey(std::string_view text) {
  return text.size() == 64 &&
         text.find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos;
}

}  // namespace

std::optional<std::string> Text::Parse(std::string_view text) const {
  const bool one_line = text.size() <= kTextBytesMax && std::ranges::none_of(text, IsControl);
  if (!one_line || !IsValidUtf8(text) || !accepts(text)) {
    return std::nullopt;
  }
  return std::string(text);
}

Text Path() {
  return {.expectation = "a path", .accepts = [](std::string_view text) { return !text.empty(); }};
}

Text PathOrEmpty() {
  return {.expectation = "a path, or \"\" for none",
          .accepts = [](std::string_view) { return true; }};
}

std::optional<IpAddress> ListenAddress::Parse(std::string_view text) const {
  const Result<IpAddress> address = ParseIpAddress(text);
  return address ? std::optional(*address) : std::nullopt;
}

std::optional<Network> AddressBlock::Parse(std::string_view text) const {
  const Result<Network> network = ParseNetwork(text);
  return network ? std::optional(*network) : std::nullopt;
}

Text WebOrigin() {
  return {
      .expectation = "an origin such as \"https://example.org\", in lower case and without a path",
      .accepts = IsOrigin};
}

Text ProxyUrlOrEmpty() {
  return {.expectation =
              "a proxy such as \"http://proxy.example.org:3128\" without a user, or \"\" for none",
          .accepts = IsProxyUrl};
}

Text LineOrEmpty() {
  return {.expectation = "one line of text", .accepts = [](std::string_view) { return true; }};
}

Text HostOrEmpty() {
  return {.expectation = "a host name or an IP address, without a port, or \"\" for none",
          .accepts = IsHost};
}

Text HostName() {
  return {.expectation = "a host name in lower case, without a port",
          .accepts = [](std::string_view text) {
            return !text.empty() && IsHost(text) && IsLowerCase(text);
          }};
}

Text MailboxOrEmpty() {
  return {.expectation = "a sender such as \"Atrium <atrium@example.org>\", or \"\" for none",
          .accepts = IsMailbox};
}

Text Password() {
  return {.expectation = "one line of text that is not empty",
          .accepts = [](std::string_view text) { return !text.empty(); }};
}

std::optional<std::string> PublicUrl::Parse(std::string_view text) const {
  if (text.empty()) {
    return std::string();
  }
  const auto url = urls::parse_uri(text);
  if (text.size() > kTextBytesMax || !url || !IsPlainWebUrl(*url) ||
      (!url->path().empty() && url->path() != "/")) {
    return std::nullopt;
  }
  return std::string(text.substr(0, text.size() - url->path().size()));
}

Text ServerSecret() {
  return {.expectation = "64 hexadecimal digits", .accepts = IsSecretKey};
}

}  // namespace atrium::app
