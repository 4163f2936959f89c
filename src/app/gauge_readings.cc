// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/gauge_readings.h"

#include <cstdint>

#include "app/store_statistics.h"
#include "base/result.h"
#include "gauges/instruments.h"
#include "http/metrics.h"
#include "identity/organisations.h"

namespace atrium::app {

Result<gauges::Reading> GaugeReadings::Read() {
  ASSIGN_OR_RETURN(const identity::ServerUsage all,
                   identity_.organisations.UsageOfAll(store::OpContext::ForWork("gauges.sample")));
  gauges::Reading reading{.store_bytes = StoreBytes(store_.Statistics()),
                          .blob_bytes = blobs_.Statistics().bytes,
                          .users = static_cast<std::uint64_t>(all.usage.users),
                          .sessions = identity_.uses.TakeSessionCount()};
  if (traffic_ != nullptr) {
    const http::HttpTotals totals = traffic_->Totals();
    reading.requests = totals.requests;
    reading.errors = totals.errors;
    reading.bytes_in = totals.bytes_in;
    reading.bytes_out = totals.bytes_out;
  }
  return reading;
}

}  // namespace atrium::app
