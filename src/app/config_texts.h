// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/ip_network.h"

namespace atrium::app {

/// A kind (config_values.h) for one line of UTF-8, without control characters, that `accepts`
/// agrees to.
struct Text {
  using Type = std::string;
  std::string_view expectation;
  bool (*accepts)(std::string_view text);

  std::optional<Type> Parse(std::string_view text) const;
  std::string Render(const Type& value) const { return value; }
  std::string Expectation() const { return std::string(expectation); }
};

/// The path of a file or folder.
Text Path();
Text PathOrEmpty();

/// A kind for an IPv4 or IPv6 address to listen on. No host names: what they mean may change.
struct ListenAddress {
  using Type = IpAddress;

  std::optional<Type> Parse(std::string_view text) const;
  std::string Render(const Type& value) const { return atrium::Render(value); }
  std::string Expectation() const { return "an IPv4 or IPv6 address"; }
};

/// A kind for a block of addresses.
struct AddressBlock {
  using Type = Network;

  std::optional<Type> Parse(std::string_view text) const;
  std::string Render(const Type& value) const { return atrium::Render(value); }
  std::string Expectation() const {
    return "a network such as 10.0.0.0/8 or fd00::/8, with no bits set after its prefix";
  }
};

/// An origin as browsers send it: "https://example.org:8443".
Text WebOrigin();

/// A forward proxy: "http://proxy.example.org:3128". No user in it, because it is printed.
Text ProxyUrlOrEmpty();

/// Any one line.
Text LineOrEmpty();

/// A host name or an IP address, without a port.
Text HostOrEmpty();
/// The same, and not empty; in lower case.
Text HostName();

/// A sender: "Atrium <atrium@example.org>" or the address alone.
Text MailboxOrEmpty();

/// A line that is not empty.
Text Password();

/// A kind for the address of a whole site: "https://example.org:8443". A slash at its end is
/// understood and dropped, so that paths can be appended; any other path is refused.
struct PublicUrl {
  using Type = std::string;

  std::optional<Type> Parse(std::string_view text) const;
  std::string Render(const Type& value) const { return value; }
  std::string Expectation() const {
    return "a URL such as \"https://example.org\" without a path, or \"\" for none";
  }
};

/// 64 hexadecimal digits.
Text ServerSecret();

}  // namespace atrium::app
