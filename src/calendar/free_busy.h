// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/describe/class.hpp>
#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/instant.h"
#include "base/result.h"
#include "calendar/access.h"
#include "calendar/people.h"
#include "calendar/records.h"
#include "store/ground.h"

namespace atrium::calendar {

struct BusyTime {
  Instant start{};
  Instant end{};

  friend bool operator==(const BusyTime&, const BusyTime&) = default;
};
BOOST_DESCRIBE_STRUCT(BusyTime, (), (start, end))

/// When somebody has something else to do.
struct BusyPerson {
  UserId user{};
  std::string email{};
  /// By start; what overlaps or touches is one.
  std::vector<BusyTime> busy{};
};
BOOST_DESCRIBE_STRUCT(BusyPerson, (), (user, email, busy))

struct FreeBusy {
  std::vector<BusyPerson> people{};
  /// Who was asked for and is nobody of the organisation, as it was written.
  std::vector<std::string> unknown{};
};
BOOST_DESCRIBE_STRUCT(FreeBusy, (), (people, unknown))

struct FreeBusyQuery {
  /// Ids or addresses.
  std::vector<std::string> users{};
  Instant from{};
  Instant to{};
};

inline constexpr std::size_t kBusyPeople = 50;
inline constexpr std::chrono::days kBusyDays{62};

/// When people of the visitor's organisation are busy, and nothing about what with: from events, in
/// the calendars they own, that do not leave them free. Whole days are those of their own zone.
/// kLimitExceeded when there is too much of it.
Result<FreeBusy> FindFreeBusy(const store::Ground& ground, const People& people,
                              const store::OpContext& op, const Visitor& visitor,
                              const FreeBusyQuery& query);

/// Sorted and joined where they overlap or touch.
std::vector<BusyTime> Joined(std::vector<BusyTime> times);

}  // namespace atrium::calendar
