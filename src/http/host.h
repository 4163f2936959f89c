// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace atrium::http {

/// A host as the Host header has it (RFC 9112 §3.2): a name, an IPv4 address or an IPv6 address in
/// brackets, perhaps with a port.
bool IsHostAndPort(std::string_view text);

/// Of such a host the name alone, in lower case and without a port: "[::1]:8080" is "[::1]".
std::string BareHost(std::string_view host);

}  // namespace atrium::http
