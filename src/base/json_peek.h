// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace atrium {

/// A member of a document whose text is wanted.
struct JsonPeek {
  std::string_view name{};
  /// nullopt: the document has no such member.
  std::optional<std::string> text{};
};

/// Finds the texts of some members of an object without building the rest of it: for documents of
/// our own, of which little must be known before they are handed on as they are. kInvalidArgument
/// when it is no object, or a member that is wanted is no string.
Result<void> PeekJson(std::string_view document, std::span<JsonPeek> wanted);

}  // namespace atrium
