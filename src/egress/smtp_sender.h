// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>

#include "base/result.h"
#include "egress/handle_pool.h"

namespace atrium::egress {

enum class SmtpTls : std::uint8_t {
  kNone,      ///< In the clear. For servers on this machine.
  kStartTls,  ///< Begun in the clear; nothing but the greeting is said before TLS.
  kImplicit,  ///< From the first byte.
};

/// The mail server and how to speak with it. Named by the administrator, so any address will do:
/// the guard of other calls is not asked.
struct SmtpOptions {
  /// A name or an IP address.
  std::string host{};
  /// Zero: the usual one, 587 for kStartTls, 465 for kImplicit, 25 for kNone.
  std::uint16_t port = 0;
  SmtpTls tls = SmtpTls::kStartTls;
  /// Empty: no sign-in.
  std::string username{};
  std::string password{};
  /// PEM file of the authorities to trust. Empty: those of the system.
  std::string ca_bundle{};
  std::chrono::milliseconds connect_timeout = std::chrono::seconds{10};
  /// For one letter, with the connection.
  std::chrono::milliseconds timeout = std::chrono::seconds{60};
};

/// Addresses alone, without names and brackets.
struct SmtpEnvelope {
  std::string from{};
  std::string to{};
  std::stop_token stop{};
};

/// Hands letters to one mail server (RFC 5321), a connection for each. Any thread.
class SmtpSender {
 public:
  explicit SmtpSender(SmtpOptions options);

  /// Hands over `letter`: RFC 5322 text whose lines end in CRLF.
  ///
  /// kInvalidArgument when an address has anything but visible ASCII without brackets in it;
  /// nothing is said to the server then. kPermissionDenied when the server refused sender,
  /// recipient or letter for good (5xx). kDeadlineExceeded when it was too slow, kUnavailable for
  /// all that may pass or that an administrator can mend: refused for the time being (4xx), a
  /// failed sign-in, no TLS where it is demanded, a broken connection, `stop`.
  Result<void> Send(const SmtpEnvelope& envelope, std::string_view letter);

 private:
  SmtpOptions options_;
  HandlePool pool_;
};

}  // namespace atrium::egress
