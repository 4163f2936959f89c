// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/metrics.h"

#include <prometheus/metric_type.h>

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

namespace atrium::http {
namespace {

using prometheus::ClientMetric;
using prometheus::MetricFamily;
using prometheus::MetricType;

constexpr double kNanoseconds = 1e-9;

MetricFamily Family(std::string name, std::string help, MetricType type) {
  return {.name = std::move(name), .help = std::move(help), .type = type, .metric = {}};
}

MetricFamily Single(std::string name, std::string help, MetricType type, double value) {
  MetricFamily family = Family(std::move(name), std::move(help), type);
  ClientMetric metric;
  (type == MetricType::Counter ? metric.counter.value : metric.gauge.value) = value;
  family.metric.push_back(std::move(metric));
  return family;
}

}  // namespace

void MetricsShard::Count(const Exchanged& exchanged) {
  Row& row = rows_[exchanged.row];
  row.by_class[static_cast<std::size_t>(std::clamp(exchanged.status / 100, 0, 5))].Add(1);
  const double seconds = static_cast<double>(exchanged.duration.count()) * kNanoseconds;
  const auto* bound = std::ranges::lower_bound(kLatencyBounds, seconds);
  row.buckets[static_cast<std::size_t>(bound - kLatencyBounds.begin())].Add(1);
  row.nanoseconds.Add(static_cast<std::uint64_t>(exchanged.duration.count()));
  bytes_in.Add(exchanged.bytes_in);
  bytes_out.Add(exchanged.bytes_out);
}

HttpMetrics::HttpMetrics(const Router& router, const WorkerPool& pool, const AccessLog& access_log,
                         const MemoryBudget& memory, std::size_t threads)
    : router_(router), pool_(pool), access_log_(access_log), memory_(memory) {
  for (std::size_t i = 0; i < threads; ++i) {
    shards_.push_back(std::make_unique<MetricsShard>(router.Endpoints().size()));
  }
}

std::vector<MetricFamily> HttpMetrics::Collect() const {
  std::vector<MetricFamily> families;
  CollectRoutes(families);
  CollectTotals(families);
  CollectWork(families);
  return families;
}

std::string HttpMetrics::LabelOf(std::size_t row) const {
  const auto& endpoints = router_.Endpoints();
  if (row >= endpoints.size()) {
    return "(none)";
  }
  const Route& route = endpoints[row]->route;
  return std::string(Name(route.method)) + " " + route.path;
}

void HttpMetrics::CollectRoutes(std::vector<MetricFamily>& families) const {
  MetricFamily requests =
      Family("atrium_http_requests_total", "Requests answered, by route and class of status.",
             MetricType::Counter);
  MetricFamily latency =
      Family("atrium_http_request_duration_seconds",
             "From the first byte of a request to the last of its reply.", MetricType::Histogram);
  for (std::size_t row = 0; row <= router_.Endpoints().size(); ++row) {
    CollectStatuses(requests, row);
    CollectLatency(latency, row);
  }
  families.push_back(std::move(requests));
  families.push_back(std::move(latency));
}

void HttpMetrics::CollectStatuses(MetricFamily& family, std::size_t row) const {
  for (std::size_t status_class = 1; status_class <= 5; ++status_class) {
    std::uint64_t count = 0;
    for (const auto& shard : shards_) {
      count += shard->Rows()[row].by_class[status_class].value();
    }
    if (count > 0) {
      ClientMetric metric;
      metric.label = {{.name = "route", .value = LabelOf(row)},
                      {.name = "status", .value = std::to_string(status_class) + "xx"}};
      metric.counter.value = static_cast<double>(count);
      family.metric.push_back(std::move(metric));
    }
  }
}

void HttpMetrics::CollectLatency(MetricFamily& family, std::size_t row) const {
  ClientMetric metric;
  std::uint64_t total = 0;
  for (std::size_t i = 0; i <= kLatencyBounds.size(); ++i) {
    for (const auto& shard : shards_) {
      total += shard->Rows()[row].buckets[i].value();
    }
    const double bound =
        i < kLatencyBounds.size() ? kLatencyBounds[i] : std::numeric_limits<double>::infinity();
    metric.histogram.bucket.push_back({.cumulative_count = total, .upper_bound = bound});
  }
  if (total == 0) {
    return;
  }
  for (const auto& shard : shards_) {
    metric.histogram.sample_sum +=
        static_cast<double>(shard->Rows()[row].nanoseconds.value()) * kNanoseconds;
  }
  metric.histogram.sample_count = total;
  metric.label = {{.name = "route", .value = LabelOf(row)}};
  family.metric.push_back(std::move(metric));
}

HttpTotals HttpMetrics::Totals() const {
  HttpTotals totals{.bytes_in = Sum(&MetricsShard::bytes_in),
                    .bytes_out = Sum(&MetricsShard::bytes_out)};
  for (const auto& shard : shards_) {
    for (const MetricsShard::Row& row : shard->Rows()) {
      for (const OwnedCounter& count : row.by_class) {
        totals.requests += count.value();
      }
      totals.errors += row.by_class.back().value();
    }
  }
  return totals;
}

std::uint64_t HttpMetrics::Sum(OwnedCounter MetricsShard::* counter) const {
  std::uint64_t sum = 0;
  for (const auto& shard : shards_) {
    sum += ((*shard).*counter).value();
  }
  return sum;
}

void HttpMetrics::CollectTotals(std::vector<MetricFamily>& families) const {
  const auto add = [&](std::string name, std::string help, MetricType type, auto value) {
    families.push_back(Single(std::move(name), std::move(help), type, static_cast<double>(value)));
  };
  add("atrium_http_received_bytes_total", "Bytes of requests.", MetricType::Counter,
      Sum(&MetricsShard::bytes_in));
  add("atrium_http_sent_bytes_total", "Bytes of replies.", MetricType::Counter,
      Sum(&MetricsShard::bytes_out));
  add("atrium_http_connections_opened_total", "Connections accepted.", MetricType::Counter,
      Sum(&MetricsShard::connections_opened));
  add("atrium_http_connections", "Connections open now.", MetricType::Gauge,
      Sum(&MetricsShard::connections_open));
  add("atrium_http_sockets", "Connections that are WebSockets now.", MetricType::Gauge,
      Sum(&MetricsShard::sockets_open));
  add("atrium_http_socket_received_messages_total", "Messages of WebSocket clients.",
      MetricType::Counter, Sum(&MetricsShard::socket_messages_in));
  add("atrium_http_socket_sent_messages_total", "Messages to WebSocket clients.",
      MetricType::Counter, Sum(&MetricsShard::socket_messages_out));
  add("atrium_http_timeouts_total", "Connections given up as too slow.", MetricType::Counter,
      Sum(&MetricsShard::timeouts));
  add("atrium_http_rate_limited_total", "Requests answered with 429.", MetricType::Counter,
      Sum(&MetricsShard::rate_limited));
  add("atrium_http_queue_full_total", "Requests answered with 503 because the queue was full.",
      MetricType::Counter, Sum(&MetricsShard::queue_full));
  add("atrium_access_log_dropped_bytes_total", "Lines lost because nobody took them in time.",
      MetricType::Counter, access_log_.DroppedBytes());
}

void HttpMetrics::CollectWork(std::vector<MetricFamily>& families) const {
  const auto add = [&](std::string name, std::string help, MetricType type, auto value) {
    families.push_back(Single(std::move(name), std::move(help), type, static_cast<double>(value)));
  };
  add("atrium_workers_queue_depth", "Blocking requests that wait for a thread.", MetricType::Gauge,
      pool_.Depth());
  add("atrium_workers_held_back",
      "Those of them that wait because their person or their room has its share of the threads.",
      MetricType::Gauge, pool_.HeldBack());
  add("atrium_workers_running", "Blocking requests at work.", MetricType::Gauge, pool_.Running());
  add("atrium_body_memory_bytes", "Memory of request bodies and of what is decoded from them.",
      MetricType::Gauge, memory_.Used());
  add("atrium_body_memory_max_bytes", "How much of that there may be.", MetricType::Gauge,
      memory_.Max());
  add("atrium_body_memory_refused_total", "Requests that did not get the memory they needed.",
      MetricType::Counter, memory_.Refusals());
}

}  // namespace atrium::http
