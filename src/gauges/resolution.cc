// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "gauges/resolution.h"

#include <algorithm>
#include <chrono>
#include <optional>

#include "base/instant.h"

namespace atrium::gauges {

Instant StretchOf(Instant at, std::chrono::seconds step) {
  const auto since = std::chrono::floor<std::chrono::seconds>(at.time_since_epoch());
  // Also before 1970, where the remainder is negative.
  const auto into = (since % step + step) % step;
  return Instant(since - into);
}

std::optional<Resolution> FindResolution(std::chrono::seconds step) {
  const auto* found = std::ranges::find(kResolutions, step, &Resolution::step);
  return found == kResolutions.end() ? std::nullopt : std::optional(*found);
}

Resolution ResolutionFor(Instant from, Instant now) {
  const auto* found = std::ranges::find_if(
      kResolutions, [&](const Resolution& one) { return now - from <= one.kept; });
  return found == kResolutions.end() ? kResolutions.back() : *found;
}

}  // namespace atrium::gauges
