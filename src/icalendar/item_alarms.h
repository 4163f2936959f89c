// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "icalendar/component.h"
#include "icalendar/item.h"

namespace atrium::icalendar {

/// Reads the reminders of an item whose times have been read. A VALARM that cannot be kept becomes
/// a note: nobody wants to lose an event because of it.
void ReadAlarms(const Component& component, Item& item, Notes& notes);

}  // namespace atrium::icalendar
