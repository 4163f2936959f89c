// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "icalendar/zone_match.h"

#include <array>
#include <chrono>
#include <optional>
#include <string_view>

#include "almanac/zone.h"
#include "base/result.h"
#include "icalendar/offset_table.h"
#include "icalendar/windows_zones.h"

namespace atrium::icalendar {
namespace {

using almanac::Zone;
using std::chrono::seconds;

/// Of several zones with the same rules, the one that most people would name.
constexpr auto kWellKnown = std::to_array<std::string_view>(
    {"Europe/Berlin", "Europe/London", "Europe/Helsinki", "Europe/Moscow", "America/New_York",
     "America/Chicago", "America/Denver", "America/Los_Angeles", "America/Sao_Paulo", "Asia/Dubai",
     "Asia/Kolkata", "Asia/Shanghai", "Asia/Tokyo", "Australia/Sydney", "Pacific/Auckland"});

/// Keeps the best of the zones that it is offered.
class Contest {
 public:
  Contest(const OffsetTable& table, const TimeSpan& span) : table_(table), span_(span) {}

  void Offer(const Zone& zone) {
    if (IsWon()) {
      return;
    }
    const seconds difference = table_.DifferenceTo(zone, span_, least_);
    if (!best_ || difference < least_) {
      best_ = zone;
      least_ = difference;
    }
  }

  void Offer(std::string_view name) {
    if (IsWon()) {
      return;
    }
    if (const Result<Zone> zone = Zone::Find(name)) {
      Offer(*zone);
    }
  }

  bool IsWon() const { return best_ && least_ == seconds(0); }

  ZoneMatch Best() const { return {.zone = best_.value_or(Zone::Utc()), .exact = IsWon()}; }

 private:
  const OffsetTable& table_;
  const TimeSpan& span_;
  std::optional<Zone> best_;
  seconds least_ = seconds::max();
};

bool IsFixed(const OffsetTable& table, const TimeSpan& span) {
  for (const almanac::OffsetChange& change : table.Changes()) {
    if (change.at > span.from && change.at < span.to) {
      return false;
    }
  }
  return true;
}

}  // namespace

ZoneMatch FindMatch(const OffsetTable& table, const TimeSpan& span,
                    const std::optional<Zone>& home) {
  Contest contest(table, span);
  if (home) {
    contest.Offer(*home);
  }
  if (const Result<Zone> fixed = Zone::FindFixed(table.OffsetAt(span.from));
      fixed && IsFixed(table, span)) {
    contest.Offer(*fixed);
  }
  for (const std::string_view name : kWellKnown) {
    contest.Offer(name);
  }
  for (const WindowsZone& zone : WindowsZones()) {
    contest.Offer(zone.iana);
  }
  return contest.Best();
}

}  // namespace atrium::icalendar
