// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace atrium {

/// RFC 4648 §4: "+" and "/", padded with "=" to a multiple of four.
std::string EncodeBase64(std::span<const std::byte> bytes);
std::string EncodeBase64(std::string_view bytes);

/// RFC 4648 §5 without padding: "-" and "_", fit for URLs, headers and file names.
std::string EncodeBase64Url(std::span<const std::byte> bytes);
std::string EncodeBase64Url(std::string_view bytes);

/// The decoders accept exactly what the encoders produce, so that one value has one spelling: no
/// line breaks, no letters of the other alphabet, padding where it belongs and nowhere else, and no
/// bits set after the last byte. Anything else is kInvalidArgument.
Result<std::string> DecodeBase64(std::string_view text);
Result<std::string> DecodeBase64Url(std::string_view text);

}  // namespace atrium
