// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "oidc/signed_token.h"

#include <cjose/error.h>
#include <cjose/header.h>
#include <cjose/jwk.h>
#include <cjose/jws.h>
#include <openssl/err.h>

#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/base64.h"
#include "base/constant_time.h"
#include "base/error.h"
#include "oidc/cjose_handles.h"

namespace atrium::oidc {
namespace {

constexpr std::size_t kTokenBytesMax = 4096;

struct HeaderRelease {
  void operator()(cjose_header_t* header) const { cjose_header_release(header); }
};

std::unexpected<Error> Refused() {
  return Fail(ErrorCode::kPermissionDenied, "the token is not one of this server");
}

}  // namespace

Result<std::string> SignToken(std::string_view claims, const SecretKey& key) {
  cjose_err error{};
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): bytes, as cjose spells them.
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(key.data());
  const JwkHandle jwk(cjose_jwk_create_oct_spec(bytes, key.size(), &error));
  const std::unique_ptr<cjose_header_t, HeaderRelease> header(cjose_header_new(&error));
  const char* compact = nullptr;
  JwsHandle jws;
  if (jwk && header && cjose_header_set(header.get(), CJOSE_HDR_ALG, CJOSE_HDR_ALG_HS256, &error)) {
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): as above.
    const auto* plain = reinterpret_cast<const std::uint8_t*>(claims.data());
    jws.reset(cjose_jws_sign(jwk.get(), header.get(), plain, claims.size(), &error));
  }
  const bool signed_well = jws && cjose_jws_export(jws.get(), &compact, &error);
  // OpenSSL's list of errors belongs to the thread; what stays in it is blamed on the next call.
  ERR_clear_error();
  if (!signed_well) {
    return FailPrivately(ErrorCode::kInternal, "a token could not be signed");
  }
  return std::string(compact);
}

/// Equal claims give equal tokens, so nothing of a stranger's token is interpreted but its middle.
Result<std::string> OpenSignedToken(std::string_view compact, const SecretKey& key) {
  const std::size_t first = compact.find('.');
  const std::size_t second = first == std::string_view::npos ? first : compact.find('.', first + 1);
  if (second == std::string_view::npos || compact.size() > kTokenBytesMax) {
    return Refused();
  }
  const Result<std::string> claims = DecodeBase64Url(compact.substr(first + 1, second - first - 1));
  if (!claims || claims->empty()) {
    return Refused();
  }
  ASSIGN_OR_RETURN(const std::string expected, SignToken(*claims, key));
  return ConstantTimeEqual(expected, compact) ? claims : Refused();
}

}  // namespace atrium::oidc
