// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "gauges/series.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "base/error.h"
#include "base/instant.h"
#include "gauges/keys.h"
#include "store/engine.h"
#include "store/limits.h"
#include "store/row.h"

namespace atrium::gauges {
namespace {

constexpr std::chrono::hours kUsualRange{24};

}  // namespace

Result<SeriesQuery> QueryFor(const SeriesWish& wish, Instant now) {
  const Instant to = wish.to.value_or(now);
  const Instant from = wish.from.value_or(to - kUsualRange);
  if (from >= to) {
    return Fail(ErrorCode::kInvalidArgument, "from: must be before to");
  }
  if (!wish.step) {
    return SeriesQuery{.from = from, .to = to, .resolution = ResolutionFor(from, now)};
  }
  const std::optional<Resolution> named = FindResolution(*wish.step);
  if (!named) {
    return Fail(ErrorCode::kInvalidArgument, "step: 300, 3600 or 86400 seconds");
  }
  return SeriesQuery{.from = from, .to = to, .resolution = *named};
}

Result<std::string> ReadPoints(store::Store& store, const store::OpContext& op,
                               const SeriesQuery& query) {
  const std::chrono::seconds step = query.resolution.step;
  const std::string partition = PartitionOf(step);
  store::ScanRequest request{.table = &kPointTable,
                             .partition = partition,
                             .range = {.from = SortOf(StretchOf(query.from, step)),
                                       .before = SortOf(query.to + std::chrono::milliseconds(1))}};
  std::string points = "[";
  std::size_t taken = 0;
  store::FunctionSink sink([&](const store::RowView& row) {
    points += taken++ > 0 ? "," : "";
    points += row.document;
  });
  do {
    request.limit = std::min(store::kScanRowsMax, kPointsMax - taken);
    ASSIGN_OR_RETURN(store::ScanEnd end, store.Scan(op, request, sink));
    request.after = std::move(end.resume);
  } while (request.after && taken < kPointsMax);
  return points + "]";
}

}  // namespace atrium::gauges
