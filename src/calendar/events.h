// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "calendar/records.h"
#include "store/collection.h"

namespace atrium::calendar {

// What the change log says of a change, {"event":"entry_added","data":{…}}: docs/api/calendar.md.

std::string DescribeEntry(const store::RecordChange<Entry>& change);
std::string DescribeCalendar(const store::RecordChange<Calendar>& change);
std::string DescribeMember(const store::RecordChange<Membership>& change);

}  // namespace atrium::calendar
