// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/canonical_json.h"

#include <cstddef>

namespace atrium::files {
namespace {

constexpr bool NeedsEscape(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\';
}

void AppendEscape(std::string& out, char c) {
  constexpr std::string_view kMeant = "\"\\\b\f\n\r\t";
  constexpr std::string_view kEscaped = "\"\\bfnrt";
  const std::size_t which = kMeant.find(c);
  if (which != std::string_view::npos) {
    out += '\\';
    out += kEscaped[which];
    return;
  }
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  out += "\\u00";
  out += kDigits[static_cast<std::size_t>(c) >> 4];
  out += kDigits[static_cast<std::size_t>(c) & 0xf];
}

}  // namespace

void AppendCanonicalString(std::string& out, std::string_view text) {
  out += '"';
  std::size_t plain = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (NeedsEscape(text[at])) {
      out.append(text.substr(plain, at - plain));
      AppendEscape(out, text[at]);
      plain = at + 1;
    }
  }
  out.append(text.substr(plain));
  out += '"';
}

}  // namespace atrium::files
