// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "base/instant.h"
#include "base/result.h"

namespace atrium {

/// A ULID: 48 bits of milliseconds since 1970, then 80 random bits, big-endian. Bytes, text and
/// time sort alike. Starts as all zeros.
struct Ulid {
  std::array<std::byte, 16> bytes{};

  /// Reads 26 characters of Crockford's base 32 in either case. Refuses with kInvalidArgument what
  /// is not one id exactly: another length, the letters I, L, O and U (also as stand-ins for
  /// digits), hyphens, and a first character above "7", which would need more than 128 bits.
  static Result<Ulid> Parse(std::string_view text);

  /// The one spelling that leaves the server: 26 characters, upper case.
  std::string Render() const;

  /// When the id was made.
  Instant Time() const;

  friend auto operator<=>(const Ulid&, const Ulid&) = default;
};

}  // namespace atrium

template <>
struct std::hash<atrium::Ulid> {
  std::size_t operator()(const atrium::Ulid& ulid) const noexcept {
    return std::hash<std::string_view>()(atrium::AsChars(ulid.bytes));
  }
};
