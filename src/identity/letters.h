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

/// For whoever has the address that an account has, or had, when it gets another one.
struct UndoLetter {
  std::string to{};
  std::string name{};
  std::string new_address{};
  std::string url{};
  std::string asked_from{};
  /// The change has happened; else it was asked for.
  bool is_done = false;
};
mail::Letter WriteUndoLetter(const UndoLetter& about);

/// For somebody whose address another account wanted.
mail::Letter WriteTakenLetter(const std::string& to);

}  // namespace atrium::identity
