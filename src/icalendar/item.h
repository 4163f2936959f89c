// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "almanac/local_time.h"
#include "base/instant.h"
#include "base/result.h"
#include "icalendar/participant.h"

namespace atrium::icalendar {

enum class ItemKind : std::uint8_t {
  kEvent,  ///< VEVENT
  kTodo,   ///< VTODO
};

/// Which occurrence of its series an item stands in for: when that occurrence would have started.
struct RecurrenceId {
  almanac::LocalTime at{};
  bool all_day = false;
  /// Of `at`, which need not be the zone of the item; as Item::zone.
  std::string zone{};

  bool operator==(const RecurrenceId&) const = default;
};

/// An event or a task as iCalendar has it (RFC 5545 §3.6.1, §3.6.2), in as far as calendars of ours
/// can hold it.
///
/// All its local times are of one zone. Items that ReadItems() answers keep what the comments say;
/// the Writer takes any.
struct Item {
  ItemKind kind{};
  /// Never empty. The same for a series and the items that change occurrences of it.
  std::string uid{};
  std::string summary{};
  std::string description{};
  std::string location{};
  /// Where to read more of it: a URI of whatever kind, without control characters; empty: nowhere.
  std::string url{};
  std::optional<Organizer> organizer{};
  /// In the order of the file.
  std::vector<Attendee> attendees{};

  /// Times are midnight, and have no zone.
  bool all_day = false;
  /// An IANA name, or "UTC". Empty: the same on the wall wherever one is, as for all-day items.
  std::string zone{};
  /// Every event has one; a task may have none, unless it repeats.
  std::optional<almanac::LocalTime> start{};
  /// The first moment that is no longer of it, so the day after the last for an all-day event.
  /// Every event has one, not before its start and, when it is all-day, later than that. A task has
  /// it when it is due at some time.
  std::optional<almanac::LocalTime> end{};

  /// As almanac::CanonicalRule() answers; empty: there is none.
  std::string rule{};
  /// RDATE and EXDATE: sorted, each once.
  std::vector<almanac::LocalTime> additions{};
  std::vector<almanac::LocalTime> exceptions{};
  std::optional<RecurrenceId> recurrence_id{};

  bool cancelled = false;
  /// Of tasks, and when that was, where it is known.
  bool completed = false;
  std::optional<Instant> completed_at{};
  /// Takes none of the time of whoever goes there.
  bool transparent = false;

  /// How long before the start, sorted, each once; negative: after it. A task without start counts
  /// from its end.
  std::vector<std::chrono::minutes> reminders{};
  /// "#1e90ff"; empty: none.
  std::string color{};

  /// To the second.
  std::optional<Instant> created{};
  std::optional<Instant> last_modified{};
  std::uint32_t sequence{};

  bool operator==(const Item&) const = default;
};

/// What a calendar says of itself.
struct CalendarHead {
  std::string name{};
  std::string description{};
  /// As Item::color.
  std::string color{};
  /// How often it is worth asking again.
  std::optional<std::chrono::minutes> refresh_interval{};

  bool operator==(const CalendarHead&) const = default;
};

/// When the occurrence that `id` names starts in the series that it belongs to, in the terms of
/// that series: a day becomes its occurrence of that day, a time of another zone the time in that
/// of the series. kInvalidArgument when one of the zones is not known, or `series` has no start.
Result<almanac::LocalTime> StartInSeries(const RecurrenceId& id, const Item& series);

}  // namespace atrium::icalendar
