// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace atrium::http {

// The pieces of RFC 9110 §5.6 that every header parser is made of. All are linear in their input.

/// One of the characters that may stand in a token: letters, digits and !#$%&'*+-.^_`|~
bool IsTokenChar(char c);

/// At least one character, and only token characters.
bool IsToken(std::string_view text);

/// Without the spaces and tabs at both ends.
std::string_view TrimSpace(std::string_view text);

/// ASCII letters lowered; every other byte stays.
std::string LowerAscii(std::string_view text);

/// Takes what stands before the first `separator` off the front of `rest`, trimmed, and the
/// separator too. Takes everything when there is none. Knows nothing of quoted strings.
std::string_view TakeUntil(std::string_view& rest, char separator);

/// Takes a token off the front of `rest`; empty when `rest` does not begin with one.
std::string_view TakeToken(std::string_view& rest);

/// Which backslashes inside a quoted string hide the character after them.
enum class Escapes : std::uint8_t {
  kAll,             ///< RFC 9110 §5.6.4.
  kQuoteBackslash,  ///< Only before " and \; any other backslash stands for itself.
};

/// Takes a quoted string off the front of `rest` and answers what it means, without the quotes.
/// nullopt, and `rest` anywhere, when it is not closed or holds a control character.
std::optional<std::string> TakeQuoted(std::string_view& rest, Escapes escapes = Escapes::kAll);

/// `value` as a token where it is one, else as a quoted string. The value must be free of control
/// characters, or the text cannot be read back.
std::string RenderWord(std::string_view value);

/// A number of nothing but digits; one too large for 64 bits becomes the largest there is.
/// nullopt when there are no digits or anything else.
std::optional<std::uint64_t> ParseDigits(std::string_view text);

/// Any byte below space but the tab, or DEL: never part of a header value.
bool IsControl(char c);

/// Well-formed UTF-8 without a NUL: what names and values from outside must be.
bool IsText(std::string_view text);

}  // namespace atrium::http
