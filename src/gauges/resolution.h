// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <optional>

#include "base/instant.h"

namespace atrium::gauges {

/// Points of one length, and for how long they are kept.
struct Resolution {
  std::chrono::seconds step;
  std::chrono::seconds kept;

  friend bool operator==(const Resolution&, const Resolution&) = default;
};

/// From the finest to the coarsest.
inline constexpr std::array kResolutions{
    Resolution{.step = std::chrono::minutes(5), .kept = std::chrono::days(2)},
    Resolution{.step = std::chrono::hours(1), .kept = std::chrono::days(60)},
    Resolution{.step = std::chrono::days(1), .kept = std::chrono::days(3 * 365 + 1)},
};

/// No question is answered with more points than this; what is kept are fewer, but for what a clock
/// that ran wild has left.
inline constexpr std::size_t kPointsMax = 2000;

/// The beginning of the stretch in which `at` lies, counted in UTC.
Instant StretchOf(Instant at, std::chrono::seconds step);

/// The one with this step; nullopt when there is none.
std::optional<Resolution> FindResolution(std::chrono::seconds step);

/// The finest one that still knows what was at `from`; the coarsest when none does.
Resolution ResolutionFor(Instant from, Instant now);

}  // namespace atrium::gauges
