// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "gauges/keys.h"

#include <chrono>
#include <optional>
#include <string>

#include "base/instant.h"
#include "gauges/records.h"
#include "gauges/resolution.h"
#include "store/collection.h"
#include "store/key_bytes.h"
#include "store/row.h"

namespace atrium::gauges {
namespace {

std::chrono::seconds StepOf(const Point& point) {
  return std::chrono::seconds(point.step_s);
}

std::optional<Instant> ExpiryOf(const Point& point) {
  const std::optional<Resolution> resolution = FindResolution(StepOf(point));
  // Of a release that kept others: they go at once.
  return point.at + (resolution ? resolution->kept : StepOf(point));
}

}  // namespace

std::string PartitionOf(std::chrono::seconds step) {
  return std::to_string(step.count());
}

std::string SortOf(Instant at) {
  return store::KeyBytes().Time(at).Take();
}

store::Key PointKey(std::chrono::seconds step, Instant at) {
  return {.partition = PartitionOf(step), .sort = SortOf(at)};
}

const store::Collection<Point>& Points() {
  static const store::Collection<Point> points({
      .table = &kPointTable,
      .key = [](const Point& point) { return PointKey(StepOf(point), point.at); },
      .expires_at = ExpiryOf,
  });
  return points;
}

}  // namespace atrium::gauges
