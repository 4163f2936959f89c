// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "almanac/expansion_budget.h"
#include "almanac/local_time.h"
#include "almanac/zone.h"
#include "base/result.h"
#include "icalendar/offset_table.h"
#include "icalendar/text_blocks.h"

namespace atrium::icalendar {

/// Years, both included.
struct YearSpan {
  int first{};
  int last{};

  /// From New Year to New Year in UTC.
  TimeSpan Times() const;

  friend bool operator==(const YearSpan&, const YearSpan&) = default;
};

/// What a VTIMEZONE of a file says of a zone (RFC 5545 §3.6.5).
class ZoneDefinition {
 public:
  /// How many STANDARD and DAYLIGHT one may have, and how many dates in all of them.
  static constexpr std::size_t kObservancesMax = 500;
  static constexpr std::size_t kDatesMax = 2000;

  /// kInvalidArgument with a reason for people when it says nothing that could be used: a line that
  /// is no property, an observance without offsets or start, a rule that is not understood, too
  /// many of them.
  static Result<ZoneDefinition> Parse(const Block& vtimezone);

  /// What clocks show in those years. kInvalidArgument or kLimitExceeded when the rules give more
  /// than the budget has.
  Result<OffsetTable> Expand(const YearSpan& years, almanac::ExpansionBudget& budget) const;

 private:
  /// One way in which clocks are put, and when.
  struct Observance {
    std::chrono::seconds before{};
    std::chrono::seconds after{};
    /// On clocks that show `before` still, as the dates are.
    almanac::LocalTime start{};
    /// As almanac::CanonicalRule() has it; empty: none.
    std::string rule{};
    std::vector<almanac::LocalTime> dates{};
  };
  friend class ObservanceReader;

  static Result<void> AddChanges(const Observance& observance, const YearSpan& years,
                                 almanac::ExpansionBudget& budget,
                                 std::vector<almanac::OffsetChange>& changes);

  std::vector<Observance> observances_;
};

}  // namespace atrium::icalendar
