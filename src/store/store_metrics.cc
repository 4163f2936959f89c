// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "store/store_metrics.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

namespace atrium::store {
namespace {

constexpr std::array<std::string_view, 5> kNames = {"get", "scan", "commit", "write_immutable",
                                                    "walk"};

prometheus::MetricFamily Family(std::string name, std::string help, prometheus::MetricType type) {
  prometheus::MetricFamily family;
  family.name = std::move(name);
  family.help = std::move(help);
  family.type = type;
  return family;
}

prometheus::ClientMetric Labelled(const Table& table, std::string_view verb) {
  prometheus::ClientMetric metric;
  metric.label = {{.name = "table", .value = std::string(table.name)},
                  {.name = "verb", .value = std::string(verb)}};
  return metric;
}

}  // namespace

void StoreMetrics::Count(const Table& table, Verb verb, const Measured& measured) {
  Place& place = places_[std::min<std::size_t>(table.number, kTables - 1)];
  if (place.table.load(std::memory_order_relaxed) == nullptr) {
    place.table.store(&table, std::memory_order_relaxed);
  }
  Meter& meter = place.meters[static_cast<std::size_t>(verb)];
  meter.calls.fetch_add(1, std::memory_order_relaxed);
  meter.failures.fetch_add(measured.failed ? 1 : 0, std::memory_order_relaxed);
  meter.nanoseconds.fetch_add(
      static_cast<std::uint64_t>(std::chrono::nanoseconds(measured.took).count()),
      std::memory_order_relaxed);
}

std::vector<prometheus::MetricFamily> StoreMetrics::Collect() const {
  using prometheus::MetricType;
  auto seconds = Family("atrium_store_operation_seconds", "Time spent in operations of the store.",
                        MetricType::Summary);
  auto failures =
      Family("atrium_store_operation_failures_total",
             "Operations of the store that failed, conflicts included.", MetricType::Counter);
  for (const Place& place : places_) {
    const Table* table = place.table.load(std::memory_order_relaxed);
    for (std::size_t verb = 0; table != nullptr && verb < kVerbs; ++verb) {
      const Meter& meter = place.meters[verb];
      if (meter.calls.load(std::memory_order_relaxed) == 0) {
        continue;
      }
      prometheus::ClientMetric time = Labelled(*table, kNames[verb]);
      time.summary.sample_count = meter.calls.load(std::memory_order_relaxed);
      time.summary.sample_sum =
          static_cast<double>(meter.nanoseconds.load(std::memory_order_relaxed)) / 1e9;
      seconds.metric.push_back(std::move(time));
      prometheus::ClientMetric failed = Labelled(*table, kNames[verb]);
      failed.counter.value = static_cast<double>(meter.failures.load(std::memory_order_relaxed));
      failures.metric.push_back(std::move(failed));
    }
  }
  return {std::move(seconds), std::move(failures)};
}

}  // namespace atrium::store
