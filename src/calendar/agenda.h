// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
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

/// Where something stands among all that takes place: by start, and what starts together by id.
struct AgendaPlace {
  LocalTime start{};
  EntryId id{};
  /// Of a series: one occurrence may have been moved to the time of another.
  std::optional<LocalTime> occurrence{};

  friend auto operator<=>(const AgendaPlace&, const AgendaPlace&) = default;

  /// For clients, which say it back.
  std::string Render() const;
  /// kInvalidArgument "after: …".
  static Result<AgendaPlace> Parse(std::string_view text);
};

/// One time that something takes place, ready to be shown.
struct AgendaItem {
  AgendaPlace place{};
  /// The days it touches: in the entry's own zone, or in the one that was asked for.
  Date first{};
  Date last{};
  /// The entry as that occurrence has it, with "version" and, for one of a series, "occurrence".
  std::string json{};
};

/// What one page of an agenda may hold.
inline constexpr std::size_t kAgendaBytesMax = std::size_t{4} << 20;

struct AgendaQuery {
  CalendarId calendar{};
  DayRange days{};
  /// Whose days are meant. nullopt: those of each entry's own zone, which costs the least.
  std::optional<almanac::Zone> zone{};
  /// Only what stands behind the one and before the other.
  std::optional<AgendaPlace> after{};
  std::optional<AgendaPlace> before{};
  std::size_t bytes_max = kAgendaBytesMax;
  /// All of it or nothing: kLimitExceeded as soon as `bytes_max` is reached.
  bool is_all_or_nothing = false;
};

struct AgendaPage {
  /// By place.
  std::vector<AgendaItem> items{};
  /// What was left out begins here: `bytes_max` was reached. Nothing from here on is in `items`.
  std::optional<AgendaPlace> cut{};
  /// Of all items, rendered.
  std::size_t bytes = 0;
};

/// What one request may expand.
almanac::ExpansionBudget BudgetForAgenda();

/// What takes place in a calendar on these days: found through three slices of one partition,
/// whatever the age of the calendar. It takes memory for what it answers and no more: what does not
/// fit into `bytes_max` is neither rendered nor kept meanwhile. kLimitExceeded when there are too
/// many occurrences to go through.
Result<AgendaPage> ReadAgenda(store::Engine& engine, const store::OpContext& op,
                              const AgendaQuery& query, almanac::ExpansionBudget& budget);

/// Calls `sink` for all that takes place on these days, in the zones of the entries and in no
/// order. `zone`, `after`, `before` and `bytes_max` of the query are not looked at.
Result<void> EachInAgenda(store::Engine& engine, const store::OpContext& op,
                          const AgendaQuery& query, almanac::ExpansionBudget& budget,
                          const BareOccurrenceSink& sink);

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
