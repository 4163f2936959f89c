// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "calendar/records.h"
#include "store/conclusions.h"
#include "store/ground.h"
#include "store/op_context.h"
#include "store/record.h"
#include "store/store.h"

namespace atrium::calendar {

/// On whose behalf something is done.
struct Visitor {
  OrgId org{};
  UserId user{};
  /// What the history calls them: their address.
  std::string label{};
  std::string time_zone = "UTC";
};

/// What somebody wants to do in a calendar, from the least to the most.
enum class Need : std::uint8_t {
  kRead,
  kWriteEntries,
  kDescribe,  ///< Name, colour, description.
  kOwn,       ///< Members, deletion.
};

/// A calendar, and the visitor's part in it.
struct Seat {
  store::Stored<Calendar> calendar{};
  store::Stored<Membership> member{};
};

/// The one place that decides who may do what in a calendar. kNotFound to who is no active member,
/// as if there were no such calendar; kPermissionDenied to a member whose role does not suffice.
Result<Seat> Enter(store::Store& store, const store::OpContext& op, const Visitor& visitor,
                   const CalendarId& calendar, Need need);

/// The same for calendars in the trash: for owners, who may restore them.
Result<Seat> EnterTrashed(store::Store& store, const store::OpContext& op, const Visitor& visitor,
                          const CalendarId& calendar);

/// Enter() of those who read, for whom it is most of the work: what was decided a moment ago holds
/// until a calendar or a membership is written. Any thread.
class ReadersSeats {
 public:
  explicit ReadersSeats(const store::Ground& ground);

  Result<std::shared_ptr<const Seat>> Enter(const store::OpContext& op, const Visitor& visitor,
                                            const CalendarId& calendar);

 private:
  store::Store& store_;
  store::Conclusions<Seat> seats_;
};

}  // namespace atrium::calendar
