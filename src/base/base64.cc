// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "base/base64.h"

#include <array>
#include <cstdint>

#include "base/bytes.h"

namespace atrium {
namespace {

constexpr std::string_view kStandard =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::string_view kUrl =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

constexpr std::uint8_t kStray = 0xff;
using Values = std::array<std::uint8_t, 256>;

constexpr Values ValuesOf(std::string_view alphabet) {
  Values values{};
  values.fill(kStray);
  for (std::size_t i = 0; i < alphabet.size(); ++i) {
    values[static_cast<unsigned char>(alphabet[i])] = static_cast<std::uint8_t>(i);
  }
  return values;
}

constexpr Values kStandardValues = ValuesOf(kStandard);
constexpr Values kUrlValues = ValuesOf(kUrl);

std::string Encode(std::span<const std::byte> bytes, std::string_view alphabet) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  std::uint32_t window = 0;
  unsigned bits = 0;
  for (const std::byte byte : bytes) {
    window = (window << 8) | std::to_integer<std::uint32_t>(byte);
    for (bits += 8; bits >= 6; bits -= 6) {
      text += alphabet[(window >> (bits - 6)) & 0x3f];
    }
  }
  if (bits > 0) {
    text += alphabet[(window << (6 - bits)) & 0x3f];
  }
  return text;
}

/// `text` is without padding.
Result<std::string> Decode(std::string_view text, const Values& values) {
  if (text.size() % 4 == 1) {
    return Fail(ErrorCode::kInvalidArgument, "base64 text has an impossible length");
  }
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3 + 2);
  std::uint32_t window = 0;
  unsigned bits = 0;
  for (const char c : text) {
    const std::uint8_t value = values[static_cast<unsigned char>(c)];
    if (value == kStray) {
      return Fail(ErrorCode::kInvalidArgument, "stray character in base64 text");
    }
    window = (window << 6) | value;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes += static_cast<char>((window >> bits) & 0xff);
    }
  }
  if ((window & ((1U << bits) - 1)) != 0) {
    return Fail(ErrorCode::kInvalidArgument, "base64 text ends in bits of no byte");
  }
  return bytes;
}

}  // namespace

std::string EncodeBase64(std::span<const std::byte> bytes) {
  std::string text = Encode(bytes, kStandard);
  text.append((4 - text.size() % 4) % 4, '=');
  return text;
}

std::string EncodeBase64(std::string_view bytes) {
  return EncodeBase64(AsBytes(bytes));
}

std::string EncodeBase64Url(std::span<const std::byte> bytes) {
  return Encode(bytes, kUrl);
}

std::string EncodeBase64Url(std::string_view bytes) {
  return EncodeBase64Url(AsBytes(bytes));
}

Result<std::string> DecodeBase64(std::string_view text) {
  if (text.size() % 4 != 0) {
    return Fail(ErrorCode::kInvalidArgument, "base64 text is not padded to a multiple of four");
  }
  for (int padding = 0; padding < 2 && text.ends_with('='); ++padding) {
    text.remove_suffix(1);
  }
  return Decode(text, kStandardValues);
}

Result<std::string> DecodeBase64Url(std::string_view text) {
  return Decode(text, kUrlValues);
}

}  // namespace atrium
