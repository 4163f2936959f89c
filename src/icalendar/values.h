// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "almanac/date.h"
#include "almanac/local_time.h"
#include "base/instant.h"
#include "base/result.h"

// The value types of RFC 5545 §3.3 that calendars need, to and from text.

namespace atrium::icalendar {

enum class TimeForm : std::uint8_t {
  kDate,   ///< "20260301"
  kLocal,  ///< "20260301T090000": of the zone that TZID names, or of no zone.
  kUtc,    ///< "20260301T080000Z"
};

struct TimeValue {
  TimeForm form{};
  /// Midnight for a date.
  almanac::LocalTime at{};
};

/// Reads a DATE or a DATE-TIME. The leap second ":60" is the second before it, as §3.3.12 advises.
/// kInvalidArgument for anything else, also for days and times that do not exist.
Result<TimeValue> ParseTime(std::string_view text);

/// The moment of a local time in UTC.
Instant UtcInstant(const almanac::LocalTime& time);

/// A DURATION. Days are days on the wall, whatever the clocks do in between, and the rest is exact
/// (§3.3.6).
struct Duration {
  int days{};
  std::chrono::seconds time{};
};

/// kInvalidArgument for what is no DURATION, or longer than 100,000 days.
Result<Duration> ParseDuration(std::string_view text);

/// Undoes the escapes of TEXT. A backslash before anything else stands for itself. Control
/// characters are left out, except tabs and line ends.
std::string UnescapeText(std::string_view value);

/// The parts between the commas of a list of dates or times.
std::vector<std::string_view> SplitList(std::string_view value);

std::string RenderDate(almanac::Date date);
std::string RenderLocal(const almanac::LocalTime& time);
/// Without the fraction of the second.
std::string RenderUtc(Instant instant);
/// "-PT15M" for -15 minutes.
std::string RenderMinutes(std::chrono::minutes span);
/// What UnescapeText() reads as `text`, but for control characters; line ends of any kind become
/// \n.
std::string EscapeText(std::string_view text);

}  // namespace atrium::icalendar
