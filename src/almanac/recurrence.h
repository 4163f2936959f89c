// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "almanac/local_time.h"
#include "almanac/zone.h"
#include "base/result.h"

namespace atrium::almanac {

/// Something that happens again, in local time: a rule is about what clocks and calendars on the
/// wall show, and only afterwards a Zone says which moments those are. All-day series use midnight.
///
/// `start` is the first occurrence and one of those that COUNT counts, whether the rule would give
/// it or not (RFC 5545 §3.8.5.3 leaves that undefined). What is in `exceptions` is no occurrence,
/// wherever else it comes from, though COUNT has counted it.
struct Series {
  LocalTime start{};
  /// As CanonicalRule() answers; empty: there is none.
  std::string rule{};
  /// Occurrences besides those of the rule, in any order.
  std::vector<LocalTime> additions{};
  std::vector<LocalTime> exceptions{};
  /// What CountedUntil() said when the series was written, to be stored with it. With it the
  /// functions below cost the same far from the start as near it; without it a rule with COUNT is
  /// counted through from its start each time.
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
/// "RRULE:", without what is understood anyway, with UNTIL as a date for all-day entries and as
/// a local date and time for others.
///
/// Refuses with kInvalidArgument, naming the part: what is no rule of RFC 5545 §3.3.10 and what
/// contradicts itself; parts of RFC 7529 (RSCALE, SKIP); what comes more often than daily; more
/// than 512 bytes, 100 values in a list, an INTERVAL or a COUNT above 10,000.
Result<std::string> CanonicalRule(std::string_view rule, const RuleTerms& terms);

/// What one request may spend on expanding, however many series it expands. Running out is
/// kLimitExceeded.
class ExpansionBudget {
 public:
  /// `occurrences` that are found; `steps` are candidates that are looked at, about a tenth of
  /// a microsecond each.
  explicit ExpansionBudget(std::size_t occurrences, std::size_t steps)
      : occurrences_(occurrences), steps_(steps) {}

  Result<void> SpendOccurrence();
  Result<void> SpendStep();

 private:
  std::size_t occurrences_;
  std::size_t steps_;
};

/// The starts of the occurrences in [from, before), sorted, each once. What it costs does not
/// depend on how far that is from the start of the series.
Result<std::vector<LocalTime>> Expand(const Series& series, const LocalTime& from,
                                      const LocalTime& before, ExpansionBudget& budget);

/// The first `count` starts that are not before `from`, fewer when there are no more.
Result<std::vector<LocalTime>> NextStarts(const Series& series, const LocalTime& from,
                                          std::size_t count, ExpansionBudget& budget);

/// When the last occurrence of the whole series starts; nullopt: it never ends. A series without
/// any occurrence is kInvalidArgument.
Result<std::optional<LocalTime>> LastStart(const Series& series, ExpansionBudget& budget);

/// The last start that a rule with COUNT counts; nullopt for other rules. For
/// Series::counted_until.
Result<std::optional<LocalTime>> CountedUntil(const Series& series, ExpansionBudget& budget);

/// The rule of the part of a series before `at`, which the rest of it leaves when "this and
/// following" are changed: it ends with UNTIL. Empty when only the start remains; kInvalidArgument
/// when nothing does.
Result<std::string> EndRuleBefore(const Series& series, const LocalTime& at);

/// The rule of the part of a series from `at` on, an occurrence which becomes the start of that
/// part: COUNT becomes what is left.
Result<std::string> RuleFrom(const Series& series, const LocalTime& at, ExpansionBudget& budget);

}  // namespace atrium::almanac
