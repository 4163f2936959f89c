// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace atrium::oidc {

/// The algorithms by which an ID token may be signed. Those that are missing are missing on
/// purpose: "none" proves nothing, and with HS* the key to check is the key to forge.
struct Algorithm {
  std::string_view name;
  std::string_view kty;
  /// For EC keys the one curve that belongs to the algorithm (RFC 7518 §3.4); empty for RSA.
  std::string_view curve;
};

/// Null for whatever may not sign.
const Algorithm* FindAlgorithm(std::string_view name);

/// One public key of a provider. Texts as the provider wrote them; empty means not said.
struct Key {
  std::string kid{};
  std::string kty{};
  std::string alg{};
  std::string curve{};
  /// The public half alone, as a JSON Web Key: what a provider published beyond that by mistake is
  /// not kept.
  std::string jwk{};
};

/// The keys a provider signs with, in its order. A plain value: any number of threads may read it.
struct KeySet {
  std::vector<Key> keys{};

  /// Whether any key has this id.
  bool Knows(std::string_view kid) const;

  /// The keys that may have signed under `algorithm`: of that type, curve and, if the key names
  /// one, algorithm. A `kid` leaves only the keys of that id; an empty one leaves all.
  std::vector<const Key*> Candidates(const Algorithm& algorithm, std::string_view kid) const;
};

inline constexpr std::size_t kKeysMax = 64;

/// Reads a JWK Set (RFC 7517 §5). Keys that cannot check a signature of ours are left out, since
/// providers publish those too: keys for encryption, of other types or curves, RSA below 2048 or
/// above 8192 bits, and keys that are malformed. kInvalidArgument when it is no such document or
/// nothing is left, kLimitExceeded above kKeysMax keys.
Result<KeySet> ParseKeySet(std::string_view document);

}  // namespace atrium::oidc
