// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace atrium::identity {

/// RFC 4648 §6 without padding: A to Z and 2 to 7, as authenticator apps expect secrets.
std::string EncodeBase32(std::span<const std::byte> bytes);
std::string EncodeBase32(std::string_view bytes);

/// The bytes that `text` spells. People type it, so case, spaces, hyphens and padding at the end do
/// not matter. Any other character, a length that no encoder produces, and bits set after the last
/// byte are kInvalidArgument.
Result<std::string> DecodeBase32(std::string_view text);

/// That many random characters, of 5 bits each, that people can read aloud and type: the digits and
/// the lower-case letters without i, l, o and u.
std::string RandomTypable(std::size_t characters);

/// "abcde-fghjk-…": hyphens between groups of five.
std::string GroupTypable(std::string_view characters);

/// How a typed text is compared: without spaces and hyphens, in lower case, and with the letters
/// that are not used read as the digits they look like (i and l are 1, o is 0).
std::string NormaliseTypable(std::string_view text);

/// Whether a normalised text has only characters that RandomTypable draws.
bool IsTypable(std::string_view normalised);

}  // namespace atrium::identity
