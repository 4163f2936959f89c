// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
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

/// What a time is part of.
enum class TimeUse : std::uint8_t {
  kOnce,    ///< Something that comes once: only the moment matters.
  kSeries,  ///< Something that repeats, on clocks of some zone.
};

/// A time as a property states it, with its TZID understood.
struct StatedTime {
  almanac::LocalTime at{};
  bool is_date = false;
  /// UTC for times that end with Z; nullopt for dates and for times of no zone.
  std::optional<almanac::Zone> zone{};
  /// The zone is only the closest to the one that the file defines: the moment may be another.
  bool approximate = false;

  /// As Item::zone.
  std::string ZoneName() const { return zone ? zone->Name() : std::string(); }

  /// Which moment it is, where that can be said.
  std::optional<Instant> Moment() const {
    return zone ? std::optional(zone->At(at)) : std::nullopt;
  }
};

/// Reads one value of a property, or of its list. What the value looks like counts for more than
/// what VALUE says, except that VALUE=DATE makes a time its day. A time in UTC that has a TZID too
/// becomes a time of that zone. Where the file defines a zone that the database does not have, what
/// comes once becomes a time in UTC, and of a series it is taken as of the closest zone.
/// kInvalidArgument with the place for what is no time.
Result<StatedTime> ReadStatedTime(const Property& property, std::string_view value,
                                  ZoneNames& zones, TimeUse use);

}  // namespace atrium::icalendar
