// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "base/hex.h"

#include "base/bytes.h"

namespace atrium {
namespace {

constexpr std::string_view kDigits = "0123456789abcdef";

/// 0 to 15, or -1.
int DigitValue(char c) {
  if (c >= '0' && c <= '9') {
    return c - '0';
  }
  if (c >= 'a' && c <= 'f') {
    return c - 'a' + 10;
  }
  if (c >= 'A' && c <= 'F') {
    return c - 'A' + 10;
  }
  return -1;
}

}  // namespace

std::string EncodeHex(std::span<const std::byte> bytes) {
  std::string text;
  text.reserve(bytes.size() * 2);
  for (const std::byte byte : bytes) {
    text += kDigits[std::to_integer<std::size_t>(byte >> 4)];
    text += kDigits[std::to_integer<std::size_t>(byte & std::byte{0x0f})];
  }
  return text;
}

std::string EncodeHex(std::string_view bytes) {
  return EncodeHex(AsBytes(bytes));
}

Result<std::string> DecodeHex(std::string_view text) {
  if (text.size() % 2 != 0) {
    return Fail(ErrorCode::kInvalidArgument, "hexadecimal text has an odd length");
  }
  std::string bytes;
  bytes.reserve(text.size() / 2);
  for (std::size_t i = 0; i < text.size(); i += 2) {
    const int high = DigitValue(text[i]);
    const int low = DigitValue(text[i + 1]);
    if (high < 0 || low < 0) {
      return Fail(ErrorCode::kInvalidArgument, "not a hexadecimal digit");
    }
    bytes += static_cast<char>(high * 16 + low);
  }
  return bytes;
}

}  // namespace atrium
