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
#include "base/result.h"

namespace atrium {

/// A UUID of RFC 9562: 16 bytes, ordered as bytes, so that version 7 sorts by time. Starts as the
/// nil UUID.
struct Uuid {
  std::array<std::byte, 16> bytes{};

  /// Reads 8-4-4-4-12 hexadecimal digits in either case (RFC 9562 §4). Braces, "urn:uuid:" and
  /// missing hyphens are kInvalidArgument. Any version and variant is accepted.
  static Result<Uuid> Parse(std::string_view text);

  /// The one spelling that leaves the server: 36 characters, lower case.
  std::string Render() const;

  /// The four version bits: 4 for random, 7 for time-ordered, 0 for the nil UUID.
  int Version() const { return std::to_integer<int>(bytes[6] >> 4); }

  friend auto operator<=>(const Uuid&, const Uuid&) = default;
};

}  // namespace atrium

template <>
struct std::hash<atrium::Uuid> {
  std::size_t operator()(const atrium::Uuid& uuid) const noexcept {
    return std::hash<std::string_view>()(atrium::AsChars(uuid.bytes));
  }
};
