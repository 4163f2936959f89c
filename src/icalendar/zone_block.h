// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "almanac/zone.h"

namespace atrium::icalendar {

/// A VTIMEZONE (RFC 5545 §3.6.5) whose TZID is the name of the zone, for readers that do not know
/// it by name: right for the years 1970 to 2100, and after them where the zone follows a rule that
/// does not end. What was made is remembered; any thread.
std::string RenderZone(const almanac::Zone& zone);

}  // namespace atrium::icalendar
