// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "almanac/expansion_budget.h"
#include "almanac/local_time.h"
#include "almanac/zone.h"
#include "base/result.h"

namespace atrium::almanac {

/// Something that happens again, in local time: a rule is about what clocks and calendars on the
/// wall show, and only afterwards a Zone says which moments those are.
///
/// `start` is an occurrence and the first that COUNT counts, whether the rule would give it or not
/// (RFC 5545 §3.8.5.3 leaves that undefined); the rule gives those after it. What is in
/// `exceptions` is no occurrence, wherever else it comes from, though COUNT has counted it.
struct Series {
  /// Midnight, when only the date matters; as those below.
  LocalTime start{};
  /// As CanonicalRule() answers; empty: there is none.
  std::string rule{};
  /// Occurrences besides those of the rule, in any order.
  std::vector<LocalTime> additions{};
  std::vector<LocalTime> exceptions{};
  /// What CountedUntil() said when the series was written, to be stored with it. Without it, a rule
  /// with COUNT is counted through from its start whenever it is asked for.
  std::optional<LocalTime> counted_until{};
};

/// What a rule is read for.
struct RuleTerms {
  bool all_day = false;
  /// Of the entry, to turn UNTIL in UTC into local time. Without it such an UNTIL is taken as
  /// local.
  std::optional<Zone> zone{};
};

/// The one spelling in which rules are stored: parts in a fixed order, in upper case, without
/// "RRULE:" and without what is understood anyway, with UNTIL as a date for all-day entries and as
/// a local date and time for others. Of a date as UNTIL of a timed entry the whole day is meant; of
/// all-day entries BYHOUR, BYMINUTE and BYSECOND are dropped (RFC 5545 §3.3.10).
///
/// Refuses with kInvalidArgument, naming the part: what is no rule of RFC 5545 §3.3.10 and what
/// contradicts itself; other calendars and leap months of RFC 7529 (RSCALE, SKIP); what comes more
/// often than daily, or a hundred times a day; more than 512 bytes, 100 values in a list, an
/// INTERVAL or a COUNT above 10,000.
Result<std::string> CanonicalRule(std::string_view rule, const RuleTerms& terms);

/// A stored rule as files want it: with UNTIL in UTC for what has a zone (RFC 5545 §3.3.10).
/// CanonicalRule() with the same terms reads it back.
Result<std::string> RuleForExport(std::string_view rule, const RuleTerms& terms);

/// The starts of the occurrences in [from, before), sorted, each once. It costs about as many steps
/// as there are days in between, however far that is from the start of the series; with BYSETPOS,
/// as there are in the weeks, months or years that it touches.
Result<std::vector<LocalTime>> Expand(const Series& series, const LocalTime& from,
                                      const LocalTime& before, ExpansionBudget& budget);

/// The first `count` starts that are not before `from`, fewer when there are no more. A rule that
/// never chooses a day costs 150,000 steps before that is clear.
Result<std::vector<LocalTime>> NextStarts(const Series& series, const LocalTime& from,
                                          std::size_t count, ExpansionBudget& budget);

/// When the last occurrence of the whole series starts; nullopt: it never ends. A series without
/// any occurrence is kInvalidArgument. A rule without an end that chooses no day after the start,
/// as the 30th of February, has ended with it.
Result<std::optional<LocalTime>> LastStart(const Series& series, ExpansionBudget& budget);

/// The last start that a rule with COUNT counts; nullopt for other rules. For
/// Series::counted_until.
Result<std::optional<LocalTime>> CountedUntil(const Series& series, ExpansionBudget& budget);

/// The rule of the part of a series before `at`, when "this and following" are changed: it ends
/// with UNTIL, as a date for all-day entries. Additions and exceptions are the caller's to divide.
/// kInvalidArgument when nothing of the series is before `at`.
Result<std::string> EndRuleBefore(const Series& series, const LocalTime& at,
                                  const RuleTerms& terms = {});

/// The rule of the part of a series from `at` on, which becomes the start of that part: COUNT
/// becomes what is left. Empty: the rule gives nothing after `at`.
Result<std::string> RuleFrom(const Series& series, const LocalTime& at, ExpansionBudget& budget);

}  // namespace atrium::almanac
