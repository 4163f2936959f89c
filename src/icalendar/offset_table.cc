// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "icalendar/offset_table.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>
#include <vector>

#include "almanac/local_time.h"
#include "almanac/zone.h"
#include "base/instant.h"
#include "icalendar/values.h"

namespace atrium::icalendar {

using almanac::OffsetChange;
using std::chrono::seconds;

OffsetTable::OffsetTable(seconds first, std::vector<OffsetChange> changes) : first_(first) {
  std::ranges::sort(changes, {},
                    [](const OffsetChange& change) { return std::pair(change.at, change.after); });
  seconds now = first;
  for (OffsetChange& change : changes) {
    if (!changes_.empty() && changes_.back().at == change.at) {
      now = changes_.back().before;
      changes_.pop_back();
    }
    if (change.after != now) {
      change.before = now;
      now = change.after;
      changes_.push_back(change);
    }
  }
}

seconds OffsetTable::OffsetAt(Instant instant) const {
  const auto later = std::ranges::upper_bound(changes_, instant, {}, &OffsetChange::at);
  return later == changes_.begin() ? first_ : std::prev(later)->after;
}

Instant OffsetTable::At(const almanac::LocalTime& time) const {
  // No offset is as long as this, so nothing earlier matters.
  constexpr std::chrono::days kOffsetMax{1};
  const Instant shown = UtcInstant(time);
  auto next = std::ranges::upper_bound(changes_, shown - kOffsetMax, {}, &OffsetChange::at);
  seconds offset = next == changes_.begin() ? first_ : std::prev(next)->after;
  for (; next != changes_.end(); ++next) {
    const bool is_before = shown - offset < next->at;
    const bool is_skipped = shown - next->after < next->at;
    if (is_before || is_skipped) {
      break;
    }
    offset = next->after;
  }
  return shown - offset;
}

Instant OffsetTable::NextChange(Instant instant, Instant limit) const {
  const auto later = std::ranges::upper_bound(changes_, instant, {}, &OffsetChange::at);
  return later == changes_.end() ? limit : std::min(limit, later->at);
}

seconds OffsetTable::DifferenceTo(const almanac::Zone& zone, const TimeSpan& span,
                                  seconds most) const {
  seconds difference{0};
  Instant at = span.from;
  while (at < span.to && difference <= most) {
    Instant next = NextChange(at, span.to);
    if (const std::optional<OffsetChange> change = zone.NextChange(at)) {
      next = std::min(next, change->at);
    }
    if (OffsetAt(at) != zone.OffsetAt(at)) {
      difference += std::chrono::floor<seconds>(next - at);
    }
    at = next;
  }
  return difference;
}

}  // namespace atrium::icalendar
