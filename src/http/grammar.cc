// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/grammar.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "base/utf8.h"

namespace atrium::http {
namespace {

constexpr std::array<bool, 256> MakeTokenChars() {
  std::array<bool, 256> table{};
  for (const char c : std::string_view("!#$%&'*+-.^_`|~0123456789"
                                       "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")) {
    table.at(static_cast<unsigned char>(c)) = true;
  }
  return table;
}

constexpr std::array<bool, 256> kTokenChars = MakeTokenChars();

char Lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

}  // namespace

bool IsTokenChar(char c) {
  return kTokenChars[static_cast<unsigned char>(c)];
}

bool IsToken(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, IsTokenChar);
}

std::string_view TrimSpace(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) {
    return {};
  }
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::string LowerAscii(std::string_view text) {
  std::string lowered(text);
  std::ranges::transform(lowered, lowered.begin(), Lower);
  return lowered;
}

std::string_view TakeUntil(std::string_view& rest, char separator) {
  const std::size_t end = std::min(rest.find(separator), rest.size());
  const std::string_view taken = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return TrimSpace(taken);
}

std::string_view TakeToken(std::string_view& rest) {
  const auto* const end = std::ranges::find_if_not(rest, IsTokenChar);
  const std::string_view token(rest.begin(), end);
  rest.remove_prefix(token.size());
  return token;
}

std::optional<std::string> TakeQuoted(std::string_view& rest, Escapes escapes) {
  if (!rest.starts_with('"')) {
    return std::nullopt;
  }
  rest.remove_prefix(1);
  std::string value;
  while (!rest.empty() && rest.front() != '"') {
    if (rest.front() == '\\' && rest.size() > 1 &&
        (escapes == Escapes::kAll || rest[1] == '"' || rest[1] == '\\')) {
      rest.remove_prefix(1);
    }
    if (IsControl(rest.front())) {
      return std::nullopt;
    }
    value.push_back(rest.front());
    rest.remove_prefix(1);
  }
  if (rest.empty()) {
    return std::nullopt;
  }
  rest.remove_prefix(1);
  return value;
}

std::string RenderWord(std::string_view value) {
  if (IsToken(value)) {
    return std::string(value);
  }
  std::string quoted = "\"";
  for (const char c : value) {
    if (c == '"' || c == '\\') {
      quoted.push_back('\\');
    }
    quoted.push_back(c);
  }
  quoted.push_back('"');
  return quoted;
}

std::optional<std::uint64_t> ParseDigits(std::string_view text) {
  if (text.empty() || text.find_first_not_of("0123456789") != std::string_view::npos) {
    return std::nullopt;
  }
  constexpr std::uint64_t kMax = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t number = 0;
  for (const char c : text) {
    const auto digit = static_cast<std::uint64_t>(c - '0');
    number = number > (kMax - digit) / 10 ? kMax : number * 10 + digit;
  }
  return number;
}

bool IsControl(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && c != '\t') || byte == 0x7F;
}

bool IsText(std::string_view text) {
  return text.find('\0') == std::string_view::npos && IsValidUtf8(text);
}

}  // namespace atrium::http
