// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>

#include "base/instant.h"
#include "gauges/records.h"
#include "store/collection.h"
#include "store/row.h"
#include "store/table.h"

namespace atrium::gauges {

// docs/formats/gauges.md shows the rows.

inline constexpr store::Table kPointTable{.number = 90, .name = "gauge_points"};

const store::Collection<Point>& Points();

/// All points of one length lie together.
std::string PartitionOf(std::chrono::seconds step);
std::string SortOf(Instant at);
store::Key PointKey(std::chrono::seconds step, Instant at);

}  // namespace atrium::gauges
