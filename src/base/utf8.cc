// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "base/utf8.h"

#include <cstdint>
#include <cstring>

namespace atrium {
namespace {

constexpr bool IsContinuation(unsigned char byte) {
  return (byte & 0xc0) == 0x80;
}

/// What table 3-7 of the Unicode standard allows behind one first byte.
struct Lead {
  std::size_t length;        ///< Zero: no character begins so.
  unsigned char second_min;  ///< The narrowed range rules out overlong forms,
  unsigned char second_max;  ///< surrogates and code points above U+10FFFF.
};

constexpr Lead LeadOf(unsigned char byte) {
  if (byte < 0x80) {
    return {.length = 1, .second_min = 0, .second_max = 0};
  }
  if (byte >= 0xc2 && byte <= 0xdf) {
    return {.length = 2, .second_min = 0x80, .second_max = 0xbf};
  }
  if (byte >= 0xe0 && byte <= 0xef) {
    return {.length = 3,
            .second_min = static_cast<unsigned char>(byte == 0xe0 ? 0xa0 : 0x80),
            .second_max = static_cast<unsigned char>(byte == 0xed ? 0x9f : 0xbf)};
  }
  if (byte >= 0xf0 && byte <= 0xf4) {
    return {.length = 4,
            .second_min = static_cast<unsigned char>(byte == 0xf0 ? 0x90 : 0x80),
            .second_max = static_cast<unsigned char>(byte == 0xf4 ? 0x8f : 0xbf)};
  }
  return {.length = 0, .second_min = 0, .second_max = 0};
}

/// How many bytes at the front of `text` are surely ASCII, looked at eight at a time.
std::size_t AsciiFront(std::string_view text) {
  std::size_t at = 0;
  for (; at + 8 <= text.size(); at += 8) {
    std::uint64_t eight = 0;
    std::memcpy(&eight, text.data() + at, 8);
    if ((eight & 0x8080'8080'8080'8080) != 0) {
      break;
    }
  }
  return at;
}

}  // namespace

Utf8Step NextUtf8(std::string_view text) {
  const Lead lead = LeadOf(static_cast<unsigned char>(text[0]));
  if (lead.length <= 1) {
    return {.bytes = 1, .valid = lead.length == 1};
  }
  if (text.size() < 2) {
    return {.bytes = 1, .valid = false};
  }
  const auto second = static_cast<unsigned char>(text[1]);
  if (second < lead.second_min || second > lead.second_max) {
    return {.bytes = 1, .valid = false};
  }
  for (std::size_t i = 2; i < lead.length; ++i) {
    if (i == text.size() || !IsContinuation(static_cast<unsigned char>(text[i]))) {
      return {.bytes = i, .valid = false};
    }
  }
  return {.bytes = lead.length, .valid = true};
}

bool IsValidUtf8(std::string_view text) {
  text.remove_prefix(AsciiFront(text));
  while (!text.empty()) {
    const Utf8Step step = NextUtf8(text);
    if (!step.valid) {
      return false;
    }
    text.remove_prefix(step.bytes);
    if (step.bytes == 1) {
      text.remove_prefix(AsciiFront(text));
    }
  }
  return true;
}

std::string_view TruncateUtf8(std::string_view text, std::size_t max_bytes) {
  if (text.size() <= max_bytes) {
    return text;
  }
  std::size_t end = max_bytes;
  while (end > 0 && IsContinuation(static_cast<unsigned char>(text[end]))) {
    --end;
  }
  return text.substr(0, end);
}

}  // namespace atrium
