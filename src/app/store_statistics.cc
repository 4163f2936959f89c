// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/store_statistics.h"

#include <prometheus/client_metric.h>
#include <prometheus/metric_family.h>
#include <prometheus/metric_type.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "store/engine.h"

namespace atrium::app {

std::vector<prometheus::MetricFamily> StoreStatistics::Collect() const {
  std::vector<prometheus::MetricFamily> families;
  for (store::Statistic& statistic : engine_.Statistics()) {
    const bool counter = statistic.kind == store::Statistic::Kind::kCounter;
    prometheus::ClientMetric metric;
    (counter ? metric.counter.value : metric.gauge.value) = statistic.value;
    families.push_back(
        {.name = "atrium_store_" + statistic.name,
         .help = std::move(statistic.help),
         .type = counter ? prometheus::MetricType::Counter : prometheus::MetricType::Gauge,
         .metric = {metric}});
  }
  return families;
}

std::uint64_t StoreBytes(const std::vector<store::Statistic>& statistics) {
  double bytes = 0;
  for (const store::Statistic& statistic : statistics) {
    if (statistic.name == "table_bytes_total" || statistic.name == "memtable_bytes") {
      bytes += statistic.value;
    }
  }
  return static_cast<std::uint64_t>(bytes);
}

}  // namespace atrium::app
