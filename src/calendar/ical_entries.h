// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "calendar/records.h"
#include "icalendar/item.h"

namespace atrium::calendar {

// Entries as items of iCalendar files, and items as entries. No store, no clock.
//
// What is written of an entry and read again is the same entry but for its id, its stamps and its
// authors; colours come back in upper case, reminders sorted, and what lasts several days, which
// are one, as one day.

/// What an item is as an entry.
struct EntryDraft {
  /// Without id, calendar and stamps.
  Entry entry{};
  /// The item does not say when: the day is that on which it was made, or today.
  bool undated = false;
  /// What was not kept, or taken otherwise, for people.
  std::vector<std::string> notes{};
};

/// An item that stands for itself. Titles, locations and descriptions that are too long are cut,
/// and so are reminders and people that are too many (ical_people.h); what would change the meaning
/// is refused with kInvalidArgument or kLimitExceeded, as Settle() does. Settled.
Result<EntryDraft> DraftOf(const icalendar::Item& item, Date today);

/// One occurrence as the file has it, in the terms of `series`: days and times in its zone, and the
/// words. nullopt when it cannot be one of that series: a day among times, a task among events.
Result<std::optional<Entry>> OccurrenceFrom(const icalendar::Item& item, const Entry& series,
                                            std::vector<std::string>& notes);

/// As another calendar knows what an item says of one occurrence, when that must be an entry of its
/// own.
std::string UidApart(const icalendar::Item& item);

/// As other calendars know the entry: its uid, or for one that was made here "<id>@atrium".
std::string UidOf(const Entry& entry);
/// The entry that such a uid names; nullopt for those of others.
std::optional<EntryId> EntryNamedBy(std::string_view uid);

/// The entry, and behind it the occurrences of it that differ.
Result<std::vector<icalendar::Item>> ItemsOf(const Entry& entry);
/// The same without saying what it is. None for what leaves its people free.
Result<std::vector<icalendar::Item>> BusyItemsOf(const Entry& entry);
/// The entry alone.
icalendar::Item ItemOf(const Entry& entry);

}  // namespace atrium::calendar
