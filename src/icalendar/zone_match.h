// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "almanac/zone.h"
#include "icalendar/offset_table.h"

namespace atrium::icalendar {

struct ZoneMatch {
  almanac::Zone zone;
  /// Its clocks show the same all the time that was asked for.
  bool exact = false;
};

/// The zone of the database whose clocks show what the table says in that time, or are wrong for
/// the shortest part of it. Looks at `home` first, then at a zone of a fixed offset when nothing
/// changes, at well-known zones, and at those that Windows knows, which between them have all rules
/// that are in force.
ZoneMatch FindMatch(const OffsetTable& table, const TimeSpan& span,
                    const std::optional<almanac::Zone>& home);

}  // namespace atrium::icalendar
