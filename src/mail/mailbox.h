// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace atrium::mail {

/// Somebody who sends or gets letters.
struct Mailbox {
  /// May be empty.
  std::string name{};
  std::string address{};

  friend bool operator==(const Mailbox&, const Mailbox&) = default;
};

/// Whether it can stand in a header and in an SMTP envelope as it is: one "@" between two parts of
/// visible ASCII without the letters that have a meaning of their own there, at most 254 bytes.
/// Quoted local parts and addresses beyond ASCII are not among them.
bool IsMailAddress(std::string_view text);

/// Reads "Atrium <atrium@example.org>" or an address alone. kInvalidArgument for anything else.
Result<Mailbox> ParseMailbox(std::string_view text);

/// "example.org" of "atrium@example.org".
std::string_view DomainOf(std::string_view address);

}  // namespace atrium::mail
