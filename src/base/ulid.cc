// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "base/ulid.h"

#include <cstdint>

namespace atrium {
namespace {

constexpr std::string_view kAlphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
constexpr std::size_t kTextSize = 26;
constexpr unsigned kBitsPerCharacter = 5;
// 26 characters carry 130 bits: the first two are always zero.
constexpr unsigned kLeadingBits = 2;

constexpr char UpperCase(char c) {
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}

std::unexpected<Error> NotAUlid() {
  return Fail(ErrorCode::kInvalidArgument, "expected a ULID like 01ARZ3NDEKTSV4RRFFQ69G5FAV");
}

}  // namespace

Result<Ulid> Ulid::Parse(std::string_view text) {
  if (text.size() != kTextSize || text.front() > '7') {
    return NotAUlid();
  }
  Ulid ulid;
  std::size_t filled = 0;
  std::uint32_t window = 0;
  unsigned bits = 0;
  for (std::size_t i = 0; i < kTextSize; ++i) {
    const std::size_t digit = kAlphabet.find(UpperCase(text[i]));
    if (digit == std::string_view::npos) {
      return NotAUlid();
    }
    window = (window << kBitsPerCharacter) | static_cast<std::uint32_t>(digit);
    bits += i == 0 ? kBitsPerCharacter - kLeadingBits : kBitsPerCharacter;
    if (bits >= 8) {
      bits -= 8;
      ulid.bytes[filled++] = static_cast<std::byte>((window >> bits) & 0xff);
    }
  }
  return ulid;
}

std::string Ulid::Render() const {
  std::string text;
  text.reserve(kTextSize);
  std::uint32_t window = 0;
  unsigned bits = kLeadingBits;
  for (const std::byte byte : bytes) {
    window = (window << 8) | std::to_integer<std::uint32_t>(byte);
    for (bits += 8; bits >= kBitsPerCharacter; bits -= kBitsPerCharacter) {
      text += kAlphabet[(window >> (bits - kBitsPerCharacter)) & 0x1f];
    }
  }
  return text;
}

Instant Ulid::Time() const {
  std::int64_t since_epoch_ms = 0;
  for (std::size_t i = 0; i < 6; ++i) {
    since_epoch_ms = since_epoch_ms << 8 | std::to_integer<std::int64_t>(bytes[i]);
  }
  return Instant(std::chrono::milliseconds(since_epoch_ms));
}

}  // namespace atrium
