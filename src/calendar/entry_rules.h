// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "almanac/recurrence.h"
#include "base/result.h"
#include "calendar/entry_fields.h"
#include "calendar/entry_texts.h"
#include "calendar/records.h"

namespace atrium::calendar {

// What an entry must be. No store, no clock.

/// Of the whole document: it is stored several times, and the history adds to it.
inline constexpr std::size_t kEntryBytes = std::size_t{40} << 10;
inline constexpr int kEntryDays = 3'700;
inline constexpr std::size_t kReminders = 10;
inline constexpr std::size_t kExceptions = 500;
inline constexpr std::size_t kOverrides = 200;

/// A new entry out of what a client says. `usual_zone` is that of who writes it. Settled.
Result<Entry> Compose(const EntryFields& fields, std::string_view usual_zone);

/// The entry with what a client says of it. A start that moves takes the end along unless that is
/// named, too. Not settled, but of one kind: a whole day has no times.
Result<Entry> Apply(const EntryFields& fields, std::string_view usual_zone, Entry entry);

/// Refuses what cannot be, with kInvalidArgument that names the field, and fills in what follows
/// from the rest: the flags of the kind, the last occurrence.
Result<void> Settle(Entry& entry);

/// When an entry starts, on the clocks of its own zone; at midnight when it has no time.
LocalTime StartOf(const Entry& entry);

/// The last day an entry touches: what ends at midnight does not touch the day that begins then.
Date LastDayOf(const Entry& entry);

/// The entry as a series; for one that has a recurrence.
almanac::Series SeriesOf(const Entry& entry);

/// What expanding one entry may cost.
almanac::ExpansionBudget BudgetForOne();

}  // namespace atrium::calendar
