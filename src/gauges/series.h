// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "base/instant.h"
#include "base/result.h"
#include "gauges/resolution.h"
#include "store/op_context.h"
#include "store/store.h"

namespace atrium::gauges {

/// Which points are wanted.
struct SeriesQuery {
  Instant from{};
  /// Points that begin later than this are left out.
  Instant to{};
  Resolution resolution{};
};

/// A question as people ask it: what is missing is the day up to now, in the finest points that
/// there are for it. kInvalidArgument names what is wrong.
struct SeriesWish {
  std::optional<Instant> from{};
  std::optional<Instant> to{};
  std::optional<std::chrono::seconds> step{};
};
Result<SeriesQuery> QueryFor(const SeriesWish& wish, Instant now);

/// The points as a JSON array, oldest first; at most kPointsMax. Stretches without a sample have
/// none.
Result<std::string> ReadPoints(store::Store& store, const store::OpContext& op,
                               const SeriesQuery& query);

}  // namespace atrium::gauges
