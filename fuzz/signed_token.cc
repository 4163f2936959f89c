// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "oidc/signed_token.h"

#include <string>
#include <string_view>

#include "base/check.h"
#include "base/result.h"
#include "base/sealed_box.h"
#include "fuzz/fuzzing.h"

namespace atrium::fuzz {
namespace {

constexpr SecretKey kKey{std::byte{1}, std::byte{2}, std::byte{3}};

}  // namespace

/// The input is a token that somebody shows, and then the claims of one that is made here.
void TryInput(std::string_view input) {
  if (const Result<std::string> claims = oidc::OpenSignedToken(input, kKey)) {
    const Result<std::string> again = oidc::SignToken(*claims, kKey);
    Check(again && *again == input, "only tokens that were made here are opened");
  }
  constexpr std::size_t kClaimsMax = 1000;
  if (!input.empty() && input.size() < kClaimsMax) {
    const Result<std::string> token = oidc::SignToken(input, kKey);
    Check(token && oidc::OpenSignedToken(*token, kKey) == std::string(input), "tokens come back");
    Check(!oidc::OpenSignedToken(*token, SecretKey{}), "another key opens nothing");
  }
}

}  // namespace atrium::fuzz
