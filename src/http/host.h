// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace atrium::http {

/// A host as the Host header has it (RFC 9112 §3.2): a name, an IPv4 address or an IPv6 address in
/// brackets, perhaps with a port.
bool IsHostAndPort(std::string_view text);

}  // namespace atrium::http
