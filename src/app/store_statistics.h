// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <prometheus/collectable.h>
#include <prometheus/metric_family.h>

#include <cstdint>
#include <vector>

#include "store/engine.h"

namespace atrium::app {

/// The figures of an engine for /metrics, as atrium_store_<name>. `engine` outlives it.
class StoreStatistics final : public prometheus::Collectable {
 public:
  explicit StoreStatistics(store::Engine& engine) : engine_(engine) {}

  std::vector<prometheus::MetricFamily> Collect() const override;

 private:
  store::Engine& engine_;
};

/// How much a store takes, on disk and of what is not there yet.
std::uint64_t StoreBytes(const std::vector<store::Statistic>& statistics);

}  // namespace atrium::app
