// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "almanac/local_time.h"
#include "almanac/zone.h"
#include "base/instant.h"
#include "base/result.h"
#include "icalendar/content_line.h"
#include "icalendar/zone_names.h"

namespace atrium::icalendar {

/// A time as a property states it, with its TZID understood.
struct StatedTime {
  almanac::LocalTime at{};
  bool is_date = false;
  /// UTC for times that end with Z; nullopt for dates and for times of no zone.
  std::optional<almanac::Zone> zone{};

  /// As Item::zone.
  std::string ZoneName() const { return zone ? zone->Name() : std::string(); }

  /// Which moment it is, where that can be said.
  std::optional<Instant> Moment() const {
    return zone ? std::optional(zone->At(at)) : std::nullopt;
  }
};

/// Reads one value of a property, or of its list. What the value looks like counts for more than
/// what VALUE says, except that VALUE=DATE makes a time its day. A time in UTC that has a TZID too
/// becomes a time of that zone. kInvalidArgument with the place for what is no time.
Result<StatedTime> ReadStatedTime(const Property& property, std::string_view value,
                                  ZoneNames& zones);

}  // namespace atrium::icalendar
