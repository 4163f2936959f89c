// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace atrium {

/// 256 bits that must stay secret.
using SecretKey = std::array<std::byte, 32>;

/// The key for one purpose ("google tokens", "session cookies"), derived from the server's secret
/// with HKDF-SHA256: the keys of two purposes tell nothing about each other or about the secret.
/// A secret below 32 bytes is kInvalidArgument.
Result<SecretKey> DeriveKey(std::string_view secret, std::string_view purpose);

/// A key and the name by which sealed texts refer to it.
struct SealingKey {
  std::string id;  ///< [a-z0-9-], 1 to 32 characters. Never reused for other bytes.
  SecretKey bytes;
};

/// The keys of a SealedBox, newest first: the first one seals, all of them open.
///
/// To rotate, put a new key in front, let old texts be resealed, then drop the old key.
class KeyRing {
 public:
  /// kInvalidArgument on no key at all, a malformed id, or two keys of one id.
  static Result<KeyRing> Make(std::vector<SealingKey> newest_first);

  const SealingKey& Newest() const { return keys_.front(); }

  bool HasEarlier() const { return keys_.size() > 1; }

  /// Null when there is no such key. Lives as long as the ring.
  const SealingKey* Find(std::string_view id) const;

 private:
  explicit KeyRing(std::vector<SealingKey> keys) : keys_(std::move(keys)) {}

  std::vector<SealingKey> keys_;
};

/// Encrypts short secrets for the store with AES-256-GCM.
///
///   v1.<key id>.<base64url of: nonce, 12 bytes | ciphertext | tag, 16 bytes>
///
/// The part before the last dot and the caller's associated text are authenticated with the secret:
/// a text that was altered, or that is opened for another owner than it was sealed for, does not
/// open. Nonces are random, which is safe for 2^32 texts under one key. Any thread.
class SealedBox {
 public:
  explicit SealedBox(KeyRing keys) : keys_(std::move(keys)) {}

  /// `associated` names what the secret belongs to ("user/42/google/refresh-token"); it is not
  /// stored, and Open needs the same. kLimitExceeded above kPlainBytesMax.
  Result<std::string> Seal(std::string_view plain, std::string_view associated) const;

  /// kCorrupt for whatever Seal did not make with the same keys and the same associated text. It is
  /// not kPermissionDenied: the cipher cannot tell a stranger's text from a damaged one, and no
  /// permission would repair either. The detail, which is for the log alone, says when the key is
  /// unknown.
  Result<std::string> Open(std::string_view sealed, std::string_view associated) const;

  /// Whether the text was sealed by anything but the newest key.
  bool NeedsResealing(std::string_view sealed) const;

  /// Whether there is any key but the newest.
  bool HasEarlierKeys() const { return keys_.HasEarlier(); }

  static constexpr std::size_t kPlainBytesMax = std::size_t{16} << 20;

 private:
  KeyRing keys_;
};

}  // namespace atrium
