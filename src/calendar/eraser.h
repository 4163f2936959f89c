// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "calendar/people.h"
#include "calendar/records.h"
#include "jobs/job.h"
#include "store/ground.h"

namespace atrium::calendar {

/// Takes calendars away for good, with everything that belongs to them. Small commits, one after
/// the other, the calendar itself last: a run that was broken off is taken up by the next one.
class Eraser {
 public:
  Eraser(const store::Ground& ground, const People& people) : ground_(ground), people_(people) {}

  /// All calendars that are due. Answers how many are gone.
  Result<std::size_t> EraseDue(jobs::JobContext& context);

  /// Members whose accounts are gone leave; calendars without any owner left go to the trash.
  Result<std::size_t> ReleaseTheGone(jobs::JobContext& context);

 private:
  Result<void> EraseOne(jobs::JobContext& context, const store::Stored<Calendar>& calendar);
  Result<void> EraseEntries(jobs::JobContext& context, const CalendarId& calendar,
                            const store::Table& index);
  Result<void> EraseFeeds(const CalendarId& calendar);
  Result<void> EraseMembers(const CalendarId& calendar);
  Result<void> EraseViews(const CalendarId& calendar);
  Result<void> EraseRest(const CalendarId& calendar);
  struct MemberPage {
    std::vector<store::Stored<Membership>> members{};
    std::optional<std::string> resume{};
  };
  Result<MemberPage> WalkMembers(std::optional<std::string> after);
  Result<bool> ReleaseIfGone(const store::Stored<Membership>& member);
  Result<bool> Release(const store::Stored<Membership>& member);
  Result<bool> HasOtherOwner(const Membership& member);

  const store::Ground ground_;
  const People& people_;
};

}  // namespace atrium::calendar
