// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/describe/enum.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace atrium::identity {

/// What a secret that the server hands out is good for.
enum class TokenKind : std::uint8_t {
  kSession,        ///< ats_…
  kGuestSession,   ///< atg_…
  kApi,            ///< 40 lower-case hexadecimal digits: Seafile clients check for that.
  kPersonal,       ///< atp_…
  kAppPassword,    ///< xxxxx-xxxxx-xxxxx-xxxxx, because people type it.
  kMagicLink,      ///< atm_…
  kPasswordReset,  ///< atr_…
  kEmailChange,    ///< ate_…
  kEmailUndo,      ///< atv_…
  kSetup,          ///< atu_…
  kInvitation,     ///< ati_…
};
BOOST_DESCRIBE_ENUM(TokenKind, kSession, kGuestSession, kApi, kPersonal, kAppPassword, kMagicLink,
                    kPasswordReset, kEmailChange, kEmailUndo, kSetup, kInvitation)

/// A secret in the only moment in which its text is known to the server.
struct NewSecret {
  std::string text;  ///< Shown once, never stored.
  std::string hash;  ///< HashSecret(text): stored.
};

/// A new unguessable secret: 256 random bits behind a prefix that says what was found when one
/// lies around somewhere; 160 bits for API tokens and 100 for app passwords, whose forms are given.
NewSecret MakeSecret(TokenKind kind);

/// What is stored of a secret and looked up by: its SHA-256 in hexadecimal digits, which is enough
/// for secrets that nobody chose. Case, spaces and hyphens of an app password do not matter.
std::string HashSecret(std::string_view text);

/// Which kind of secret `text` has the form of; nullopt for anything else. Says nothing about
/// whether it was ever made.
std::optional<TokenKind> KindOf(std::string_view text);

}  // namespace atrium::identity
