// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "icalendar/component.h"
#include "icalendar/item.h"
#include "icalendar/zone_names.h"

namespace atrium::icalendar {

/// Reads when an item is and how it repeats: fills all of `item` from `all_day` to `recurrence_id`,
/// of the kind that it has already. kInvalidArgument for what cannot be understood.
Result<void> ReadTimes(const Component& component, ZoneNames& zones, Item& item, Notes& notes);

}  // namespace atrium::icalendar
