// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "calendar/access.h"
#include "calendar/records.h"
#include "store/op_context.h"
#include "store/record.h"

namespace atrium::calendar {

class Room;

/// A new calendar of the visitor's with all entries of the other. Its entries come in several
/// commits: a copy that is broken off is a calendar with fewer entries.
Result<store::Stored<Calendar>> CopyCalendar(Room& room, const store::OpContext& op,
                                             const Visitor& visitor, const CalendarId& from,
                                             const std::optional<std::string>& name);

}  // namespace atrium::calendar
