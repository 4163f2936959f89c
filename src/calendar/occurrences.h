// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "almanac/recurrence.h"
#include "base/result.h"
#include "calendar/records.h"

namespace atrium::calendar {

/// One time that an entry takes place.
struct Occurrence {
  /// When the series has it; nullopt: the entry comes once.
  std::optional<LocalTime> of_series{};
  /// As it takes place then, without recurrence.
  Entry entry{};
};

/// The days a question is about, in the entry's own zone, both included.
struct DayRange {
  Date from{};
  Date to{};
};

/// The occurrences that touch these days, by start.
Result<std::vector<Occurrence>> OccurrencesOf(const Entry& entry, const DayRange& days,
                                              almanac::ExpansionBudget& budget);

/// The one that the series has at that time. kNotFound when there is none.
Result<Occurrence> OccurrenceAt(const Entry& series, const LocalTime& at);

}  // namespace atrium::calendar
