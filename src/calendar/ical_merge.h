// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "base/result.h"
#include "calendar/ical_entries.h"
#include "calendar/records.h"
#include "icalendar/read.h"

namespace atrium::calendar {

// What becomes of an entry that is there already when a file says something of it. No store, no
// clock.

/// The entry as the file has it. What files cannot say, or say in another spelling, stays: the case
/// of a colour, the order of reminders, the day of a task without one.
Entry Merged(const Entry& before, const EntryDraft& draft);

/// The series with what a file says of single occurrences. What cannot be one of it is passed over.
Result<Entry> WithOccurrences(const Entry& series, std::span<const icalendar::FoundItem> items);

/// Whether they are equal but for stamps and authors.
bool SayTheSame(const Entry& one, const Entry& other);

}  // namespace atrium::calendar
