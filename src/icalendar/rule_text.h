// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "almanac/zone.h"
#include "base/result.h"

namespace atrium::icalendar {

/// A rule as almanac::CanonicalRule() answers it, in the form in which it stands in a file beside a
/// start in `zone`: its UNTIL in UTC (RFC 5545 §3.3.10). Rules of all-day and floating items stand
/// as they are.
std::string RuleWithUntilInUtc(std::string_view rule, const almanac::Zone& zone);

/// The value of RRULE beside a start in `zone`, canonical and such that writing and reading it
/// again changes nothing: an UNTIL that no clock of the zone shows becomes the time that they show
/// instead.
Result<std::string> CanonicalRuleIn(std::string_view value, const almanac::Zone& zone);

}  // namespace atrium::icalendar
