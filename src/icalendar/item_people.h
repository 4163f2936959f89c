// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "icalendar/component.h"
#include "icalendar/content_line.h"
#include "icalendar/item.h"
#include "icalendar/participant.h"

namespace atrium::icalendar {

// The people of an item, and where to read more of it, from and to lines. What was read and is
// written again reads the same.

void ReadUrl(const Property& property, Item& item, Notes& notes);
void ReadOrganizer(const Property& property, Item& item, Notes& notes);
/// One of any number. Parameters other than CN, PARTSTAT, ROLE, CUTYPE, RSVP and EMAIL are passed
/// over.
void ReadAttendee(const Property& property, Item& item, Notes& notes);

/// The line, not yet folded: "ORGANIZER;CN=Ann:mailto:ann@example.org".
std::string RenderOrganizer(const Organizer& organizer);
std::string RenderAttendee(const Attendee& attendee);

}  // namespace atrium::icalendar
