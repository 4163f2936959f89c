// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/result.h"
#include "calendar/records.h"
#include "icalendar/item.h"

namespace atrium::calendar {

// The people of an item and its address of the web, to and from entries. No store, no clock. What
// is too much of them never costs the entry: it is left out, and told in the notes.

/// What the organizer and the attendees of one item may take in the document of its entry.
inline constexpr std::size_t kPeopleBytes = std::size_t{16} << 10;

/// Takes URL, ORGANIZER and ATTENDEE. Names that are too long are cut. A URL that no page may lead
/// to, an address that is too long, and attendees beyond 200 or beyond kPeopleBytes are left out.
void ReadPeople(const icalendar::Item& item, Entry& entry, std::vector<std::string>& notes);

/// The other way round.
void WritePeople(const Entry& entry, icalendar::Item& item);

/// Settle(). When the entry is too large with its people, it is settled without those of single
/// occurrences, or without any attendees.
Result<void> SettleWithPeople(Entry& entry, std::vector<std::string>& notes);

}  // namespace atrium::calendar
