// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/host.h"

#include <algorithm>

#include "base/ip_network.h"
#include "http/grammar.h"

namespace atrium::http {
namespace {

constexpr std::size_t kBytesMax = 255;
constexpr std::size_t kPortMax = 65535;

bool IsNameChar(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view(".-_").contains(c);
}

/// Nothing, or a colon and a port; RFC 3986 §3.2.3 lets the number be left out.
bool IsPortPart(std::string_view text) {
  if (text.empty() || text == ":") {
    return true;
  }
  return text.front() == ':' && ParseDigits(text.substr(1)).value_or(kPortMax + 1) <= kPortMax;
}

}  // namespace

bool IsHostAndPort(std::string_view text) {
  if (text.empty() || text.size() > kBytesMax) {
    return false;
  }
  if (text.front() == '[') {
    const std::size_t end = text.find(']');
    if (end == std::string_view::npos) {
      return false;
    }
    const Result<IpAddress> address = ParseIpAddress(text.substr(1, end - 1));
    return address && !address->IsV4() && IsPortPart(text.substr(end + 1));
  }
  const std::size_t colon = std::min(text.find(':'), text.size());
  return colon > 0 && std::ranges::all_of(text.substr(0, colon), IsNameChar) &&
         IsPortPart(text.substr(colon));
}

std::string BareHost(std::string_view host) {
  const std::size_t colon = host.rfind(':');
  const bool has_port = colon != std::string_view::npos && host.find(']', colon) == host.npos;
  return LowerAscii(has_port ? host.substr(0, colon) : host);
}

}  // namespace atrium::http
