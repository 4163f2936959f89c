// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"

namespace atrium::identity {

/// An e-mail address in the one spelling that is stored and compared: trimmed, in lower case.
///
/// The standard allows a server to tell Ann@ from ann@; no server in use does, and people do not.
/// Letters outside ASCII are kept as they are.
class EmailAddress {
 public:
  /// kInvalidArgument, whose message says why, for what no mail could reach or nobody means: not
  /// exactly one "@", a local part above 64 bytes or an address above 254, dots that lead, trail or
  /// touch, quoted local parts, spaces, controls and invisible characters, domains that are no host
  /// name (letters, digits and hyphens in at least two labels; "localhost" is the exception), and
  /// IP addresses for domains.
  static Result<EmailAddress> Parse(std::string_view text);

  const std::string& Text() const { return text_; }
  /// In front of and behind the "@". They live as long as this address.
  std::string_view Local() const { return std::string_view(text_).substr(0, at_); }
  std::string_view Domain() const { return std::string_view(text_).substr(at_ + 1); }

  /// The identity derived from the address, for keys that must not show it: the SHA-256 of Text()
  /// in hexadecimal digits.
  std::string UserKey() const;

  friend bool operator==(const EmailAddress& one, const EmailAddress& other) {
    return one.text_ == other.text_;
  }
  friend auto operator<=>(const EmailAddress& one, const EmailAddress& other) {
    return one.text_ <=> other.text_;
  }

 private:
  EmailAddress(std::string text, std::size_t at) : text_(std::move(text)), at_(at) {}

  std::string text_;
  std::size_t at_;
};

}  // namespace atrium::identity
