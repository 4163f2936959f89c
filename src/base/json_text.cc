// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "base/json_text.h"

#include <cmath>
#include <cstddef>

#include "base/utf8.h"

namespace atrium {
namespace {

/// Bytes that a JSON string holds as they are, without a second look.
constexpr std::array<bool, 256> kPlain = [] {
  std::array<bool, 256> plain{};
  for (std::size_t c = 0x20; c < 0x80; ++c) {
    plain[c] = c != '"' && c != '\\';
  }
  return plain;
}();

constexpr std::string_view kReplacement = "\xef\xbf\xbd";

void AppendEscape(std::string& out, char c) {
  switch (c) {
    case '"':
      out += "\\\"";
      return;
    case '\\':
      out += "\\\\";
      return;
    case '\b':
      out += "\\b";
      return;
    case '\f':
      out += "\\f";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    default:
      constexpr std::string_view kDigits = "0123456789abcdef";
      out += "\\u00";
      out += kDigits[static_cast<std::size_t>(c) >> 4];
      out += kDigits[static_cast<std::size_t>(c) & 0xf];
  }
}

std::size_t PlainFront(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size() && kPlain[static_cast<unsigned char>(text[at])]) {
    ++at;
  }
  return at;
}

}  // namespace

void AppendJsonString(std::string& out, std::string_view text) {
  out += '"';
  while (true) {
    const std::size_t plain = PlainFront(text);
    out.append(text.substr(0, plain));
    text.remove_prefix(plain);
    if (text.empty()) {
      break;
    }
    const Utf8Step step = NextUtf8(text);
    if (!step.valid) {
      out += kReplacement;
    } else if (step.bytes == 1) {
      AppendEscape(out, text.front());
    } else {
      out.append(text.substr(0, step.bytes));
    }
    text.remove_prefix(step.bytes);
  }
  out += '"';
}

void AppendJsonNumber(std::string& out, double number) {
  if (!std::isfinite(number)) {
    out += "null";
    return;
  }
  std::array<char, 32> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  out.append(digits.data(), end);
}

}  // namespace atrium
