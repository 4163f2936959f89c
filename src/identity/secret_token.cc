// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "identity/secret_token.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/check.h"
#include "base/hash.h"
#include "base/hex.h"
#include "base/random.h"
#include "identity/base32.h"

namespace atrium::identity {
namespace {

struct Prefix {
  TokenKind kind;
  std::string_view text;
};

constexpr std::array<Prefix, 9> kPrefixes{{
    {.kind = TokenKind::kSession, .text = "ats_"},
    {.kind = TokenKind::kGuestSession, .text = "atg_"},
    {.kind = TokenKind::kPersonal, .text = "atp_"},
    {.kind = TokenKind::kMagicLink, .text = "atm_"},
    {.kind = TokenKind::kPasswordReset, .text = "atr_"},
    {.kind = TokenKind::kEmailChange, .text = "ate_"},
    {.kind = TokenKind::kEmailUndo, .text = "atv_"},
    {.kind = TokenKind::kSetup, .text = "atu_"},
    {.kind = TokenKind::kInvitation, .text = "ati_"},
}};

constexpr std::size_t kRandomBytes = 32;
constexpr std::size_t kRandomCharacters = 43;  // 32 bytes in base64url.
constexpr std::size_t kApiTokenBytes = 20;
constexpr std::size_t kAppPasswordCharacters = 20;

std::string MakeApiToken() {
  std::array<std::byte, kApiTokenBytes> bytes{};
  FillRandom(bytes);
  return EncodeHex(bytes);
}

std::string MakePrefixed(TokenKind kind) {
  const auto* const prefix = std::ranges::find(kPrefixes, kind, &Prefix::kind);
  Check(prefix != kPrefixes.end(), "a kind of secret without a form of its own has a prefix");
  return std::string(prefix->text) + RandomToken(kRandomBytes);
}

std::string MakeText(TokenKind kind) {
  if (kind == TokenKind::kApi) {
    return MakeApiToken();
  }
  if (kind == TokenKind::kAppPassword) {
    return GroupTypable(RandomTypable(kAppPasswordCharacters));
  }
  return MakePrefixed(kind);
}

bool IsBase64UrlCharacter(char c) {
  return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || ('0' <= c && c <= '9') || c == '-' ||
         c == '_';
}

bool IsLowerHexDigit(char c) {
  return ('a' <= c && c <= 'f') || ('0' <= c && c <= '9');
}

std::optional<TokenKind> KindByPrefix(std::string_view text) {
  for (const Prefix& prefix : kPrefixes) {
    if (text.starts_with(prefix.text) && text.size() == prefix.text.size() + kRandomCharacters) {
      text.remove_prefix(prefix.text.size());
      return std::ranges::all_of(text, IsBase64UrlCharacter) ? std::optional(prefix.kind)
                                                             : std::nullopt;
    }
  }
  return std::nullopt;
}

}  // namespace

NewSecret MakeSecret(TokenKind kind) {
  std::string text = MakeText(kind);
  std::string hash = HashSecret(text);
  return {.text = std::move(text), .hash = std::move(hash)};
}

std::string HashSecret(std::string_view text) {
  if (KindOf(text) == TokenKind::kAppPassword) {
    return EncodeHex(Sha256Of(NormaliseTypable(text)));
  }
  return EncodeHex(Sha256Of(text));
}

std::optional<TokenKind> KindOf(std::string_view text) {
  if (const auto kind = KindByPrefix(text)) {
    return kind;
  }
  if (text.size() == 2 * kApiTokenBytes && std::ranges::all_of(text, IsLowerHexDigit)) {
    return TokenKind::kApi;
  }
  const std::string typed = NormaliseTypable(text);
  if (typed.size() == kAppPasswordCharacters && IsTypable(typed)) {
    return TokenKind::kAppPassword;
  }
  return std::nullopt;
}

}  // namespace atrium::identity
