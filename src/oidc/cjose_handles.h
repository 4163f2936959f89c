// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cjose/jwk.h>
#include <cjose/jws.h>

#include <memory>

namespace atrium::oidc {

struct JwkRelease {
  void operator()(cjose_jwk_t* jwk) const { cjose_jwk_release(jwk); }
};
struct JwsRelease {
  void operator()(cjose_jws_t* jws) const { cjose_jws_release(jws); }
};

/// Owners of what cjose hands out. Its objects are not shared between threads: their counts of
/// references are plain numbers.
using JwkHandle = std::unique_ptr<cjose_jwk_t, JwkRelease>;
using JwsHandle = std::unique_ptr<cjose_jws_t, JwsRelease>;

}  // namespace atrium::oidc
