// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "identity/email_address.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/hash.h"
#include "base/hex.h"
#include "base/result.h"
#include "base/utf8.h"

namespace atrium::identity {
namespace {

// RFC 5321 §4.5.3.1; the whole path is 256 with its angle brackets.
constexpr std::size_t kLocalBytesMax = 64;
constexpr std::size_t kDomainBytesMax = 255;
constexpr std::size_t kAddressBytesMax = 254;
constexpr std::size_t kLabelBytesMax = 63;

std::unexpected<Error> NoAddress(std::string_view why) {
  return Fail(ErrorCode::kInvalidArgument, "the e-mail address is not valid: " + std::string(why));
}

std::string_view Trim(std::string_view text) {
  constexpr std::string_view kWhite = " \t\r\n\v\f";
  const std::size_t first = text.find_first_not_of(kWhite);
  if (first == std::string_view::npos) {
    return {};
  }
  return text.substr(first, text.find_last_not_of(kWhite) - first + 1);
}

char Lower(char c) {
  return 'A' <= c && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool IsDigit(char c) {
  return '0' <= c && c <= '9';
}

bool IsLetterOrDigit(char c) {
  return ('a' <= c && c <= 'z') || IsDigit(c);
}

/// What RFC 5322 §3.2.3 calls atext, after lower-casing, and the dot.
bool IsPlainLocalCharacter(char c) {
  return IsLetterOrDigit(c) || std::string_view("!#$%&'*+-/=?^_`{|}~.").contains(c);
}

/// The code point of one well-formed character of several bytes.
std::uint32_t CodePoint(std::string_view character) {
  const auto lead = static_cast<unsigned char>(character.front());
  std::uint32_t point = lead & (0x7FU >> character.size());
  for (const char c : character.substr(1)) {
    point = point << 6U | (static_cast<unsigned char>(c) & 0x3FU);
  }
  return point;
}

/// C1 controls, spaces, and the marks by which two addresses look the same and are not.
bool IsInvisible(std::uint32_t point) {
  struct Span {
    std::uint32_t first;
    std::uint32_t last;
  };
  constexpr std::array<Span, 8> kInvisible{{{.first = 0x80, .last = 0xA0},
                                            {.first = 0xAD, .last = 0xAD},
                                            {.first = 0x2000, .last = 0x200F},
                                            {.first = 0x2028, .last = 0x202F},
                                            {.first = 0x205F, .last = 0x206F},
                                            {.first = 0x3000, .last = 0x3000},
                                            {.first = 0xFEFF, .last = 0xFEFF},
                                            {.first = 0xE0000, .last = 0xE0FFF}}};
  return std::ranges::any_of(
      kInvisible, [point](const Span& span) { return span.first <= point && point <= span.last; });
}

Result<void> CheckLocalCharacters(std::string_view local) {
  while (!local.empty()) {
    const Utf8Step step = NextUtf8(local);
    if (!step.valid) {
      return NoAddress("it is not valid UTF-8");
    }
    if (step.bytes == 1 && !IsPlainLocalCharacter(local.front())) {
      return NoAddress("the part before the \"@\" has a character that is not allowed");
    }
    if (step.bytes > 1 && IsInvisible(CodePoint(local.substr(0, step.bytes)))) {
      return NoAddress("it has an invisible character");
    }
    local.remove_prefix(step.bytes);
  }
  return {};
}

Result<void> CheckLocal(std::string_view local) {
  if (local.empty()) {
    return NoAddress("nothing is before the \"@\"");
  }
  if (local.size() > kLocalBytesMax) {
    return NoAddress("the part before the \"@\" is longer than 64 bytes");
  }
  if (local.starts_with('"')) {
    return NoAddress("quoted local parts are not supported");
  }
  if (local.starts_with('.') || local.ends_with('.') || local.contains("..")) {
    return NoAddress("a dot is at the start, at the end or doubled before the \"@\"");
  }
  return CheckLocalCharacters(local);
}

bool IsLabel(std::string_view label) {
  return !label.empty() && label.size() <= kLabelBytesMax && !label.starts_with('-') &&
         !label.ends_with('-') &&
         std::ranges::all_of(label, [](char c) { return IsLetterOrDigit(c) || c == '-'; });
}

Result<void> CheckLabels(std::string_view domain) {
  std::string_view rest = domain;
  while (true) {
    const std::size_t dot = rest.find('.');
    const std::string_view label = rest.substr(0, dot);
    if (!IsLabel(label)) {
      return NoAddress("the domain is not a host name");
    }
    if (dot == std::string_view::npos) {
      // A last label of digits alone makes it an IPv4 address (RFC 3696 §2).
      return std::ranges::all_of(label, IsDigit) ? NoAddress("the domain is an IP address")
                                                 : Result<void>();
    }
    rest.remove_prefix(dot + 1);
  }
}

Result<void> CheckDomain(std::string_view domain) {
  if (domain.empty()) {
    return NoAddress("nothing is behind the \"@\"");
  }
  if (domain.size() > kDomainBytesMax) {
    return NoAddress("the domain is longer than 255 bytes");
  }
  if (domain.starts_with('[')) {
    return NoAddress("the domain is an IP address");
  }
  if (std::ranges::any_of(domain, [](char c) { return static_cast<unsigned char>(c) >= 0x80; })) {
    return NoAddress("the domain must be written in ASCII (xn--...)");
  }
  RETURN_IF_ERROR(CheckLabels(domain));
  if (!domain.contains('.') && domain != "localhost") {
    return NoAddress("the domain has no dot");
  }
  return {};
}

}  // namespace

Result<EmailAddress> EmailAddress::Parse(std::string_view text) {
  std::string address(Trim(text));
  std::ranges::transform(address, address.begin(), Lower);
  const std::size_t at = address.find('@');
  if (at == std::string::npos) {
    return NoAddress("it has no \"@\"");
  }
  if (address.find('@', at + 1) != std::string::npos) {
    return NoAddress("it has more than one \"@\"");
  }
  RETURN_IF_ERROR(CheckLocal(std::string_view(address).substr(0, at)));
  RETURN_IF_ERROR(CheckDomain(std::string_view(address).substr(at + 1)));
  if (address.size() > kAddressBytesMax) {
    return NoAddress("it is longer than 254 bytes");
  }
  return EmailAddress(std::move(address), at);
}

std::string EmailAddress::UserKey() const {
  return EncodeHex(Sha256Of(text_));
}

}  // namespace atrium::identity
