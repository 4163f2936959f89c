// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "oidc/keys.h"

#include <cjose/error.h>
#include <cjose/jwk.h>
#include <openssl/err.h>

#include <algorithm>
#include <array>
#include <boost/describe/class.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/base64.h"
#include "base/error.h"
#include "base/json_read.h"
#include "base/json_write.h"
#include "base/result.h"
#include "oidc/cjose_handles.h"

namespace atrium::oidc {
namespace {

constexpr std::array<Algorithm, 9> kAlgorithms{{
    {.name = "RS256", .kty = "RSA", .curve = ""},
    {.name = "RS384", .kty = "RSA", .curve = ""},
    {.name = "RS512", .kty = "RSA", .curve = ""},
    {.name = "PS256", .kty = "RSA", .curve = ""},
    {.name = "PS384", .kty = "RSA", .curve = ""},
    {.name = "PS512", .kty = "RSA", .curve = ""},
    {.name = "ES256", .kty = "EC", .curve = "P-256"},
    {.name = "ES384", .kty = "EC", .curve = "P-384"},
    {.name = "ES512", .kty = "EC", .curve = "P-521"},
}};

struct Curve {
  std::string_view name;
  /// RFC 7518 §6.2.1.2: leading zeros are written.
  std::size_t coordinate_bytes;
};
constexpr std::array<Curve, 3> kCurves{{{.name = "P-256", .coordinate_bytes = 32},
                                        {.name = "P-384", .coordinate_bytes = 48},
                                        {.name = "P-521", .coordinate_bytes = 66}}};

constexpr std::size_t kRsaBitsMin = 2048;
constexpr std::size_t kRsaBitsMax = 8192;
constexpr std::size_t kByteBits = 8;
// Exponents in use are 3 and 65537; a huge one would only make verifying slow.
constexpr std::size_t kExponentBytesMax = 4;
constexpr std::size_t kNameTextMax = 256;

}  // namespace

/// What a JWK looks like on the wire, as far as it matters here.
struct WireKey {
  std::string kty{};
  std::optional<std::string> kid{};
  std::optional<std::string> use{};
  std::optional<std::string> alg{};
  std::optional<std::vector<std::string>> key_ops{};
  std::optional<std::string> n{};
  std::optional<std::string> e{};
  std::optional<std::string> crv{};
  std::optional<std::string> x{};
  std::optional<std::string> y{};
};
BOOST_DESCRIBE_STRUCT(WireKey, (), (kty, kid, use, alg, key_ops, n, e, crv, x, y))

/// The public half, as cjose reads it.
struct PublicKey {
  std::string kty{};
  std::optional<std::string> n{};
  std::optional<std::string> e{};
  std::optional<std::string> crv{};
  std::optional<std::string> x{};
  std::optional<std::string> y{};
};
BOOST_DESCRIBE_STRUCT(PublicKey, (), (kty, n, e, crv, x, y))

namespace {

bool IsShort(const std::optional<std::string>& text, std::size_t bytes_max) {
  return !text || text->size() <= bytes_max;
}

bool IsForSignatures(const WireKey& wire) {
  if (wire.use && *wire.use != "sig") {
    return false;
  }
  return !wire.key_ops || std::ranges::find(*wire.key_ops, "verify") != wire.key_ops->end();
}

/// Whether the text holds that many bytes; cjose ends the process over base64 that is none.
bool HoldsBytes(const std::optional<std::string>& text, std::size_t least, std::size_t most) {
  const Result<std::string> bytes = DecodeBase64Url(text.value_or(""));
  return bytes && bytes->size() >= least && bytes->size() <= most;
}

bool IsOfKnownType(const WireKey& wire) {
  if (wire.kty == "RSA") {
    return HoldsBytes(wire.n, kRsaBitsMin / kByteBits, kRsaBitsMax / kByteBits) &&
           HoldsBytes(wire.e, 1, kExponentBytesMax);
  }
  const auto* const curve = std::ranges::find(kCurves, wire.crv.value_or(""), &Curve::name);
  return wire.kty == "EC" && curve != kCurves.end() &&
         HoldsBytes(wire.x, curve->coordinate_bytes, curve->coordinate_bytes) &&
         HoldsBytes(wire.y, curve->coordinate_bytes, curve->coordinate_bytes);
}

bool IsBounded(const WireKey& wire) {
  return IsShort(wire.kid, kNameTextMax) && IsShort(wire.alg, kNameTextMax);
}

bool IsUsable(const Key& key) {
  cjose_err error{};
  const JwkHandle jwk(cjose_jwk_import(key.jwk.data(), key.jwk.size(), &error));
  // OpenSSL's list of errors belongs to the thread; what stays in it is blamed on the next call.
  ERR_clear_error();
  if (!jwk) {
    return false;
  }
  const std::size_t bits = cjose_jwk_get_keysize(jwk.get(), &error);
  return key.kty != "RSA" || (bits >= kRsaBitsMin && bits <= kRsaBitsMax);
}

std::optional<Key> ReadKey(const boost::json::value& json) {
  Result<WireKey> wire = FromJsonValue<WireKey>(json, {.unknown = OnUnknown::kIgnore});
  if (!wire || !IsBounded(*wire) || !IsForSignatures(*wire) || !IsOfKnownType(*wire)) {
    return std::nullopt;
  }
  const bool is_rsa = wire->kty == "RSA";
  PublicKey half{.kty = wire->kty};
  if (is_rsa) {
    half.n = std::move(wire->n);
    half.e = std::move(wire->e);
  } else {
    half.crv = wire->crv;
    half.x = std::move(wire->x);
    half.y = std::move(wire->y);
  }
  Key key{.kid = wire->kid.value_or(""),
          .kty = wire->kty,
          .alg = wire->alg.value_or(""),
          .curve = is_rsa ? "" : *wire->crv,
          .jwk = ToJson(half)};
  return IsUsable(key) ? std::optional(std::move(key)) : std::nullopt;
}

}  // namespace

const Algorithm* FindAlgorithm(std::string_view name) {
  const auto* const found = std::ranges::find(kAlgorithms, name, &Algorithm::name);
  return found == kAlgorithms.end() ? nullptr : found;
}

bool KeySet::Knows(std::string_view kid) const {
  return std::ranges::find(keys, kid, &Key::kid) != keys.end();
}

std::vector<const Key*> KeySet::Candidates(const Algorithm& algorithm, std::string_view kid) const {
  std::vector<const Key*> found;
  for (const Key& key : keys) {
    if (key.kty == algorithm.kty && key.curve == algorithm.curve &&
        (key.alg.empty() || key.alg == algorithm.name) && (kid.empty() || key.kid == kid)) {
      found.push_back(&key);
    }
  }
  return found;
}

Result<KeySet> ParseKeySet(std::string_view document) {
  ASSIGN_OR_RETURN(const boost::json::value json, ParseJson(document));
  const boost::json::object* const object = json.if_object();
  const boost::json::value* const list = object == nullptr ? nullptr : object->if_contains("keys");
  if (list == nullptr || !list->is_array()) {
    return Fail(ErrorCode::kInvalidArgument, "the key set has no array \"keys\"");
  }
  if (list->get_array().size() > kKeysMax) {
    return Fail(ErrorCode::kLimitExceeded, "the key set has too many keys");
  }
  KeySet set;
  for (const boost::json::value& entry : list->get_array()) {
    if (std::optional<Key> key = ReadKey(entry)) {
      set.keys.push_back(*std::move(key));
    }
  }
  if (set.keys.empty()) {
    return Fail(ErrorCode::kInvalidArgument, "the key set has no key that can check a signature");
  }
  return set;
}

}  // namespace atrium::oidc
