// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "mail/mailbox.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/result.h"
#include "base/utf8.h"

namespace atrium::mail {
namespace {

constexpr std::size_t kAddressBytesMax = 254;  // RFC 5321 §4.5.3.1.3, without the brackets.

bool IsControl(char letter) {
  return static_cast<unsigned char>(letter) < 0x20 || letter == 0x7F;
}

bool IsName(std::string_view text) {
  return !text.empty() && IsValidUtf8(text) && std::ranges::none_of(text, IsControl) &&
         text.find_first_of("\"<>") == std::string_view::npos;
}

}  // namespace

bool IsMailAddress(std::string_view text) {
  const std::size_t at = text.find('@');
  return text.size() <= kAddressBytesMax && at != std::string_view::npos && at > 0 &&
         at + 1 < text.size() && text.find('@', at + 1) == std::string_view::npos &&
         text.find_first_of("\"(),:;<>[\\]") == std::string_view::npos &&
         std::ranges::all_of(text, [](char letter) { return letter > ' ' && letter < 0x7F; });
}

Result<Mailbox> ParseMailbox(std::string_view text) {
  if (IsMailAddress(text)) {
    return Mailbox{.address = std::string(text)};
  }
  const std::size_t open = text.find(" <");
  if (open == std::string_view::npos || !text.ends_with('>')) {
    return Fail(ErrorCode::kInvalidArgument, "not a mail address");
  }
  const std::string_view name = text.substr(0, open);
  const std::string_view address = text.substr(open + 2, text.size() - open - 3);
  if (!IsName(name) || !IsMailAddress(address)) {
    return Fail(ErrorCode::kInvalidArgument, "not a mail address with a name");
  }
  return Mailbox{.name = std::string(name), .address = std::string(address)};
}

std::string_view DomainOf(std::string_view address) {
  return address.substr(address.rfind('@') + 1);
}

}  // namespace atrium::mail
