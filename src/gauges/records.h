// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/describe/class.hpp>
#include <cstdint>

#include "base/instant.h"

namespace atrium::gauges {

/// What was measured in one stretch of time.
struct Point {
  /// How long the stretch is: one of kResolutions.
  std::int64_t step_s = 0;
  /// When it begins.
  Instant at{};
  /// How much of it was measured. Less than the step while it lasts, and when the server was away.
  std::int64_t seconds = 0;
  // In this stretch.
  std::uint64_t requests = 0;
  std::uint64_t errors = 0;
  std::uint64_t bytes_in = 0;
  std::uint64_t bytes_out = 0;
  // At its end.
  std::uint64_t store_bytes = 0;
  std::uint64_t blob_bytes = 0;
  std::uint64_t users = 0;
  /// The most that were in use between two samples.
  std::uint64_t sessions = 0;

  friend bool operator==(const Point&, const Point&) = default;
};
BOOST_DESCRIBE_STRUCT(Point, (),
                      (step_s, at, seconds, requests, errors, bytes_in, bytes_out, store_bytes,
                       blob_bytes, users, sessions))

}  // namespace atrium::gauges
