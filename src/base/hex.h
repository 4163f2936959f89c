// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace atrium {

/// Two lower-case digits for each byte.
std::string EncodeHex(std::span<const std::byte> bytes);
std::string EncodeHex(std::string_view bytes);

/// The bytes that `text` spells, in either case. kInvalidArgument on an odd length or any other
/// character.
Result<std::string> DecodeHex(std::string_view text);

}  // namespace atrium
