// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "identity/records.h"
#include "mail/letter.h"

namespace atrium::identity {

struct LinkLetter {
  LinkPurpose purpose = LinkPurpose::kSignIn;
  std::string to{};
  /// Whom it is for.
  std::string name{};
  std::string url{};
  /// From which address it was asked for.
  std::string asked_from{};
};

/// The letter in which a link travels.
mail::Letter WriteLinkLetter(const LinkLetter& about);

}  // namespace atrium::identity
