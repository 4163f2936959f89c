// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/instant.h"

namespace atrium::identity {

/// Time-based one-time passwords (RFC 6238) with what every authenticator app supports: SHA-1, six
/// digits, steps of 30 seconds. Secrets are raw bytes here; apps are shown them in base32.

inline constexpr std::size_t kRecoveryCodes = 10;

/// 20 random bytes (RFC 4226 §4 recommends the length of the hash).
std::string NewTotpSecret();

/// The number of whole steps since 1970; 0 before.
std::uint64_t TotpStep(Instant now);

/// The six digits of one step.
std::string TotpCode(std::string_view secret, std::uint64_t step);

/// The step that `code` belongs to, if it is right at `now`: the current one, or one either way for
/// clocks that differ. Spaces in the code do not matter.
///
/// Never a step that is not above `last_step`, so whoever stores the answer as the next `last_step`
/// in the same commit as the sign-in accepts each code once. 0: no code was used yet.
std::optional<std::uint64_t> MatchTotp(std::string_view secret, std::string_view code, Instant now,
                                       std::uint64_t last_step);

/// What an authenticator app scans: "otpauth://totp/Issuer:account?secret=…". `secret` is raw
/// bytes.
std::string TotpUri(std::string_view issuer, std::string_view account, std::string_view secret);

/// kRecoveryCodes codes of the form "xxxxx-xxxxx", 50 random bits each, for the day on which the
/// telephone is gone. Each is to be used once.
std::vector<std::string> NewRecoveryCodes();

/// What is stored of a recovery code, in hexadecimal digits. Case, spaces and hyphens of the code
/// do not matter.
std::string RecoveryCodeHash(std::string_view code);

}  // namespace atrium::identity
