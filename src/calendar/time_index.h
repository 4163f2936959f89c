// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "calendar/records.h"
#include "store/engine.h"

namespace atrium::calendar {

/// From the first to the last day an entry touches, all its occurrences taken together, in its own
/// zone. `last` is nullopt when it never ends.
struct DaySpan {
  Date first{};
  std::optional<Date> last{};
};
DaySpan SpanOf(const Entry& entry);

// Where an entry stands in kEntriesByTime. Three sections, so that each question reads little more
// than it answers, however old the calendar is:
//
//   days      what comes once and lasts at most two weeks: a row on its first day, and one on each
//             Monday behind it that it touches
//   years     what is longer or comes again, and ends within five years: a row for each year it
//             touches, by its last day
//   endless   the rest, by its last day
//
// Hence whoever asks for the days from A to B reads the days from the Monday before A, the years of
// A to B from A on, and what is endless from A on.

/// What the key of a row of the first section tells, so that the document need not be read.
struct DayPlace {
  /// The day of the row: the first one, or a Monday.
  Date day{};
  Date first{};
  Date last{};
  /// When it starts, at midnight when it has no time.
  LocalTime start{};
  EntryId id{};
};
std::optional<DayPlace> ReadDayPlace(std::string_view sort);

/// The slices to be read for the days from `from` to `to`, both included.
struct TimeSlices {
  store::Range days{};
  store::Range years{};
  store::Range endless{};
};
TimeSlices SlicesFor(Date from, Date to);

/// The sort keys of an entry in the index.
std::vector<std::string> TimeRows(const Entry& entry);
/// Whether that is the first of them: whoever wants each entry once passes the others over.
bool IsFirstRow(std::string_view sort, const Entry& entry);

}  // namespace atrium::calendar
