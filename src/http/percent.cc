// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/percent.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/result.h"
#include "http/grammar.h"

namespace atrium::http {
namespace {

enum class Plus : std::uint8_t { kIsPlus, kIsSpace };

std::optional<unsigned> HexDigit(char c) {
  if (c >= '0' && c <= '9') {
    return static_cast<unsigned>(c - '0');
  }
  if (c >= 'a' && c <= 'f') {
    return static_cast<unsigned>(c - 'a') + 10;
  }
  if (c >= 'A' && c <= 'F') {
    return static_cast<unsigned>(c - 'A') + 10;
  }
  return std::nullopt;
}

std::optional<char> EscapedByte(std::string_view escape) {
  if (escape.size() < 3) {
    return std::nullopt;
  }
  const std::optional<unsigned> high = HexDigit(escape[1]);
  const std::optional<unsigned> low = HexDigit(escape[2]);
  if (!high || !low) {
    return std::nullopt;
  }
  return static_cast<char>(*high << 4U | *low);
}

Result<std::string> Decode(std::string_view text, Plus plus) {
  std::string decoded;
  decoded.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%') {
      const std::optional<char> byte = EscapedByte(text.substr(i));
      if (!byte) {
        return Fail(ErrorCode::kInvalidArgument,
                    "percent escape that is not % and two hexadecimal digits");
      }
      decoded.push_back(*byte);
      i += 2;
    } else {
      decoded.push_back(text[i] == '+' && plus == Plus::kIsSpace ? ' ' : text[i]);
    }
  }
  if (!IsText(decoded)) {
    return Fail(ErrorCode::kInvalidArgument, "percent-encoded text is not UTF-8 or holds a NUL");
  }
  return decoded;
}

bool IsUnreserved(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '.' || c == '_' || c == '~';
}

}  // namespace

Result<std::string> PercentDecode(std::string_view text) {
  return Decode(text, Plus::kIsPlus);
}

Result<std::string> FormDecode(std::string_view text) {
  return Decode(text, Plus::kIsSpace);
}

std::string PercentEncode(std::string_view text) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string encoded;
  encoded.reserve(text.size());
  for (const char c : text) {
    if (IsUnreserved(c)) {
      encoded.push_back(c);
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    encoded.push_back('%');
    encoded.push_back(kHex[byte >> 4U]);
    encoded.push_back(kHex[byte & 0x0FU]);
  }
  return encoded;
}

}  // namespace atrium::http
