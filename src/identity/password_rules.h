// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

#include "base/result.h"

namespace atrium::identity {

/// Whose password it is to be. Both may be empty.
struct PasswordContext {
  std::string_view email{};
  std::string_view name{};
};

inline constexpr std::size_t kPasswordCharactersMin = 10;
inline constexpr std::size_t kPasswordBytesMax = 1024;

/// Whether a password may be chosen. Never asked about one that is only being tried.
///
/// Length is the rule, and there are no rules about kinds of characters. Refused with
/// kInvalidArgument, whose message says why: invalid UTF-8, fewer than kPasswordCharactersMin
/// characters, more than kPasswordBytesMax bytes, the e-mail address, its local part or the name
/// (whatever the case and punctuation, also with digits behind), a sequence, something short over
/// and over, and the long passwords that everybody tries first.
Result<void> CheckNewPassword(std::string_view password, const PasswordContext& context);

}  // namespace atrium::identity
