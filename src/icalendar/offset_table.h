// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <span>
#include <vector>

#include "almanac/local_time.h"
#include "almanac/zone.h"
#include "base/instant.h"

namespace atrium::icalendar {

/// Some time, its end not included.
struct TimeSpan {
  Instant from{};
  Instant to{};
};

/// What clocks are ahead of UTC at any time, as a list of changes.
class OffsetTable {
 public:
  /// `changes` in any order; where two happen at once, that to the larger offset counts. What one
  /// finds is what the one before it left, whatever it says itself. `first` is the offset before
  /// the first of them.
  OffsetTable(std::chrono::seconds first, std::vector<almanac::OffsetChange> changes);

  std::chrono::seconds OffsetAt(Instant instant) const;

  /// The moment at which clocks show `time`; skipped and repeated times as almanac::Zone::At().
  Instant At(const almanac::LocalTime& time) const;

  /// Those that change something, in order.
  std::span<const almanac::OffsetChange> Changes() const { return changes_; }

  /// For how long of `span` the clocks of `zone` show something else. Once that is more than
  /// `most`, the answer is some time longer than `most`.
  std::chrono::seconds DifferenceTo(const almanac::Zone& zone, const TimeSpan& span,
                                    std::chrono::seconds most) const;

 private:
  Instant NextChange(Instant instant, Instant limit) const;

  std::chrono::seconds first_;
  std::vector<almanac::OffsetChange> changes_;
};

}  // namespace atrium::icalendar
