// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/instant.h"
#include "base/result.h"

namespace atrium::identity {

/// Which lines of the audit log are wanted. What is empty leaves nothing out.
struct AuditFilter {
  /// The whole of "user:<id>", "operator" or the like, or a part of the label, in any case.
  std::string actor{};
  /// What the action begins with: "session." or "user.created".
  std::string action{};
  /// What the target begins with: "user:" or "user:<id>".
  std::string target{};
  /// Both ends belong to it.
  std::optional<Instant> from{};
  std::optional<Instant> to{};

  bool IsEmpty() const;
};

/// What a filter sees of a line.
struct AuditGlimpse {
  /// As RenderInstant() writes it: text order is time order.
  std::string at{};
  std::string actor{};
  std::string label{};
  std::string action{};
  std::string target{};
};

/// kCorrupt when it is no line of the log.
Result<AuditGlimpse> GlimpseOf(std::string_view document);

bool Matches(const AuditFilter& filter, const AuditGlimpse& line);

}  // namespace atrium::identity
