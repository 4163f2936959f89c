// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

struct evp_md_ctx_st;  // OpenSSL's EVP_MD_CTX, whose headers stay out of ours.

namespace atrium {

using Sha1Digest = std::array<std::byte, 20>;
using Sha256Digest = std::array<std::byte, 32>;

namespace hash_internal {
struct ContextDeleter {
  void operator()(evp_md_ctx_st* context) const;
};
}  // namespace hash_internal

/// SHA-1 of bytes that arrive in pieces. For content addresses that clients prescribe, never for
/// anything an attacker gains from colliding. One thread at a time; a moved-from object may only be
/// destroyed or assigned.
class Sha1 {
 public:
  Sha1();

  void Update(std::span<const std::byte> bytes);
  void Update(std::string_view bytes);

  /// The digest of everything since construction or the last Finish; the next Update starts anew.
  Sha1Digest Finish();

 private:
  std::unique_ptr<evp_md_ctx_st, hash_internal::ContextDeleter> context_;
};

/// SHA-256 of bytes that arrive in pieces; otherwise as Sha1.
class Sha256 {
 public:
  Sha256();

  void Update(std::span<const std::byte> bytes);
  void Update(std::string_view bytes);
  Sha256Digest Finish();

 private:
  std::unique_ptr<evp_md_ctx_st, hash_internal::ContextDeleter> context_;
};

Sha1Digest Sha1Of(std::span<const std::byte> bytes);
Sha1Digest Sha1Of(std::string_view bytes);
Sha256Digest Sha256Of(std::span<const std::byte> bytes);
Sha256Digest Sha256Of(std::string_view bytes);

/// RFC 2104 with SHA-256. Compare the outcome with ConstantTimeEqual.
Sha256Digest HmacSha256(std::span<const std::byte> key, std::string_view message);

/// What RFC 5869 calls IKM, salt and info. Views: they live as long as what they point to.
struct HkdfInput {
  std::span<const std::byte> secret;  ///< Not empty.
  std::span<const std::byte> salt{};  ///< May be empty.
  std::string_view info;              ///< What the key is for.
};

/// RFC 5869 with SHA-256: `length` bytes, at most 255 * 32, that tell nothing about the secret.
std::vector<std::byte> HkdfSha256(const HkdfInput& input, std::size_t length);

}  // namespace atrium
