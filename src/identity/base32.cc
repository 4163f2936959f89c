// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "identity/base32.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/error.h"
#include "base/random.h"
#include "base/result.h"

namespace atrium::identity {
namespace {

constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
constexpr std::string_view kTypable = "0123456789abcdefghjkmnpqrstvwxyz";
constexpr unsigned kBitsPerCharacter = 5;
constexpr std::size_t kGroup = 5;

static_assert(kAlphabet.size() == 32 && kTypable.size() == 32);

bool IsSeparator(char c) {
  return c == ' ' || c == '-';
}

char Upper(char c) {
  return 'a' <= c && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}

char Lower(char c) {
  return 'A' <= c && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

char AsTypable(char c) {
  const char lower = Lower(c);
  if (lower == 'i' || lower == 'l') {
    return '1';
  }
  return lower == 'o' ? '0' : lower;
}

/// In upper case, without what people put between and behind the characters.
std::string Significant(std::string_view text) {
  while (text.ends_with('=') || text.ends_with(' ')) {
    text.remove_suffix(1);
  }
  std::string kept;
  kept.reserve(text.size());
  for (const char c : text) {
    if (!IsSeparator(c)) {
      kept += Upper(c);
    }
  }
  return kept;
}

}  // namespace

std::string EncodeBase32(std::span<const std::byte> bytes) {
  std::string text;
  text.reserve((bytes.size() * 8 + kBitsPerCharacter - 1) / kBitsPerCharacter);
  std::uint32_t pending = 0;
  unsigned pending_bits = 0;
  for (const std::byte byte : bytes) {
    pending = (pending << 8U | std::to_integer<std::uint32_t>(byte)) & 0xFFFU;
    pending_bits += 8;
    while (pending_bits >= kBitsPerCharacter) {
      pending_bits -= kBitsPerCharacter;
      text += kAlphabet[pending >> pending_bits & 31U];
    }
  }
  if (pending_bits > 0) {
    text += kAlphabet[pending << (kBitsPerCharacter - pending_bits) & 31U];
  }
  return text;
}

std::string EncodeBase32(std::string_view bytes) {
  return EncodeBase32(AsBytes(bytes));
}

Result<std::string> DecodeBase32(std::string_view text) {
  std::string bytes;
  std::uint32_t pending = 0;
  unsigned pending_bits = 0;
  for (const char c : Significant(text)) {
    const std::size_t value = kAlphabet.find(c);
    if (value == std::string_view::npos) {
      return Fail(ErrorCode::kInvalidArgument, "base32 has only the letters and the digits 2 to 7");
    }
    pending = (pending << kBitsPerCharacter | static_cast<std::uint32_t>(value)) & 0xFFFU;
    pending_bits += kBitsPerCharacter;
    if (pending_bits >= 8) {
      pending_bits -= 8;
      bytes += static_cast<char>(pending >> pending_bits & 0xFFU);
    }
  }
  // Five bits or more left over are a character that no byte needed.
  if (pending_bits >= kBitsPerCharacter || (pending & ((1U << pending_bits) - 1U)) != 0) {
    return Fail(ErrorCode::kInvalidArgument, "base32 ends in the middle of a byte");
  }
  return bytes;
}

std::string RandomTypable(std::size_t characters) {
  std::vector<std::byte> bytes(characters);
  FillRandom(bytes);
  std::string text;
  text.reserve(characters);
  for (const std::byte byte : bytes) {
    text += kTypable[std::to_integer<std::size_t>(byte) & 31U];
  }
  return text;
}

std::string GroupTypable(std::string_view characters) {
  std::string text;
  for (std::size_t start = 0; start < characters.size(); start += kGroup) {
    if (start > 0) {
      text += '-';
    }
    text += characters.substr(start, kGroup);
  }
  return text;
}

std::string NormaliseTypable(std::string_view text) {
  std::string normalised;
  normalised.reserve(text.size());
  for (const char c : text) {
    if (!IsSeparator(c)) {
      normalised += AsTypable(c);
    }
  }
  return normalised;
}

bool IsTypable(std::string_view normalised) {
  return std::ranges::all_of(normalised, [](char c) { return kTypable.contains(c); });
}

}  // namespace atrium::identity
