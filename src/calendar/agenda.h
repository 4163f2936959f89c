// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "almanac/recurrence.h"
#include "almanac/zone.h"
#include "base/result.h"
#include "calendar/occurrences.h"
#include "calendar/records.h"
#include "store/engine.h"
#include "store/row.h"

namespace atrium::calendar {

/// One time that something takes place, ready to be shown.
struct AgendaItem {
  /// The days it touches: in the entry's own zone, or in the one that was asked for.
  Date first{};
  Date last{};
  /// For the order within a day.
  LocalTime start{};
  EntryId id{};
  /// The entry as that occurrence has it, with "version" and, for one of a series, "occurrence".
  std::string json{};
};

struct AgendaQuery {
  CalendarId calendar{};
  DayRange days{};
  /// Whose days are meant. nullopt: those of each entry's own zone, which costs the least.
  std::optional<almanac::Zone> zone{};
};

/// What one request may expand.
almanac::ExpansionBudget BudgetForAgenda();

/// What takes place in a calendar on these days, by start: found through three slices of one
/// partition, whatever the age of the calendar. kLimitExceeded when there is too much of it.
Result<std::vector<AgendaItem>> ReadAgenda(store::Engine& engine, const store::OpContext& op,
                                           const AgendaQuery& query,
                                           almanac::ExpansionBudget& budget);

/// The document with its version: what lists show.
std::string WithVersion(std::string_view document, store::Version version);

/// From start to end, for entries with times in a zone of their own; whole days are taken in
/// `zone`.
struct TimeSpan {
  Instant start{};
  Instant end{};
};
Result<TimeSpan> TimeSpanOf(const Entry& occurrence, const almanac::Zone& zone);

}  // namespace atrium::calendar
