// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstddef>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "base/hash.h"
#include "base/result.h"

namespace atrium::blobs {

/// Names bytes by what they are: their SHA-256.
struct BlobId {
  Sha256Digest digest{};

  static BlobId Of(std::string_view bytes) { return {Sha256Of(bytes)}; }
  /// Of the 32 bytes of a digest. kInvalidArgument for any other length.
  static Result<BlobId> FromBytes(std::string_view bytes);

  /// Reads 64 hexadecimal digits in either case.
  static Result<BlobId> Parse(std::string_view text);
  /// 64 lower-case digits.
  std::string Render() const;

  /// The 32 bytes. Owns nothing.
  std::string_view Bytes() const { return AsChars(digest); }

  friend auto operator<=>(const BlobId&, const BlobId&) = default;
};

}  // namespace atrium::blobs

template <>
struct std::hash<atrium::blobs::BlobId> {
  std::size_t operator()(const atrium::blobs::BlobId& id) const noexcept {
    std::size_t part = 0;
    std::memcpy(&part, id.digest.data(), sizeof(part));
    return part;
  }
};
