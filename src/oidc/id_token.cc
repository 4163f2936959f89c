// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "oidc/id_token.h"

#include <cjose/error.h>
#include <cjose/jwk.h>
#include <cjose/jws.h>
#include <openssl/err.h>

#include <algorithm>
#include <array>
#include <boost/describe/class.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/base64.h"
#include "base/error.h"
#include "base/json_read.h"
#include "base/result.h"
#include "oidc/cjose_handles.h"
#include "oidc/claims.h"
#include "oidc/keys.h"

namespace atrium::oidc {
namespace {

constexpr std::size_t kSegments = 3;

/// Header, payload and signature, still encoded.
Result<std::array<std::string_view, kSegments>> SplitToken(std::string_view compact) {
  if (compact.size() > kTokenBytesMax) {
    return Fail(ErrorCode::kInvalidArgument, "ID token: it is too long");
  }
  if (std::ranges::count(compact, '.') != kSegments - 1) {
    return Fail(ErrorCode::kInvalidArgument, "ID token: it is not made of three parts");
  }
  const std::size_t first = compact.find('.');
  const std::size_t second = compact.find('.', first + 1);
  return std::array{compact.substr(0, first), compact.substr(first + 1, second - first - 1),
                    compact.substr(second + 1)};
}

bool IsSignedBy(std::string_view compact, const Key& key) {
  cjose_err error{};
  const JwkHandle jwk(cjose_jwk_import(key.jwk.data(), key.jwk.size(), &error));
  const JwsHandle jws(cjose_jws_import(compact.data(), compact.size(), &error));
  const bool good = jwk && jws && cjose_jws_verify(jws.get(), jwk.get(), &error);
  // OpenSSL's list of errors belongs to the thread; what stays in it is blamed on the next call.
  ERR_clear_error();
  return good;
}

}  // namespace

Result<TokenHeader> ReadTokenHeader(std::string_view compact) {
  ASSIGN_OR_RETURN(const auto segments, SplitToken(compact));
  const Result<std::string> text = DecodeBase64Url(segments[0]);
  // Two members of one name are refused here, so the library cannot see another algorithm than we.
  const Result<boost::json::value> json = text ? ParseJson(*text) : std::unexpected(text.error());
  if (!json || !json->is_object()) {
    return Fail(ErrorCode::kInvalidArgument, "ID token: its header is malformed");
  }
  const boost::json::object& header = json->get_object();
  const boost::json::value* const alg = header.if_contains("alg");
  const boost::json::value* const kid = header.if_contains("kid");
  if (alg == nullptr || !alg->is_string() || (kid != nullptr && !kid->is_string())) {
    return Fail(ErrorCode::kInvalidArgument, "ID token: its header is malformed");
  }
  const Algorithm* const algorithm = FindAlgorithm(std::string_view(alg->get_string()));
  if (algorithm == nullptr) {
    return Fail(ErrorCode::kPermissionDenied, "ID token: its algorithm is not accepted");
  }
  if (header.contains("crit")) {
    return Fail(ErrorCode::kPermissionDenied, "ID token: it has critical extensions");
  }
  return TokenHeader{.algorithm = algorithm,
                     .kid = kid == nullptr ? std::string() : std::string(kid->get_string())};
}

Result<Claims> VerifyIdToken(std::string_view compact, const KeySet& keys,
                             const Expected& expected) {
  ASSIGN_OR_RETURN(const TokenHeader header, ReadTokenHeader(compact));
  ASSIGN_OR_RETURN(const auto segments, SplitToken(compact));
  const Result<std::string> payload = DecodeBase64Url(segments[1]);
  // All three parts are read before cjose sees them: it is not built to be handed anything else.
  if (!payload || payload->empty() || segments[2].empty() || !DecodeBase64Url(segments[2])) {
    return Fail(ErrorCode::kInvalidArgument, "ID token: it is malformed");
  }
  const std::vector<const Key*> candidates = keys.Candidates(*header.algorithm, header.kid);
  if (candidates.empty()) {
    return Fail(ErrorCode::kPermissionDenied, "ID token: it was signed with an unknown key");
  }
  if (!std::ranges::any_of(candidates, [&](const Key* key) { return IsSignedBy(compact, *key); })) {
    return Fail(ErrorCode::kPermissionDenied, "ID token: the signature is wrong");
  }
  return ReadIdClaims(*payload, expected);
}

}  // namespace atrium::oidc
