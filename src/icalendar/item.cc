// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "icalendar/item.h"

#include "almanac/local_time.h"
#include "almanac/zone.h"
#include "base/error.h"
#include "base/result.h"

namespace atrium::icalendar {

Result<almanac::LocalTime> StartInSeries(const RecurrenceId& id, const Item& series) {
  if (!series.start) {
    return Fail(ErrorCode::kInvalidArgument, "a series without start has no occurrences");
  }
  if (id.all_day) {
    return almanac::LocalTime{.date = id.at.date, .time = series.start->time};
  }
  if (series.all_day) {
    return almanac::LocalTime{.date = id.at.date, .time = {}};
  }
  if (id.zone == series.zone || id.zone.empty() || series.zone.empty()) {
    return id.at;
  }
  ASSIGN_OR_RETURN(const almanac::Zone from, almanac::Zone::Find(id.zone));
  ASSIGN_OR_RETURN(const almanac::Zone to, almanac::Zone::Find(series.zone));
  return to.In(from.At(id.at));
}

}  // namespace atrium::icalendar
