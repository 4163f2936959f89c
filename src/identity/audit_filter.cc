// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "identity/audit_filter.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/json_peek.h"
#include "http/grammar.h"

namespace atrium::identity {
namespace {

bool IsInTime(const AuditFilter& filter, std::string_view at) {
  return (!filter.from || at >= RenderInstant(*filter.from)) &&
         (!filter.to || at <= RenderInstant(*filter.to));
}

bool IsBy(const AuditFilter& filter, const AuditGlimpse& line) {
  return filter.actor.empty() || line.actor == filter.actor ||
         http::LowerAscii(line.label).contains(http::LowerAscii(filter.actor));
}

}  // namespace

bool AuditFilter::IsEmpty() const {
  return actor.empty() && action.empty() && target.empty() && !from && !to;
}

Result<AuditGlimpse> GlimpseOf(std::string_view document) {
  std::array wanted{JsonPeek{.name = "at"}, JsonPeek{.name = "actor"}, JsonPeek{.name = "label"},
                    JsonPeek{.name = "action"}, JsonPeek{.name = "target"}};
  if (const Result<void> seen = PeekJson(document, wanted); !seen) {
    return FailPrivately(ErrorCode::kCorrupt, "a line of the audit log does not decode");
  }
  const auto take = [&](std::size_t index) { return std::move(wanted[index].text).value_or(""); };
  return AuditGlimpse{
      .at = take(0), .actor = take(1), .label = take(2), .action = take(3), .target = take(4)};
}

bool Matches(const AuditFilter& filter, const AuditGlimpse& line) {
  return line.action.starts_with(filter.action) && line.target.starts_with(filter.target) &&
         IsBy(filter, line) && IsInTime(filter, line.at);
}

}  // namespace atrium::identity
