// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "almanac/zone.h"

namespace atrium::icalendar {

/// The zone that Windows shows to people as "(UTC+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm,
/// Vienna", which some versions of Exchange write as TZID. It is found by the places or the words
/// of the title, in English, and its standard time must be the offset of the title. nullopt
/// otherwise.
std::optional<almanac::Zone> FindTitledZone(std::string_view title);

}  // namespace atrium::icalendar
